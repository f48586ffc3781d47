import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert, Webhook as Icon, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import {
  changeWebhook,
  MAX_WEBHOOKS,
  type Result,
  testWebhook,
  type Webhook,
} from '#features/notifications/contract/webhooks.ts';
import { ago } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CODE, CodeBlock } from '#ui/code-block.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { useNow } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { Tag } from '#ui/tag.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { accountQuery, FORMAT_NAMES, outcomeText, STATES, webhookState, webhooksQuery } from './queries.ts';
import { VERIFY_SAMPLE } from './sample.ts';
import type { AttemptsProps, EditProps, RemoveProps } from './webhook-dialogs.tsx';

type Props = {
  webhook: Webhook;
  onChanged: () => void;
  onOpen: (what: 'edit' | 'log' | 'remove') => void;
};

const ACT = 'max-sm:h-10 aria-disabled:opacity-60';

function WebhookRow({ webhook, onChanged, onOpen }: Props) {
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
  const [tone, word] = webhookState(webhook);
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
      <span className="text-ink-2"> · {outcomeText(result)}</span>
    </output>
  );
}

/** How a receiver verifies a call. */
function VerifySample() {
  return (
    <details className="mt-auto border-t border-line text-sm">
      <summary className="cursor-pointer px-4 py-3 font-medium min-h-11">How to verify the signature</summary>
      <div className="grid gap-3 px-4 pb-4 text-ink-2">
        <p className="max-w-[68ch]">
          Each call in our signed JSON format carries <code className={CODE}>Meridian-Signature: t=…,v1=…</code>, the
          HMAC-SHA256 of timestamp and body with your secret. For 24 hours after you create a new secret there are two{' '}
          <code className={CODE}>v1</code> values; accept the call if either matches. A retried call has the same{' '}
          <code className={CODE}>Meridian-Delivery</code>.
        </p>
        <CodeBlock
          head={<span className="label">Node</span>}
          label="Sample in Node"
          text={VERIFY_SAMPLE}
          what="Sample"
        />
        <p className="max-w-[68ch]">
          Respond with 2xx within 10 seconds. 429 and 5xx are retried, honoring Retry-After; 410 disables the webhook;
          other responses count as failures. Redirects are not followed. After 50 consecutive failures over three days
          the webhook is disabled and we email you.
        </p>
      </div>
    </details>
  );
}

const EditWebhook = part<EditProps>({
  name: 'The dialog',
  load: async () => (await import('./webhook-dialogs.tsx')).EditWebhook,
});
const Attempts = part<AttemptsProps>({
  name: 'The log',
  load: async () => (await import('./webhook-dialogs.tsx')).AttemptsDialog,
});
const RemoveWebhook = part<RemoveProps>({
  name: 'The dialog',
  load: async () => (await import('./webhook-dialogs.tsx')).RemoveWebhook,
});

const CARD = { id: 'webhooks', title: 'Webhooks', className: 'relative min-h-36' };
const HOLDS = [
  'Alerts as signed JSON to your own server, or as messages in Discord and Slack',
  'Retries while your server is down, with a log of every call',
] as const;

/** The webhooks section, for every plan; `price` is that of the plan that includes them. */
export function WebhooksPart({ price }: { price: ReactNode }) {
  const token = useToken();
  const account = useQuery(accountQuery(token));
  return (
    <QueryView query={account} card={CARD} failed="Failed to load your plan">
      {({ plan, isAdmin }) => (isAdmin || PLAN_LIMITS[plan].webhooks ? <Own /> : <Offer price={price} />)}
    </QueryView>
  );
}

function Offer({ price }: { price: ReactNode }) {
  const name = PLAN_NAMES.premium;
  return (
    <Card {...CARD} note={<Tag>{name}</Tag>}>
      <div className="flex flex-wrap items-center justify-between gap-4 px-4 pb-4">
        <div>
          <p className="text-sm text-ink-2">
            Send alerts to your own services and chat rooms. Your existing webhooks are kept and resume with {name}.
          </p>
          <ul className="mt-2 grid gap-1">
            {HOLDS.map((each) => (
              <li key={each} className="flex gap-2.5 text-sm">
                <Check className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
                {each}
              </li>
            ))}
          </ul>
        </div>
        <div>
          <ButtonLink to="/app/subscription" className="h-10 w-full px-4">
            Upgrade to {name}
          </ButtonLink>
          <p className="label num mt-2 text-center">{price}</p>
        </div>
      </div>
    </Card>
  );
}

function Own() {
  const query = useQuery(webhooksQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load your webhooks">
      {({ webhooks }) => <Loaded webhooks={webhooks} />}
    </QueryView>
  );
}

type Open = { what: 'edit' | 'log' | 'remove'; webhook: Webhook };

function Loaded({ webhooks }: { webhooks: readonly Webhook[] }) {
  const queries = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const refresh = () => void queries.invalidateQueries({ queryKey: ['webhooks'] });
  const close = () => setOpen(null);
  const isFull = webhooks.length >= MAX_WEBHOOKS;
  return (
    <Card {...CARD}>
      {!isFull && (
        <CornerButton onClick={() => setAdding(true)}>
          <Plus className="size-3.5" aria-hidden="true" />
          Add webhook
        </CornerButton>
      )}
      <p className="max-w-[68ch] px-4 pt-1 pb-3 text-sm text-ink-2">
        Alerts as signed JSON to your own server, or as messages in Discord and Slack. All your webhooks receive the
        same alerts.
      </p>
      {isFull && (
        <p className="px-4 pb-3 text-sm font-medium text-warn">
          {MAX_WEBHOOKS} webhooks is the maximum per account. Remove one to add another.
        </p>
      )}
      {webhooks.length === 0 ? (
        <Empty title="No webhooks yet" note="Add one, then send it a test." />
      ) : (
        <ul className="border-t border-line">
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onChanged={refresh}
              onOpen={(what) => setOpen({ what, webhook })}
            />
          ))}
        </ul>
      )}
      <VerifySample />
      {adding && <EditWebhook webhook={null} onChanged={refresh} onClose={() => setAdding(false)} />}
      {open?.what === 'edit' && <EditWebhook webhook={open.webhook} onChanged={refresh} onClose={close} />}
      {open?.what === 'log' && <Attempts webhook={open.webhook} onClose={close} />}
      {open?.what === 'remove' && <RemoveWebhook webhook={open.webhook} onRemoved={refresh} onClose={close} />}
    </Card>
  );
}
