import { useState } from 'react';

import type { BillingEntry } from '#features/billing/contract.ts';
import { BillingCard } from '#features/billing/web/billing-card.tsx';
import { PlanActions } from '#features/billing/web/plan-actions.tsx';
import { useDayLimits } from '#features/billing/web/pricing.ts';
import type { Subscription } from '#features/subscriptions/contract.ts';
import { LimitsCard, PlanCard } from '#features/subscriptions/web/plan-cards.tsx';
import { getPayment, type Payment } from '#features/usdc/contract.ts';
import { ClaimCard } from '#features/usdc/web/claim-card.tsx';
import { PaymentPart } from '#features/usdc/web/payment-part.tsx';
import { call } from '#web/api/client.ts';
import { FormError } from '#web/ui/form.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';

export type SubscriptionProps = { subscription: Subscription };

/** The plan with all that belongs to its payment; an administrator pays nothing. */
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
  const opening = useSubmit('Failed to open the payment. Please try again.', async (signal, entry: BillingEntry) =>
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
