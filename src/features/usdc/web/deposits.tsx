import { dateTime } from '#shared/format.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';

import type { Payment } from '../contract.ts';

type Deposit = Payment['deposits'][number];

const STATES: Record<Deposit['state'], readonly [name: string, tone: Tone]> = {
  seen: ['Seen', 'accent'],
  confirmed: ['Confirmed', 'up'],
  final: ['Final', 'up'],
  orphaned: ['Taken back by the network', 'down'],
  foreign: ['Not USDC', 'warn'],
};

const short = (text: string): string => (text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text);

/** What has come in for a payment. */
export function Deposits({ deposits }: { deposits: Payment['deposits'] }) {
  if (deposits.length === 0) return null;
  return (
    <section aria-label="What has arrived">
      <h3 className="text-sm font-medium">What has arrived</h3>
      <ul className="text-sm">
        {deposits.map((deposit) => (
          <Line key={`${deposit.tx}-${deposit.amount}-${deposit.state}`} deposit={deposit} />
        ))}
      </ul>
    </section>
  );
}

function Line({ deposit: { tx, url, at, amount, state, isLate } }: { deposit: Deposit }) {
  const [name, tone] = STATES[state];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line py-2 first:border-t-0">
      <span className="num font-medium">{state === 'foreign' ? 'Another token' : `${amount} USDC`}</span>
      <span className="flex flex-wrap items-center gap-1.5">
        {isLate && <Badge tone="warn">Late</Badge>}
        <Badge tone={tone}>{name}</Badge>
      </span>
      <span className="num w-full text-xs text-ink-3">
        {dateTime(Date.parse(at))} ·{' '}
        {url ? (
          <a href={url} target="_blank" rel="noreferrer" className="font-medium text-accent">
            {short(tx)}
          </a>
        ) : (
          short(tx)
        )}
      </span>
    </li>
  );
}
