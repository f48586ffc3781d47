import { type ReactNode, useState } from 'react';

import type { PaidPlan, Pricing } from '#features/billing/contract.ts';
import { PayDialog } from '#features/billing/web/pay-dialog.tsx';
import type { Offer } from '#features/billing/web/pricing.ts';
import type { Subscription } from '#features/subscriptions/contract.ts';
import type { Payment } from '#features/usdc/contract.ts';
import { PaymentPart } from '#features/usdc/web/payment-part.tsx';

import { rememberCheckout } from './checkout-memory.ts';
import { startPayment } from './start-payment.ts';

type Props = {
  title: string;
  planId: PaidPlan;
  /** For a plan that has ended or is about to. */
  renewal?: boolean;
  offers: readonly Offer[];
  months: number;
  methods: Pricing['methods'];
  subscription: Subscription;
  children?: ReactNode;
  onClose: () => void;
};

/** From the choice of months and method to the checkout of a card or a payment in USDC. */
export function Purchase({ planId, renewal = false, subscription, onClose, ...dialog }: Props) {
  const [payment, setPayment] = useState<Payment | null>(null);
  if (payment) return <PaymentPart payment={payment} onClose={onClose} />;
  return (
    <PayDialog
      {...dialog}
      onClose={onClose}
      pay={async ({ method, months }, signal) => {
        const leaving = () => rememberCheckout(planId, months, subscription);
        setPayment(await startPayment({ planId, method, months, renewal }, signal, leaving));
      }}
    />
  );
}
