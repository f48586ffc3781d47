import { useQuery, useQueryClient } from '@tanstack/react-query';

import { dateTime } from '#shared/format.ts';
import { call, type Reply } from '#web/api/client.ts';
import { useToken } from '#web/session.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/form.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { toast } from '#web/ui/toast.ts';
import { useSubmit } from '#web/ui/use-submit.ts';

import { type BotState, type getBotWebhook, registerBotWebhook } from '../contract.ts';
import { botWebhookQuery } from './bot-queries.ts';

/** Where Telegram calls, and what it says of that when it is asked. */
export function BotWebhook({ webhook }: { webhook: NonNullable<BotState['webhook']> }) {
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
        {registeredAt ? `Registered ${dateTime(Date.parse(registeredAt))}` : 'Not registered by us yet'}
      </p>
      <FormError failure={failure} />
      <QueryView
        query={query}
        failed="Telegram does not say how the webhook does"
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
            ? 'Telegram knows no webhook: nothing that people write arrives. Register it again.'
            : `Telegram calls another address: ${address}. Register ours again.`}
        </p>
      )}
      <p className="text-ink-2">
        <span className="num font-medium text-ink">{pending.toLocaleString('en-US')}</span>{' '}
        {pending === 1 ? 'update waits' : 'updates wait'} at Telegram.{' '}
        {lastError === null && 'Telegram tells of no failure.'}
      </p>
      {lastError && (
        <p className={WARNING}>
          {lastError.words} <span className="num font-normal">({dateTime(Date.parse(lastError.at))})</span>
        </p>
      )}
    </>
  );
}
