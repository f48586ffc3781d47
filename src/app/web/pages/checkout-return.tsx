import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { subscriptionQuery } from '#features/accounts/web/subscriptions/queries.ts';
import { Button } from '#ui/button.tsx';
import { dayOf } from '#ui/day.ts';
import { Link } from '#ui/link.tsx';
import { useSearchParams, writeTexts } from '#ui/search-params.ts';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';

import { clearCheckout, hasPlanStarted, readCheckout } from './checkout-memory.ts';

const POLL_MS = 2_000;
const SLOW_POLL_MS = 10_000;
const LONG_MS = 45_000;
const SUCCESS_MS = 15_000;

/** The result of a checkout the browser has returned from. */
export function CheckoutReturn() {
  const [params, change] = useSearchParams();
  const checkout = params.get('checkout');
  const dismiss = () => change((now) => writeTexts(now, { checkout: null }));
  if (checkout === 'success') return <Awaited onClose={dismiss} />;
  if (checkout !== 'cancelled') return null;
  return (
    <Panel title="The checkout was canceled" onClose={dismiss}>
      Nothing was charged. You can choose a plan again below.
    </Panel>
  );
}

/** The redirect proves nothing: the plan is active when the server confirms it. */
function Awaited({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const token = useToken();
  const [before] = useState(readCheckout);
  const [isLong, setLong] = useState(false);
  const query = subscriptionQuery(token);
  const { data, isError, refetch, isFetching } = useQuery({
    ...query,
    refetchInterval: ({ state }) => {
      if (state.data && hasPlanStarted(state.data, before)) return false;
      return isLong ? SLOW_POLL_MS : POLL_MS;
    },
  });
  const arrived = data && hasPlanStarted(data, before) ? data : null;
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  const name = arrived ? PLAN_NAMES[arrived.plan] : null;
  useEffect(() => {
    if (!name) return;
    clearCheckout();
    toast('success', `Welcome to ${name}! Your plan is active.`, SUCCESS_MS);
    void queries.invalidateQueries({ queryKey: ['billing'] });
  }, [name, queries]);

  if (arrived)
    return (
      <Panel title={`You are on ${name}`} onClose={onClose}>
        {arrived.currentPeriodEnd && <>Paid until {dayOf(arrived.currentPeriodEnd)}. </>}
        Your receipt is in <ProfileLink>Billing Information</ProfileLink>.
      </Panel>
    );
  if (token === null)
    return (
      <Panel title="Please sign in to see your plan" onClose={onClose}>
        If the payment went through, the plan starts on the account that paid.
      </Panel>
    );
  if (!isLong)
    return (
      <Panel title="Confirming your payment">
        Your plan starts as soon as Stripe confirms the payment, usually within seconds.
      </Panel>
    );
  return (
    <Panel title="Confirmation is taking longer than usual" onClose={onClose}>
      <span className="block">
        {isError
          ? 'We can’t load your plan right now. This page keeps trying.'
          : 'Stripe has not confirmed the payment to us yet. No need to pay again: your plan starts as soon as it does, and this page keeps checking. If you left the checkout without paying, nothing was charged.'}
      </span>
      <span className="mt-2 flex flex-wrap items-center gap-3">
        <Button aria-disabled={isFetching} onClick={() => void refetch()}>
          Check Now
        </Button>
        <Link to="/app/contact" className="font-medium text-accent">
          Contact
        </Link>
      </span>
    </Panel>
  );
}

const ProfileLink = ({ children }: { children: string }) => (
  <Link to="/app/profile?tab=subscription" className="font-medium text-accent">
    {children}
  </Link>
);

type PanelProps = { title: string; onClose?: () => void; children: React.ReactNode };

function Panel({ title, onClose, children }: PanelProps) {
  return (
    <section aria-labelledby="checkout" className="card mb-3 flex items-start justify-between gap-4 px-4 py-3">
      <div role="status">
        <h2 id="checkout" className="text-base font-semibold">
          {title}
        </h2>
        <p className="num text-sm text-ink-2">{children}</p>
      </div>
      {onClose && <Button onClick={onClose}>Close</Button>}
    </section>
  );
}
