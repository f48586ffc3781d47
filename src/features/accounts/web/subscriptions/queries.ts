import { queryOptions } from '@tanstack/react-query';
import { getSubscription } from '#features/accounts/contract/subscriptions.ts';
import { CallError, call } from '#ui/api/client.ts';
import { clearSession } from '#ui/session.ts';

/** The account of the token. A token unknown to the server clears the user's data in this browser. */
export const subscriptionQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['subscription', token],
    enabled: token !== null,
    queryFn: ({ signal }) =>
      call(getSubscription, {}, signal).catch((error: unknown) => {
        if (error instanceof CallError && error.status === 401) clearSession();
        throw error;
      }),
  });
