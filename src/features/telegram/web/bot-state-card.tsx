import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { dateTime } from '#shared/format.ts';
import type { Reply } from '#web/api/client.ts';
import { useToken } from '#web/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { TEXT_LINK } from '#web/ui/form.tsx';
import { useNow } from '#web/ui/now.ts';
import { QueryView } from '#web/ui/query-view.tsx';
import type { BotState, getBotState } from '../contract.ts';
import { COMMAND_NAMES } from '../contract.ts';
import { botStateQuery } from './bot-queries.ts';
import { BotWebhook } from './bot-webhook.tsx';
import { COMMAND_WORDS, conditionOf } from './bot-words.ts';
import { When } from './when.tsx';

const CARD = { id: 'bot', title: 'Bot', className: 'min-h-40' };
const STEP_MS = 1000;

/** Whether the bot does its work, who looks after it, and how much it has to do. */
export function BotStateCard() {
  const query = useQuery(botStateQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {(state) => <Loaded {...state} />}
    </QueryView>
  );
}

function Loaded({ bot, lastHour }: Reply<typeof getBotState>) {
  const { words, tone } = conditionOf(bot, useNow(STEP_MS));
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
            <span className="font-medium text-down">Last failure</span> <When at={bot.error.at} />
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
      This installation has no bot. The setting that is missing is{' '}
      <code className="num font-medium text-ink">{setting}</code>. {why}
    </p>
  );
}

function Facts({ bot, lastHour }: Reply<typeof getBotState>) {
  const { username, link, worker, readAt, heardAt } = bot;
  const name = username === null ? 'Not known yet' : `@${username}`;
  const asked = COMMAND_NAMES.filter((command) => lastHour.commands[command] > 0);
  const commands = asked.reduce((sum, command) => sum + lastHour.commands[command], 0);
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
        <Fact name={worker?.isHeld === false ? 'Looked after until now by' : 'Looked after by'}>
          {worker ? (
            <>
              <span className="break-words">{worker.name}</span>
              <span className="block text-xs text-ink-3">since {dateTime(Date.parse(worker.since))}</span>
            </>
          ) : (
            'No worker'
          )}
        </Fact>
        {bot.mode === 'polling' && <Fact name="Last reading">{readAt ? <When at={readAt} /> : 'None yet'}</Fact>}
        <Fact name="Last update">{heardAt ? <When at={heardAt} /> : 'None yet'}</Fact>
      </dl>
      <section aria-labelledby="bot-hour" className="border-t border-line pt-3">
        <h3 id="bot-hour" className="pb-1 font-medium">
          In the last hour
        </h3>
        <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          <Count name="Messages sent" count={lastHour.sent} />
          <Count name="Commands" count={commands}>
            {asked.map((command) => `${COMMAND_WORDS[command]} ${lastHour.commands[command]}`).join(', ')}
          </Count>
          <Count name="Chats connected" count={lastHour.connected} />
          <Count name="Stopped the bot" count={lastHour.blocked} />
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
        <span className="num text-lg font-semibold">{count.toLocaleString('en-US')}</span>
        {children && <span className="block text-xs text-ink-3">{children}</span>}
      </dd>
    </div>
  );
}
