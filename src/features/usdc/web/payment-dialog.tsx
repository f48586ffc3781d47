import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { Modal } from '#web/ui/modal.tsx';

import { NETWORK_NAMES, type Payment } from '../contract.ts';
import { PaymentDone } from './payment-done.tsx';
import { PaymentOpen } from './payment-open.tsx';
import { hasBought, PLAN_WORDS } from './payment-words.ts';
import { paymentQuery } from './queries.ts';

export type PaymentDialogProps = {
  /** As the server answered it; the dialog keeps it up to date by itself. */
  payment: Payment;
  onClose: () => void;
  /** Runs before `onClose` when the person leaves a payment that has bought its plan; the subscription is being read anew then. */
  onComplete?: () => void;
};

/** How to send one payment in USDC, and what has become of it. */
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
