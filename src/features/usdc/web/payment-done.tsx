import { CircleCheck } from 'lucide-react';

import { dayOf } from '#web/ui/day.ts';
import { PRIMARY } from '#web/ui/form.tsx';

import type { Payment } from '../contract.ts';
import { Deposits } from './deposits.tsx';
import { flagWords, PLAN_WORDS } from './payment-words.ts';

type Props = { payment: Payment; grantedUntil: string; onDone: () => void };

/** The plan is there. */
export function PaymentDone({ payment, grantedUntil, onDone }: Props) {
  return (
    <div className="grid gap-3 text-sm">
      <output className="grid place-items-center gap-2 py-4 text-center">
        <CircleCheck className="size-8 text-up" aria-hidden="true" />
        <span className="text-xl font-semibold tracking-[-0.02em]">
          {PLAN_WORDS[payment.planId]} is yours until {dayOf(grantedUntil)}
        </span>
        <span className="text-ink-2">
          {payment.status === 'settled'
            ? 'The payment is settled: it is final.'
            : 'The payment is confirmed. In some minutes the network makes it final.'}
        </span>
      </output>
      {payment.flags
        .filter((flag) => flag !== 'partial')
        .map((flag) => (
          <p key={flag} className="rounded-ctl bg-warn/10 px-3 py-2 font-medium text-warn">
            {flagWords(flag, payment)}
          </p>
        ))}
      <Deposits deposits={payment.deposits} />
      <button type="button" onClick={onDone} className={PRIMARY}>
        Done
      </button>
    </div>
  );
}
