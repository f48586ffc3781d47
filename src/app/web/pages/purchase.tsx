import { type ReactNode, useState } from 'react';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import type { PaidPlan, Pricing } from '#features/payments/contract/billing.ts';
import { subscribeByCard } from '#features/payments/contract/cards.ts';
import { type Payment, payByWallet, renewByWallet } from '#features/payments/contract/usdc.ts';
import { type Choice, PayDialog } from '#features/payments/web/billing/pay-dialog.tsx';
import type { Offer } from '#features/payments/web/billing/pricing.ts';
import { PaymentPart } from '#features/payments/web/usdc/payment-part.tsx';
import { CallError, call } from '#ui/api/client.ts';
import { toast } from '#ui/toast.ts';
import { Told } from '#ui/use-submit.ts';
import { rememberCheckout } from './checkout-memory.ts';

export const SIGN_IN = 'Please sign in to subscribe to a plan.';
const FAILED = 'Subscription failed. Please try again.';
const WALLET_FAILED = 'Wallet payment setup failed. Please try again.';
/** The browser is on its way to another page; it may come back to this one as it was left. */
const LEAVING_MS = 15_000;

/** Message for a subscription that failed. */
export function subscribingFailed(error: unknown): string {
  if (!(error instanceof CallError) || error.status === 0) return FAILED;
  if (error.status === 401) return SIGN_IN;
  return `Subscription failed: ${error.told ? error.message : 'Please try again.'}`;
}

/** A refusal has its reason; anything else went wrong on the way. */
const walletFailed = (error: unknown): string =>
  error instanceof CallError && (error.status === 401 || error.status === 409)
    ? subscribingFailed(error)
    : WALLET_FAILED;

async function leaveFor(url: string): Promise<void> {
  location.assign(url);
  await new Promise((resolve) => {
    setTimeout(resolve, LEAVING_MS);
    addEventListener('pageshow', resolve, { once: true });
  });
}

/** A card's checkout takes the browser away; in USDC there is a payment to show. */
async function startPayment(
  { planId, method, months, renewal }: { planId: PaidPlan; renewal: boolean } & Choice,
  signal: AbortSignal,
  beforeLeaving: () => void,
): Promise<Payment | null> {
  const words = method === 'card' ? subscribingFailed : walletFailed;
  try {
    if (method !== 'card')
      return await call(renewal ? renewByWallet : payByWallet, { body: { planId, network: method, months } }, signal);
    const { url } = await call(subscribeByCard, { body: { planId, months } }, signal);
    beforeLeaving();
    await leaveFor(url);
    return null;
  } catch (error) {
    if (signal.aborted) throw error;
    toast('error', words(error));
    throw new Told(words(error));
  }
}

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
