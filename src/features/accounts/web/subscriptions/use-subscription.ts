import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { useToken } from '#ui/session.ts';
import { subscriptionQuery } from './queries.ts';

export type Account =
  /** No session. */
  | { state: 'anonymous' }
  /** A token is there, the account behind it is being read or could not be. */
  | { state: 'unknown'; failed: boolean }
  | { state: 'known'; subscription: Subscription };

/** Who looks at the page. */
export function useAccount(): Account {
  const token = useToken();
  const { data, isError } = useQuery(subscriptionQuery(token));
  if (token === null) return { state: 'anonymous' };
  return data ? { state: 'known', subscription: data } : { state: 'unknown', failed: isError };
}
