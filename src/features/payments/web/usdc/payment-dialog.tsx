import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { getPayment, NETWORK_NAMES, type Payment } from '#features/payments/contract/usdc.ts';
import { call } from '#ui/api/client.ts';
import { dayOf } from '#ui/day.ts';
import { PRIMARY } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { flagWords, hasBought, PLAN_WORDS } from './payment-labels.ts';
import { Deposits, PaymentOpen } from './payment-open.tsx';

/** The stream reports deposits immediately; polling covers its outages. */
const POLL_MS = 10_000;

const isOver = ({ status }: Payment): boolean => status === 'settled';

/** A payment's current state. A stream event about payments refetches every query whose key begins with 'billing'. */
const paymentQuery = (asked: Payment) =>
  queryOptions({
    queryKey: ['billing', 'payment', asked.paymentId],
    queryFn: ({ signal }) => call(getPayment, { params: { id: asked.paymentId } }, signal),
    initialData: asked,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isOver(data) ? false : POLL_MS),
  });

type Props = { payment: Payment; grantedUntil: string; onDone: () => void };

/** Shown once the plan is granted. */
function PaymentDone({ payment, grantedUntil, onDone }: Props) {
  return (
    <div className="grid gap-3 text-sm">
      <output className="grid place-items-center gap-2 py-4 text-center">
        <CircleCheck className="size-8 text-up" aria-hidden="true" />
        <span className="text-xl font-semibold tracking-[-0.02em]">
          {PLAN_WORDS[payment.planId]} is yours until {dayOf(grantedUntil)}
        </span>
        <span className="text-ink-2">
          {payment.status === 'settled'
            ? 'The payment is settled and final.'
            : 'The payment is confirmed. It becomes final in a few minutes.'}
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

export type PaymentDialogProps = {
  /** As returned by the server; the dialog keeps it up to date. */
  payment: Payment;
  onClose: () => void;
  /**
   * Runs before `onClose` when the user leaves a completed payment; the subscription is being refetched at that point.
   */
  onComplete?: () => void;
};

/** Instructions for one USDC payment, and its status. */
export function PaymentDialog({ payment: asked, onClose, onComplete }: PaymentDialogProps) {
  const queries = useQueryClient();
  const query = useQuery(paymentQuery(asked));
  const payment = query.data;
  const bought = hasBought(payment);
  useEffect(() => {
    if (bought) void queries.invalidateQueries({ queryKey: ['subscription'] });
  }, [bought, queries]);
  const leave = () => {
    void queries.invalidateQueries({ queryKey: ['subscription'] });
    void queries.invalidateQueries({ queryKey: ['billing'] });
    if (bought) onComplete?.();
    onClose();
  };
  const months = payment.months === 1 ? '1 month' : `${payment.months} months`;
  return (
    <Modal
      wide={!bought}
      title={`${PLAN_WORDS[payment.planId]}, ${months}: USDC on ${NETWORK_NAMES[payment.network]}`}
      onClose={leave}
    >
      {bought && payment.grantedUntil ? (
        <PaymentDone payment={payment} grantedUntil={payment.grantedUntil} onDone={leave} />
      ) : (
        <PaymentOpen
          payment={payment}
          readAtMs={query.dataUpdatedAt}
          away={query.isError}
          onAsk={() => void query.refetch()}
        />
      )}
    </Modal>
  );
}
