import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { PLAN_NAMES } from '#features/subscriptions/contract.ts';
import { planOf } from '#features/subscriptions/web/access.ts';
import { PlanOffer } from '#features/subscriptions/web/plan-offer.tsx';
import { type Account, useAccount } from '#features/subscriptions/web/use-subscription.ts';
import type { Plan } from '#shared/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { ButtonLink } from '#web/ui/button-link.tsx';
import { cx } from '#web/ui/cx.ts';
import { Link } from '#web/ui/link.tsx';
import { toast } from '#web/ui/toast.ts';
import { useTitle } from '#web/ui/use-title.ts';

const SIGN_IN = 'Please sign in to subscribe to a plan.';
const FOR_SALE = ['free', 'pro', 'premium'] as const;

/** The plans while none of the paid ones can be bought. */
export function PlansPage() {
  useTitle('Subscription Plans');
  const account = useAccount();
  const signIn = useRef<HTMLAnchorElement>(null);
  const mine = planOf(account);
  const askToSignIn = () => {
    toast('error', SIGN_IN);
    signIn.current?.focus();
  };
  const plans: readonly Plan[] = mine === 'admin' ? [...FOR_SALE, 'admin'] : FOR_SALE;
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <h1 className="text-xl font-semibold tracking-[-0.02em]">Subscription Plans</h1>
      <div className="mt-1 mb-4 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
        <Standing account={account} signIn={signIn} />
      </div>
      <div className={cx('grid gap-3 md:grid-cols-3', mine === 'admin' && 'md:grid-cols-2 xl:grid-cols-4')}>
        {plans.map((plan) => (
          <PlanOffer
            key={plan}
            plan={plan}
            current={plan === mine}
            action={<Action plan={plan} account={account} onSignedOut={askToSignIn} />}
          />
        ))}
      </div>
      <p className="label mt-4">Prices in US dollars. Pro and Premium+ cannot be bought yet.</p>
    </div>
  );
}

/** Which plan the person is on, or the way to sign in. */
function Standing({ account, signIn }: { account: Account; signIn: React.Ref<HTMLAnchorElement> }) {
  const queries = useQueryClient();
  if (account.state === 'known') return <p>You are on the {PLAN_NAMES[planOf(account) ?? 'free']} plan.</p>;
  if (account.state === 'anonymous')
    return (
      <>
        <p>{SIGN_IN}</p>
        <p className="flex gap-3">
          <Link ref={signIn} to="/app?auth=login" className="inline-flex h-9 items-center font-medium text-accent">
            Sign In
          </Link>
          <Link to="/app?auth=register" className="inline-flex h-9 items-center font-medium text-accent">
            Create Account
          </Link>
        </p>
      </>
    );
  if (!account.failed) return <output className="sr-only">Reading your plan</output>;
  return (
    <>
      <p role="alert">Your plan could not be read.</p>
      <Button onClick={() => void queries.invalidateQueries({ queryKey: ['subscription'] })}>Retry</Button>
    </>
  );
}

const WIDE = 'h-10! w-full justify-center';

function Action({ plan, account, onSignedOut }: { plan: Plan; account: Account; onSignedOut: () => void }) {
  const mine = planOf(account);
  if (plan === 'admin' || (plan === 'free' && (account.state === 'unknown' || mine === 'admin'))) return null;
  if (plan === 'free' && mine === 'free')
    return (
      <Button className={WIDE} onClick={() => toast('info', 'You are already on the free plan!')}>
        Current plan
      </Button>
    );
  if (plan === mine || (plan === 'free' && mine))
    return (
      <ButtonLink kind="outline" to="/app/profile?tab=subscription" className="h-10 w-full">
        {plan === 'free' ? 'Cancel Subscription' : 'Manage Subscription'}
      </ButtonLink>
    );
  if (plan === 'free')
    return (
      <Button className={WIDE} onClick={onSignedOut}>
        Get Started
      </Button>
    );
  return (
    <Button
      className={WIDE}
      onClick={() => toast('info', 'Pro and Premium plans are coming soon! Stay tuned for updates.')}
    >
      Coming Soon
    </Button>
  );
}
