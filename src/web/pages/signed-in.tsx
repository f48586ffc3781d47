import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Navigate } from 'react-router';

import type { Subscription } from '#features/subscriptions/contract.ts';
import { subscriptionQuery } from '#features/subscriptions/web/queries.ts';
import { useToken } from '#web/session.ts';
import { CardFrame } from '#web/ui/card-frame.tsx';
import { ErrorState } from '#web/ui/states.tsx';

type Props = {
  /** Named by the page that asks to sign in. */
  feature: string;
  failed: string;
  children: (
    subscription: Subscription,
    /** True while the session is about to end: the page stays, though nobody is signed in any more. */
    onLeaving: (leaving: boolean) => void,
  ) => ReactNode;
};

const isValid = ({ id, email }: Subscription) => Boolean(id && email);

/** Who is not signed in, or whose profile is not valid, is sent to sign in. */
export function SignedIn({ feature, failed, children }: Props) {
  const token = useToken();
  const { data, isError, error, refetch } = useQuery(subscriptionQuery(token));
  const [leaving, setLeaving] = useState<Subscription | null>(null);
  const subscription = leaving ?? (token === null ? undefined : data);
  if (subscription && isValid(subscription))
    return children(subscription, (is) => setLeaving(is ? subscription : null));
  if (token === null || subscription)
    return <Navigate to={`/app/auth-required?feature=${encodeURIComponent(feature)}&type=auth`} replace />;
  return (
    <CardFrame id="signed-in" title={feature} className="min-h-96">
      {isError && <ErrorState message={failed} detail={error.message} onRetry={() => void refetch()} />}
    </CardFrame>
  );
}
