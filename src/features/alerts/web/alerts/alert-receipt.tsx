import { type ReactNode, use } from 'react';
import type { Alert, Receipt } from '#features/alerts/contract/alerts.ts';
import { age, dateTime } from '#shared/format.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import { METHOD_WORDS } from '#shared/provenance.ts';
import { useNow } from '#ui/now.ts';
import { SourceNames } from '#ui/source-names.ts';

export type AlertReceiptProps = { alert: Alert };

const STEPS: readonly (readonly [key: Exclude<keyof Receipt, 'deliveries'>, name: string])[] = [
  ['sourceAt', 'Source time'],
  ['receivedAt', 'Received'],
  ['evaluatedAt', 'Evaluated'],
  ['queuedAt', 'Written'],
];
const CHANNELS = { email: 'Email', push: 'Push', telegram: 'Telegram', webhook: 'Webhook' } as const;
const SECOND_MS = 1000;

/** '21 Nov 2026, 14:03:12.045 UTC': milliseconds matter here. */
const exact = (iso: string): string => {
  const ms = Date.parse(iso);
  const rest = String(ms % SECOND_MS).padStart(3, '0');
  return dateTime(ms).replace(' UTC', `.${rest} UTC`);
};

/** '+45 ms', '+1.2 s', '+3m': how long the step took. */
function took(ms: number): string {
  if (ms < SECOND_MS) return `+${Math.max(0, ms)} ms`;
  if (ms < 60 * SECOND_MS) return `+${(ms / SECOND_MS).toFixed(1)} s`;
  return `+${age(ms).replace(' ago', '')}`;
}

/** Provenance of an alert: its source and the timeline to the user. */
export function AlertReceipt({ alert: { message, metric, receipt, meta } }: AlertReceiptProps) {
  const nameOf = use(SourceNames);
  const now = useNow();
  return (
    <div className="p-4">
      <p className="text-sm font-semibold">{message}</p>
      <dl className="num mt-2.5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 border-t border-line pt-2.5 text-xs">
        <Line name="Source">{nameOf(meta.source)}</Line>
        <Line name="Method">{METHOD_WORDS[meta.method]}</Line>
        <Line name="Raised">{age(now - Date.parse(receipt.evaluatedAt))}</Line>
      </dl>
      <dl className="num mt-2.5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 border-t border-line pt-2.5 text-xs">
        {STEPS.map(([key, name], i) => {
          const before = STEPS[i - 1]?.[0];
          return (
            <Line key={key} name={name}>
              {exact(receipt[key])}
              {before && (
                <span className="block text-2xs font-normal text-ink-3">
                  {took(Date.parse(receipt[key]) - Date.parse(receipt[before]))}
                </span>
              )}
            </Line>
          );
        })}
      </dl>
      <Deliveries receipt={receipt} />
      <Meaning metric={metric} />
    </div>
  );
}

/** When each channel accepted it for the user, and how long after it was written. */
function Deliveries({ receipt: { deliveries, queuedAt } }: { receipt: Receipt }) {
  if (!deliveries?.length) return null;
  return (
    <ul aria-label="Sent to you" className="num mt-2.5 grid gap-y-1.5 border-t border-line pt-2.5 text-xs">
      {deliveries.map(({ channel, sentAt }) => {
        const at = Date.parse(sentAt);
        return (
          <li key={channel}>
            {CHANNELS[channel]} accepted {isSameDay(queuedAt, sentAt) ? secondsTime(at) : dateTime(at)} (
            {took(at - Date.parse(queuedAt))})
          </li>
        );
      })}
    </ul>
  );
}

/** '14:03:22 UTC' */
const secondsTime = (ms: number): string => dateTime(ms).split(', ')[1] ?? '';
const isSameDay = (a: string, b: string): boolean => a.slice(0, 10) === b.slice(0, 10);

function Meaning({ metric }: { metric: string }) {
  const term = GLOSSARY[metric];
  if (!term) return null;
  return <p className="mt-2.5 border-t border-line pt-2.5 text-xs text-ink-2">{term.meaning}</p>;
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="text-right font-medium [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
