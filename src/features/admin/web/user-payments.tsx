import { Download } from 'lucide-react';

import type { Billing, BillingEntry } from '#features/billing/contract.ts';
import { PLAN_NAMES } from '#features/subscriptions/contract.ts';
import { saveFile } from '#web/api/file.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { dayOf } from '#web/ui/day.ts';
import { FormError } from '#web/ui/form.tsx';
import { Empty } from '#web/ui/states.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';

import { PAYMENT, usd } from './user-words.ts';

function cardWords({ plan, months, renewsAt, cancelled, pastDue }: NonNullable<Billing['card']>): string {
  const every = months === 1 ? 'every month' : `every ${months} months`;
  const day = renewsAt && dayOf(renewsAt);
  const end = cancelled ? `cancelled${day ? `, ends ${day}` : ''}` : day ? `renews ${day}` : '';
  const parts = [`${PLAN_NAMES[plan]} by card, ${every}`, end, pastDue ? 'the last charge was refused' : ''];
  return parts.filter((part) => part !== '').join('; ');
}

/** Balance, card and everything that was paid or given, with receipts. */
export function UserPayments({ billing: { credit, card, entries } }: { billing: Billing }) {
  return (
    <Card id="user-payments" title="Payments" note={<span className="num label">{usd(credit)} on the balance</span>}>
      {card && <p className="border-b border-line px-4 py-2.5 text-sm">{cardWords(card)}</p>}
      {entries.length === 0 ? (
        <Empty title="No payments yet" />
      ) : (
        <ul>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Entry({ entry: { at, title, amount, state, receipt } }: { entry: BillingEntry }) {
  const saving = useSubmit('Failed to load the receipt. Please try again.', (signal) =>
    receipt ? saveFile(receipt, `receipt-${at.slice(0, 10)}.pdf`, signal) : Promise.resolve(),
  );
  const { words, tone } = PAYMENT[state];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2.5 text-sm first:border-t-0">
      <div className="min-w-0 grow max-sm:w-full">
        <p className="font-medium [overflow-wrap:anywhere]">{title}</p>
        <p className="num text-xs text-ink-3">{dayOf(at)}</p>
      </div>
      <span className="num font-medium">{usd(amount)}</span>
      <Badge tone={tone}>{words}</Badge>
      {receipt && (
        <Button
          aria-disabled={saving.busy}
          onClick={() => void saving.submit()}
          aria-label={`Receipt as PDF: ${title}, ${dayOf(at)}`}
          className="max-sm:h-10"
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
