import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';

import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { subscriptionQuery } from '#features/accounts/web/subscriptions/queries.ts';
import { CardFrame } from '#ui/card-frame.tsx';
import { useToken } from '#ui/session.ts';
import { ErrorState } from '#ui/states.tsx';
import { useHydrated } from '#ui/use-hydrated.tsx';

type Props = {
  /** Name of the feature that requires sign-in. */
  feature: string;
  failed: string;
  /** The token of a user signing out: the page stays mounted without a session. */
  leaving?: string | null;
  children: (subscription: Subscription) => ReactNode;
};

/** Redirects users who are not signed in, or whose profile is invalid, to sign in. */
export function SignedIn({ feature, failed, leaving = null, children }: Props) {
  const isHydrated = useHydrated();
  const present = useToken();
  const token = leaving ?? present;
  const query = subscriptionQuery(token);
  // The profile is not fetched again while signing out.
  const { data, isError, error, refetch } = useQuery({ ...query, enabled: token !== null && token === present });
  if (data && token !== null && data.id && data.email) return children(data);
  if (data || (token === null && isHydrated))
    return <Navigate to={`/app/auth-required?feature=${encodeURIComponent(feature)}&type=auth`} replace />;
  return (
    <CardFrame id="signed-in" title={feature} className="min-h-96">
      {isError ? <ErrorState message={failed} detail={error.message} onRetry={() => void refetch()} /> : undefined}
    </CardFrame>
  );
}
