import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { planOf } from '#features/accounts/web/subscriptions/access.ts';
import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { Billing, PaidPlan } from '#features/payments/contract/billing.ts';
import type { Plan } from '#shared/contract.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { PRIMARY } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';

const WIDE = 'h-10! w-full justify-center';
export const UNREAD = 'We couldn’t load your plan.';

type Props = {
  plan: Plan;
  account: Account;
  /** Undefined while it is not known. */
  billing: Billing | undefined;
  comingSoon: boolean;
  /** What is sold, and how, is not known yet. */
  isReading: boolean;
  onBuy: (plan: PaidPlan) => void;
  onSignedOut: () => void;
};

/** The one action of a plan, from the plan the person is on. */
export function PlanAction({ plan, account, onSignedOut, ...rest }: Props) {
  const mine = planOf(account);
  if (plan === 'admin' || mine === 'admin') return null;
  if (plan !== 'free') return <Paid plan={plan} mine={mine} account={account} onSignedOut={onSignedOut} {...rest} />;
  if (mine === 'free')
    return (
      <Button className={WIDE} onClick={() => toast('info', 'You are already on the free plan!')}>
        Current plan
      </Button>
    );
  if (mine) return <ToProfile>Cancel Subscription</ToProfile>;
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

type PaidProps = Omit<Props, 'plan'> & { plan: PaidPlan; mine: Exclude<Plan, 'admin'> | null };

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
  // A card that goes on paying for Premium+ is stopped before Pro can follow it.
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
      {wordsOf(plan, mine)}
    </button>
  );
}

function wordsOf(plan: PaidPlan, mine: Plan | null): string {
  if (plan === mine) return `Extend ${PLAN_NAMES[plan]}`;
  if (mine === 'premium') return `Switch to ${PLAN_NAMES[plan]}`;
  return mine ? `Upgrade to ${PLAN_NAMES[plan]}` : `Subscribe to ${PLAN_NAMES[plan]}`;
}
