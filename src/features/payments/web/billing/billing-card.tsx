import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { Billing, BillingEntry } from '#features/payments/contract/billing.ts';
import { saveFile } from '#ui/api/file.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { dayOf } from '#ui/day.ts';
import { FormError } from '#ui/form.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { billingQuery } from './queries.ts';

type Props = {
  /** Resumes a payment that awaits money. */
  onContinue: (entry: BillingEntry) => void;
};

const NAMED = { id: 'billing', title: 'Billing Information' };
const PLACE = { ...NAMED, className: 'min-h-56' };
const PLANS = { pro: 'Pro', premium: 'Premium+' } as const;
const METHODS: Record<BillingEntry['method'], string> = {
  card: 'Card',
  base: 'USDC on Base',
  solana: 'USDC on Solana',
  credit: 'Balance',
  none: '',
};
const STATES: Record<BillingEntry['state'], readonly [name: string, tone: Tone]> = {
  paid: ['Paid', 'up'],
  open: ['Waiting for payment', 'warn'],
  failed: ['Failed', 'down'],
  refunded: ['Refunded', 'plain'],
  given: ['Granted', 'accent'],
  expired: ['Expired', 'plain'],
};

const usd = (amount: string): string => (amount.startsWith('-') ? `−$${amount.slice(1)}` : `$${amount}`);
const canContinue = ({ state, method }: BillingEntry): boolean =>
  state === 'open' && (method === 'base' || method === 'solana');

/** Balance, upcoming charges and payment history with receipts. */
export function BillingCard({ onContinue }: Props) {
  const query = useQuery(billingQuery(useToken()));
  return (
    <QueryView query={query} card={PLACE} failed="Failed to load billing information">
      {(billing) => (
        <Card {...NAMED}>
          <dl className="px-4 text-sm">
            <Line name="Balance">
              <span className="num font-medium">{usd(billing.credit)}</span>
              <span className="block text-xs text-ink-3">
                {Number(billing.credit) > 0 ? 'Applied to your next purchase first.' : 'Any overpayment is kept here.'}
              </span>
            </Line>
            {billing.card && (
              <Line name="Card subscription">
                <CardWords card={billing.card} />
              </Line>
            )}
            {billing.upcoming.map(({ plan, startsAt, endsAt }) => (
              <Line key={startsAt} name="Up next">
                <span className="font-medium">
                  {PLANS[plan]}, {dayOf(startsAt)} to {dayOf(endsAt)}
                </span>
                <span className="block text-xs text-ink-3">Already paid; starts automatically.</span>
              </Line>
            ))}
          </dl>
          {billing.entries.length === 0 ? (
            <Empty title="No payments yet" note="Your payments and receipts appear here." />
          ) : (
            <ul aria-label="Payments" className="px-4 pb-2 text-sm">
              {billing.entries.map((entry) => (
                <Entry key={entry.id} entry={entry} onContinue={onContinue} />
              ))}
            </ul>
          )}
        </Card>
      )}
    </QueryView>
  );
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid min-h-11 content-center gap-x-4 gap-y-0.5 border-t border-line py-2 first:border-t-0 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function CardWords({ card: { plan, months, renewsAt, cancelled, pastDue } }: { card: NonNullable<Billing['card']> }) {
  const every = months === 1 ? 'every month' : `every ${months} months`;
  const day = renewsAt && dayOf(renewsAt);
  return (
    <>
      <span className="font-medium">
        {PLANS[plan]}, {every}
      </span>
      {(cancelled || !pastDue) && (
        <span className="block text-xs text-ink-3">
          {cancelled ? `Cancelled.${day ? ` Ends on ${day}.` : ''}` : day && `Renews automatically on ${day}.`}
        </span>
      )}
      {pastDue && (
        <span className="block text-sm font-medium text-down">
          The last charge was declined. Open Manage Subscription to update your card, or cancel.
        </span>
      )}
    </>
  );
}

function Entry({ entry, onContinue }: Props & { entry: BillingEntry }) {
  const { at, title, method, amount, state, receipt } = entry;
  const [name, tone] = STATES[state];
  const by = title.endsWith(METHODS[method]) ? '' : METHODS[method];
  const saving = useSubmit('Failed to load the receipt. Please try again.', (signal) =>
    receipt ? saveFile(receipt, `receipt-${at.slice(0, 10)}.pdf`, signal) : Promise.resolve(),
  );
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2">
      <div className="min-w-0 grow max-sm:w-full">
        <p className="font-medium">{title}</p>
        <p className="num text-xs text-ink-3">{[dayOf(at), by].filter(Boolean).join(' · ')}</p>
      </div>
      <span className="num font-medium">{usd(amount)}</span>
      <Badge tone={tone}>{name}</Badge>
      {canContinue(entry) && (
        <Button className="max-sm:h-10" onClick={() => onContinue(entry)} aria-label={`Continue: ${title}`}>
          Continue
        </Button>
      )}
      {receipt && (
        <Button
          className="max-sm:h-10"
          aria-disabled={saving.busy}
          onClick={() => void saving.submit()}
          aria-label={`Receipt as PDF: ${title}, ${dayOf(at)}`}
        >
          <Download className="size-3.5" aria-hidden="true" />
          PDF
        </Button>
      )}
      {saving.failure && (
        <div className="w-full">
          <FormError failure={saving.failure} />
        </div>
      )}
    </li>
  );
}
