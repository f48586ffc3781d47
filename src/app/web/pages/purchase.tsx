import { type ReactNode, useState } from 'react';

import { PLAN_NAMES, type Subscription } from '#features/accounts/contract/subscriptions.ts';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { Billing, PaidPlan, Pricing } from '#features/payments/contract/billing.ts';
import { subscribeByCard } from '#features/payments/contract/cards.ts';
import { type Payment, payByWallet, renewByWallet } from '#features/payments/contract/usdc.ts';
import { type Choice, PayDialog } from '#features/payments/web/billing/pay-dialog.tsx';
import type { Offer } from '#features/payments/web/billing/pricing.ts';
import { PaymentPart } from '#features/payments/web/usdc/payment-part.tsx';
import type { Plan } from '#shared/contract.ts';
import { CallError, call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { PRIMARY } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';
import { Told } from '#ui/use-submit.ts';

import { rememberCheckout } from './checkout-memory.ts';

export const SIGN_IN = 'Please sign in to subscribe to a plan.';
const FAILED = 'Subscription failed. Please try again.';
const WALLET_FAILED = 'Wallet payment setup failed. Please try again.';
/** The browser is navigating to another page; it may return to this one in its current state. */
const LEAVING_MS = 15_000;

/** Message for a subscription that failed. */
export function subscribingFailed(error: unknown): string {
  if (!(error instanceof CallError) || error.status === 0) return FAILED;
  if (error.status === 401) return SIGN_IN;
  return `Subscription failed: ${error.told ? error.message : 'Please try again.'}`;
}

/** A refusal includes its reason; any other error is a connection problem. */
const walletFailed = (error: unknown): string =>
  error instanceof CallError && (error.status === 401 || error.status === 409)
    ? subscribingFailed(error)
    : WALLET_FAILED;

async function redirectTo(url: string): Promise<void> {
  location.assign(url);
  await new Promise((resolve) => {
    setTimeout(resolve, LEAVING_MS);
    addEventListener('pageshow', resolve, { once: true });
  });
}

/** A card checkout leaves the page; a USDC payment is shown here. */
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
    await redirectTo(url);
    return null;
  } catch (error) {
    if (signal.aborted) throw error;
    toast('error', words(error));
    throw new Told(words(error));
  }
}

type PurchaseProps = {
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

/** From the selection of months and method to a card checkout or a USDC payment. */
export function Purchase({ planId, renewal = false, subscription, onClose, ...dialog }: PurchaseProps) {
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

const WIDE = 'h-10! w-full justify-center';
export const UNREAD = 'We couldn’t load your plan.';

type PlanActionProps = {
  plan: Plan;
  account: Account;
  /** Undefined until it is known. */
  billing: Billing | undefined;
  comingSoon: boolean;
  /** Plans and payment methods are not known yet. */
  isReading: boolean;
  onBuy: (plan: PaidPlan) => void;
  onSignedOut: () => void;
};

/** The one action of a plan, depending on the current plan of the user. */
export function PlanAction({ plan, account, onSignedOut, ...rest }: PlanActionProps) {
  const currentPlan = accountPlan(account);
  if (plan === 'admin' || currentPlan === 'admin') return null;
  if (plan !== 'free')
    return <Paid plan={plan} mine={currentPlan} account={account} onSignedOut={onSignedOut} {...rest} />;
  if (currentPlan === 'free')
    return (
      <Button className={WIDE} onClick={() => toast('info', 'You are already on the free plan!')}>
        Current plan
      </Button>
    );
  if (currentPlan) return <ToProfile>Cancel Subscription</ToProfile>;
  if (account.state === 'unknown') return null;
  return (
    <Button className={WIDE} onClick={onSignedOut}>
      Get Started
    </Button>
  );
}

const ToProfile = ({ children }: { children: string }) => (
  <ButtonLink kind="outline" to="/app/profile?tab=subscription" className="h-10 w-full">
    {children}
  </ButtonLink>
);

type PaidProps = Omit<PlanActionProps, 'plan'> & { plan: PaidPlan; mine: Exclude<Plan, 'admin'> | null };

function Paid({ plan, mine, account, billing, comingSoon, isReading, onBuy, onSignedOut }: PaidProps) {
  const renews = !billing || (billing.card !== null && !billing.card.cancelled);
  if (plan === mine && (comingSoon || renews)) return <ToProfile>Manage Subscription</ToProfile>;
  if (comingSoon)
    return (
      <Button
        className={WIDE}
        onClick={() => toast('info', 'Pro and Premium plans are coming soon! Stay tuned for updates.')}
      >
        Coming Soon
      </Button>
    );
  // A renewing card subscription to Premium+ must be cancelled before Pro can follow it.
  if (plan === 'pro' && mine === 'premium' && renews) return <ToProfile>Manage Subscription</ToProfile>;
  const act = () => {
    if (account.state === 'anonymous') onSignedOut();
    else if (account.state === 'known') {
      if (!isReading) onBuy(plan);
    } else if (account.failed) toast('error', UNREAD);
  };
  return (
    <button
      type="button"
      aria-disabled={account.state === 'unknown' || (isReading && account.state === 'known')}
      onClick={act}
      className={`${PRIMARY} h-10! w-full`}
    >
      {actionText(plan, mine)}
    </button>
  );
}

function actionText(plan: PaidPlan, mine: Plan | null): string {
  if (plan === mine) return `Extend ${PLAN_NAMES[plan]}`;
  if (mine === 'premium') return `Switch to ${PLAN_NAMES[plan]}`;
  return mine ? `Upgrade to ${PLAN_NAMES[plan]}` : `Subscribe to ${PLAN_NAMES[plan]}`;
}
