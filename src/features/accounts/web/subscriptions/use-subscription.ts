import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { useToken } from '#ui/session.ts';
import { subscriptionQuery } from './queries.ts';

export type Account =
  /** No session. */
  | { state: 'anonymous' }
  /** There is a token, but its account is still loading or failed to load. */
  | { state: 'unknown'; failed: boolean }
  | { state: 'known'; subscription: Subscription };

/** The current user. */
export function useAccount(): Account {
  const token = useToken();
  const { data, isError } = useQuery(subscriptionQuery(token));
  if (token === null) return { state: 'anonymous' };
  return data ? { state: 'known', subscription: data } : { state: 'unknown', failed: isError };
}
