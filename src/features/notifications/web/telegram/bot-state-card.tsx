import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  type BotState,
  COMMAND_NAMES,
  type getBotState,
  type getBotWebhook,
  registerBotWebhook,
} from '#features/notifications/contract/telegram.ts';
import { dateTime, grouped } from '#shared/format.ts';
import { call, type Reply } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { FormError, TEXT_LINK } from '#ui/form.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { botCondition, COMMAND_WORDS } from './bot-labels.ts';
import { botStateQuery, botWebhookQuery } from './bot-queries.ts';
import { RelativeTime } from './relative-time.tsx';

/** The webhook URL, and on demand its status at Telegram. */
function BotWebhook({ webhook }: { webhook: NonNullable<BotState['webhook']> }) {
  const { address, registeredAt } = webhook;
  const query = useQuery(botWebhookQuery(useToken()));
  const queries = useQueryClient();
  const { busy, failure, submit } = useSubmit('Failed to register the webhook', async (signal) => {
    await call(registerBotWebhook, {}, signal);
    toast('success', 'The webhook is registered');
    await queries.invalidateQueries({ queryKey: ['bot'] });
  });
  return (
    <section aria-labelledby="bot-webhook" className="grid gap-2 border-t border-line pt-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id="bot-webhook" className="font-medium">
          Webhook
        </h3>
        <Button aria-disabled={busy} onClick={() => void submit()} className="max-sm:h-10">
          {busy ? 'Registering...' : 'Register again'}
        </Button>
      </div>
      <p className="num break-all text-ink-2">{address}</p>
      <p className="label">
        {registeredAt ? `Registered ${dateTime(Date.parse(registeredAt))}` : 'Not registered yet'}
      </p>
      <FormError failure={failure} />
      <QueryView
        query={query}
        failed="Telegram reports no webhook status"
        loading={<div className="skel h-10" aria-hidden="true" />}
      >
        {(info) => <Told info={info} />}
      </QueryView>
    </section>
  );
}

const WARNING = 'rounded-ctl bg-warn/10 px-3 py-2 font-medium text-warn [overflow-wrap:anywhere]';

function Told({ info: { address, isOurs, pending, lastError } }: { info: Reply<typeof getBotWebhook> }) {
  return (
    <>
      {!isOurs && (
        <p role="alert" className={WARNING}>
          {address === null
            ? 'No webhook is registered with Telegram, so messages do not arrive. Register it again.'
            : `Telegram calls a different URL: ${address}. Register again.`}
        </p>
      )}
      <p className="text-ink-2">
        <span className="num font-medium text-ink">{grouped(pending)}</span>{' '}
        {pending === 1 ? 'update waits' : 'updates pending'} at Telegram.{' '}
        {lastError === null && 'Telegram reports no errors.'}
      </p>
      {lastError && (
        <p className={WARNING}>
          {lastError.words} <span className="num font-normal">({dateTime(Date.parse(lastError.at))})</span>
        </p>
      )}
    </>
  );
}

const CARD = { id: 'bot', title: 'Bot', className: 'min-h-56' };
const STEP_MS = 1000;

/** Status of the bot, its worker and its load. */
export function BotStateCard() {
  const query = useQuery(botStateQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {(state) => <Loaded {...state} />}
    </QueryView>
  );
}

function Loaded({ bot, lastHour }: Reply<typeof getBotState>) {
  const { words, tone } = botCondition(bot, useNow(STEP_MS));
  return (
    <Card
      {...CARD}
      note={
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone={tone}>{words}</Badge>
          {bot.simulated && <Badge>Simulated</Badge>}
        </span>
      }
    >
      <div className="grid gap-3 px-4 pt-1 pb-4 text-sm">
        {bot.missing ? <Missing {...bot.missing} /> : <Facts bot={bot} lastHour={lastHour} />}
        {bot.error && (
          <p className="rounded-ctl border border-line px-3 py-2 [overflow-wrap:anywhere]">
            <span className="font-medium text-down">Last failure</span> <RelativeTime at={bot.error.at} />
            <br />
            <span className="text-ink-2">{bot.error.words}</span>
          </p>
        )}
        {bot.webhook && <BotWebhook webhook={bot.webhook} />}
      </div>
    </Card>
  );
}

function Missing({ setting, why }: NonNullable<BotState['missing']>) {
  return (
    <p className="max-w-[60ch] text-ink-2">
      No bot is configured. Missing setting: <code className="num font-medium text-ink">{setting}</code>. {why}
    </p>
  );
}

function Facts({ bot, lastHour }: Reply<typeof getBotState>) {
  const { username, link, worker, readAt, heardAt } = bot;
  const name = username === null ? 'Not available yet' : `@${username}`;
  const used = COMMAND_NAMES.filter((command) => lastHour.commands[command] > 0);
  const commands = used.reduce((sum, command) => sum + lastHour.commands[command], 0);
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Fact name="Name">
          {link ? (
            <a href={link} target="_blank" rel="noreferrer noopener" className={TEXT_LINK}>
              {name}
            </a>
          ) : (
            name
          )}
        </Fact>
        <Fact name={worker?.isHeld === false ? 'Last handled by' : 'Handled by'}>
          {worker ? (
            <>
              <span className="break-words">{worker.name}</span>
              <span className="block text-xs text-ink-3">since {dateTime(Date.parse(worker.since))}</span>
            </>
          ) : (
            'No worker'
          )}
        </Fact>
        {bot.mode === 'polling' && <Fact name="Last poll">{readAt ? <RelativeTime at={readAt} /> : 'None yet'}</Fact>}
        <Fact name="Last update">{heardAt ? <RelativeTime at={heardAt} /> : 'None yet'}</Fact>
      </dl>
      <section aria-labelledby="bot-hour" className="border-t border-line pt-3">
        <h3 id="bot-hour" className="pb-1 font-medium">
          In the last hour
        </h3>
        <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          <Count name="Messages sent" count={lastHour.sent} />
          <Count name="Commands" count={commands}>
            {used.map((command) => `${COMMAND_WORDS[command]} ${lastHour.commands[command]}`).join(', ')}
          </Count>
          <Count name="Chats connected" count={lastHour.connected} />
          <Count name="Bot blocked" count={lastHour.blocked} />
        </dl>
      </section>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="label">{name}</dt>
      <dd className="font-medium break-words">{children}</dd>
    </div>
  );
}

function Count({ name, count, children }: { name: string; count: number; children?: string }) {
  return (
    <div className="min-w-0">
      <dt className="label">{name}</dt>
      <dd>
        <span className="num text-lg font-semibold">{grouped(count)}</span>
        {children && <span className="block text-xs text-ink-3">{children}</span>}
      </dd>
    </div>
  );
}
