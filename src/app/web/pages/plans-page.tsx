import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { PLAN_NAMES, type Subscription } from '#features/accounts/contract/subscriptions.ts';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { endNote } from '#features/accounts/web/subscriptions/plan-labels.ts';
import { PlanOffer } from '#features/accounts/web/subscriptions/plan-offer.tsx';
import { useHydratedAccount } from '#features/accounts/web/subscriptions/use-hydrated-account.ts';
import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { Billing, PaidPlan } from '#features/payments/contract/billing.ts';
import { Faq } from '#features/payments/web/billing/faq.tsx';
import { METHODS, methodsBeside, PaymentMethods } from '#features/payments/web/billing/payment-methods.tsx';
import { PriceTag } from '#features/payments/web/billing/price-tag.tsx';
import { monthsText, usd } from '#features/payments/web/billing/price-text.ts';
import { listOffers, type Offered, usePricing } from '#features/payments/web/billing/pricing.ts';
import { billingQuery } from '#features/payments/web/billing/queries.ts';
import { NOTICE, TrialOffer } from '#features/payments/web/billing/trial-offer.tsx';
import type { Plan } from '#shared/contract.ts';
import { useAddressText } from '#ui/address-filter.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { Link } from '#ui/link.tsx';
import { Page } from '#ui/page.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';

import { CheckoutReturn } from './checkout-return.tsx';
import { PlanAction, Purchase, SIGN_IN, subscribingFailed, UNREAD } from './purchase.tsx';

const VISITOR: Account = { state: 'anonymous' };
const FOR_SALE = ['free', 'pro', 'premium'] as const;

/** The plans, their prices and payment methods. */
export function PlansPage() {
  const account = useHydratedAccount();
  const token = useToken();
  const offered = usePricing();
  const { pricing, isReading } = offered;
  const { data: billing, isError } = useQuery(billingQuery(token));
  const [asked, ask] = useAddressText('months');
  const months = pricing.terms.find((term) => String(term.months) === asked)?.months ?? 1;
  const [buying, buy] = useState<PaidPlan | null>(null);
  const signIn = useRef<HTMLAnchorElement>(null);
  const currentPlan = accountPlan(account);
  const askToSignIn = () => {
    toast('error', SIGN_IN);
    signIn.current?.focus();
  };
  const plans: readonly Plan[] = currentPlan === 'admin' ? [...FOR_SALE, 'admin'] : FOR_SALE;
  // The server renders the page for visitors; their parts are hidden briefly from users who are signed in.
  const anonymous = token === null;
  const hasTrial = pricing.trialDays > 0 && !pricing.comingSoon;
  const canTry = anonymous || (currentPlan === 'free' && billing?.canTry === true);
  const pending = !anonymous && (currentPlan === null || (currentPlan === 'free' && !billing && !isError));
  return (
    <Page title="Subscription Plans">
      <div className="mt-1 mb-4 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2 signed-in:invisible">
        <Standing account={anonymous ? VISITOR : account} signIn={signIn} />
      </div>
      <CheckoutReturn />
      {account.state === 'known' && !pending && !(hasTrial && canTry) && (
        <OwnSubscription
          text={
            currentPlan === 'admin' ? 'Admins have every feature.' : billing && renewal(account.subscription, billing)
          }
        />
      )}
      {hasTrial && (canTry || pending) && (
        <TrialOffer
          days={pricing.trialDays}
          pending={pending}
          failedWords={subscribingFailed}
          onSignedOut={anonymous ? askToSignIn : undefined}
        />
      )}
      <Terms offered={offered} months={months} onChange={(chosen) => ask(chosen === 1 ? null : String(chosen))} />
      <div className={cx('grid gap-3 md:grid-cols-3', currentPlan === 'admin' && 'md:grid-cols-2 xl:grid-cols-4')}>
        {plans.map((plan) => (
          <PlanOffer
            key={plan}
            plan={plan}
            current={plan === currentPlan}
            limits={pricing.limits}
            price={plan !== 'admin' && <PriceTag plan={plan} pricing={pricing} months={months} isReading={isReading} />}
            action={
              <PlanAction
                plan={plan}
                account={account}
                billing={billing}
                comingSoon={pricing.comingSoon}
                isReading={isReading}
                onBuy={buy}
                onSignedOut={askToSignIn}
              />
            }
          />
        ))}
      </div>
      <p className="label mt-4 mb-3">
        Prices in US dollars. Taxes added where applicable.
        {pricing.comingSoon && ' Pro and Premium+ are not available yet.'}
      </p>
      <div className="grid gap-3">
        <PaymentMethods methods={pricing.methods} />
        <Faq pricing={pricing} />
      </div>
      {buying && account.state === 'known' && (
        <Purchase
          title={currentPlan === buying ? `Extend ${PLAN_NAMES[buying]}` : `Subscribe to ${PLAN_NAMES[buying]}`}
          planId={buying}
          offers={listOffers(pricing, buying)}
          months={months}
          methods={methodsBeside(billing?.card ?? null, pricing.methods, buying)}
          subscription={account.subscription}
          onClose={() => buy(null)}
        >
          <Effects buying={buying} mine={currentPlan} credit={Number(billing?.credit ?? 0)} />
        </Purchase>
      )}
    </Page>
  );
}

/** In the place of the trial offer, so that the plans do not move once the account is known. */
function OwnSubscription({ text }: { text: string | null | undefined }) {
  return (
    <section aria-labelledby="own" className={NOTICE}>
      <div>
        <h2 id="own" className="text-base font-semibold">
          Your subscription
        </h2>
        <p className="num text-sm font-medium">{text ?? 'Payments, receipts and balance.'}</p>
      </div>
      <ButtonLink kind="outline" to="/app/profile?tab=subscription" className="h-10 justify-center px-3 max-sm:w-full">
        View Billing
      </ButtonLink>
    </section>
  );
}

/** The billing period, and a notice when the prices could not be loaded. */
function Terms({
  offered: { pricing, failed, retry },
  months,
  onChange,
}: {
  offered: Offered;
  months: number;
  onChange: (months: number) => void;
}) {
  const options = pricing.terms.map((term) => monthsText(term.months));
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-2">
      {failed && (
        <p role="alert" className="flex flex-wrap items-center gap-3">
          Couldn’t load current prices. Showing standard prices.
          <Button onClick={retry}>Retry</Button>
        </p>
      )}
      {options.length > 1 && (
        <Segmented
          label="Billing period"
          options={options}
          value={monthsText(months)}
          onChange={(chosen) => onChange(pricing.terms[options.indexOf(chosen)]?.months ?? 1)}
        />
      )}
    </div>
  );
}

/** The effect of the purchase on the current plan and on the balance. */
function Effects({ buying, mine, credit }: { buying: PaidPlan; mine: Plan | null; credit: number }) {
  const waits = mine === 'premium' && buying === 'pro';
  const lines = [
    mine === 'pro' && buying === 'premium' && 'Premium+ starts immediately. The unused part of Pro is credited to you.',
    waits && 'Pro starts when Premium+ ends. Your card is charged then, unless that is within two days.',
    mine === buying && 'The months are added to the end of your current plan.',
    credit > 0 && `Your balance of ${usd(credit)} applies first${waits ? ' to a USDC payment' : ''}.`,
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <div className="num rounded-ctl bg-raised px-3 py-2 text-sm text-ink-2">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

type StandingProps = { account: Account; signIn: React.Ref<HTMLAnchorElement> };

/**
 * When a paid plan renews or ends, and how it is paid; null where nothing is to be paid or the end has a separate note.
 */
function renewal({ plan, status, currentPeriodEnd }: Subscription, { card, entries }: Billing): string | null {
  if (plan === 'free' || plan === 'admin' || status !== 'active') return null;
  if (card?.pastDue) return 'The last charge was declined. Update your card under Manage Subscription in your profile.';
  if (card && !card.cancelled)
    return `Renews ${card.renewsAt ? `on ${dayOf(card.renewsAt)}` : 'automatically'} by card.`;
  const paid = METHODS.find(({ id }) => id === entries.find(({ state }) => state === 'paid')?.method);
  const end = currentPeriodEnd ? `Ends on ${dayOf(currentPeriodEnd)}.` : 'No end date.';
  return paid ? `${end} Paid with ${paid.id === 'card' ? 'a card' : paid.name}. Does not renew automatically.` : end;
}

/** The current plan, or the sign-in links. */
function Standing({ account, signIn }: StandingProps) {
  const queries = useQueryClient();
  if (account.state === 'known') {
    const { subscription } = account;
    const note = endNote(subscription);
    return (
      <>
        <p>You are on the {PLAN_NAMES[accountPlan(account) ?? 'free']} plan.</p>
        {note && <p className="text-warn">{note}</p>}
      </>
    );
  }
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
  if (!account.failed) return <output className="sr-only">Loading your plan</output>;
  return (
    <>
      <p role="alert">{UNREAD}</p>
      <Button onClick={() => void queries.invalidateQueries({ queryKey: ['subscription'] })}>Retry</Button>
    </>
  );
}
