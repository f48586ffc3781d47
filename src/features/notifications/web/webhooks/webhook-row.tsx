import { CircleAlert, Webhook as Icon } from 'lucide-react';
import { useState } from 'react';
import { changeWebhook, type Result, testWebhook, type Webhook } from '#features/notifications/contract/webhooks.ts';
import { ago } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { useNow } from '#ui/now.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { FORMAT_NAMES, outcomeOf, STATES, stateOf } from './words.ts';

type Props = {
  webhook: Webhook;
  onChanged: () => void;
  onOpen: (what: 'edit' | 'log' | 'remove') => void;
};

const ACT = 'max-sm:h-10 aria-disabled:opacity-60';

export function WebhookRow({ webhook, onChanged, onOpen }: Props) {
  const { id, name, host, format, enabled, lastAt, lastNote } = webhook;
  const now = useNow(60_000);
  const [result, setResult] = useState<Result | null>(null);
  const params = { id: String(id) };
  const test = useSubmit('Failed to send the test', async (signal) => {
    setResult(null);
    setResult(await call(testWebhook, { params }, signal));
    onChanged();
  });
  const switching = useSubmit('Failed to enable the webhook', async (signal) => {
    await call(changeWebhook, { params, body: { name, format, enabled: true } }, signal);
    onChanged();
  });
  const [tone, word] = stateOf(webhook);
  const failure = test.failure ?? switching.failure;
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        <div className="flex min-w-0 flex-1 gap-3 max-sm:w-full">
          <Icon className="mt-0.5 size-4 shrink-0 text-ink-3" aria-hidden="true" />
          <div className="min-w-0 text-sm">
            <p className="flex flex-wrap items-center gap-x-2 font-medium">
              <span className="min-w-0 break-words">{name}</span>
              <Badge tone={tone}>{word}</Badge>
            </p>
            <p className="num text-xs break-words text-ink-3">
              {FORMAT_NAMES[format]} · {host} ·{' '}
              {lastAt ? `${lastNote}, ${ago(now - Date.parse(lastAt)).toLowerCase()}` : 'nothing sent yet'}
            </p>
            <Trouble {...webhook} />
          </div>
        </div>
        <div role="group" aria-label={name} className="flex flex-wrap gap-1.5 max-sm:w-full">
          {!enabled && (
            <Button className={ACT} aria-disabled={switching.busy} onClick={() => void switching.submit()}>
              {switching.busy ? 'Enabling...' : 'Enable'}
            </Button>
          )}
          <Button className={ACT} aria-disabled={test.busy} onClick={() => void test.submit()}>
            {test.busy ? 'Testing...' : 'Test'}
          </Button>
          <Button className={ACT} onClick={() => onOpen('log')}>
            Log
          </Button>
          <Button className={ACT} onClick={() => onOpen('edit')}>
            Edit
          </Button>
          <Button className={ACT} onClick={() => onOpen('remove')}>
            Remove
          </Button>
        </div>
      </div>
      {result && <Outcome {...result} />}
      {failure && (
        <p role="alert" className="mt-2 text-sm font-medium text-down">
          {failure.message}
          {failure.detail && <span className="font-normal text-ink-2"> {failure.detail}</span>}
        </p>
      )}
    </li>
  );
}

function Trouble({ disabledAt, disabledReason, enabled, failures }: Webhook) {
  const words =
    disabledAt !== null
      ? `Disabled on ${dayOf(disabledAt)}: ${disabledReason}`
      : enabled && failures > 1
        ? `${failures} consecutive calls failed`
        : null;
  if (!words) return null;
  return (
    <p className={cx('mt-1 flex gap-1.5 text-xs font-medium', disabledAt === null ? 'text-warn' : 'text-down')}>
      <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
      {words}
    </p>
  );
}

const INK = { plain: 'text-ink', up: 'text-up', warn: 'text-warn', down: 'text-down' } as const;

function Outcome(result: Result) {
  const [tone] = STATES[result.state];
  return (
    <output className="num mt-2 block rounded-ctl bg-raised px-3 py-2 text-sm break-words">
      <span className={cx('font-medium', INK[tone])}>{result.state === 'sent' ? 'Test sent' : 'Test failed'}</span>
      <span className="text-ink-2"> · {outcomeOf(result)}</span>
    </output>
  );
}
