import { useState } from 'react';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { LimitsCard, PlanCard } from '#features/accounts/web/subscriptions/plan-cards.tsx';
import type { BillingEntry } from '#features/payments/contract/billing.ts';
import { getPayment, type Payment } from '#features/payments/contract/usdc.ts';
import { BillingCard } from '#features/payments/web/billing/billing-card.tsx';
import { PlanActions } from '#features/payments/web/billing/plan-actions.tsx';
import { useDayLimits } from '#features/payments/web/billing/pricing.ts';
import { ClaimCard } from '#features/payments/web/usdc/claim-card.tsx';
import { PaymentPart } from '#features/payments/web/usdc/payment-part.tsx';
import { call } from '#ui/api/client.ts';
import { FormError } from '#ui/form.tsx';
import { useSubmit } from '#ui/use-submit.ts';

export type SubscriptionProps = { subscription: Subscription };

/** The plan and its payment; an administrator pays nothing. */
export function ProfileSubscription({ subscription }: SubscriptionProps) {
  const limits = useDayLimits();
  const isAdmin = subscription.isAdmin || subscription.role === 'admin' || subscription.plan === 'admin';
  if (isAdmin)
    return (
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <PlanCard subscription={subscription} />
        <LimitsCard subscription={subscription} limits={limits} />
      </div>
    );
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <div className="grid gap-3">
        <PlanCard subscription={subscription}>
          <PlanActions subscription={subscription} />
        </PlanCard>
        <Payments />
      </div>
      <LimitsCard subscription={subscription} limits={limits} />
    </div>
  );
}

function Payments() {
  const [payment, setPayment] = useState<Payment>();
  const opening = useSubmit('Couldn’t open the payment. Please try again.', async (signal, entry: BillingEntry) =>
    setPayment(await call(getPayment, { params: { id: entry.id } }, signal)),
  );
  return (
    <>
      <BillingCard onContinue={(entry) => void opening.submit(entry)} />
      <FormError failure={opening.failure} />
      <ClaimCard />
      {payment && <PaymentPart payment={payment} onClose={() => setPayment(undefined)} />}
    </>
  );
}
