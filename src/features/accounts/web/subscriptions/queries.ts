import { queryOptions } from '@tanstack/react-query';
import { getSubscription } from '#features/accounts/contract/subscriptions.ts';
import { CallError, call } from '#ui/api/client.ts';
import { forgetSession } from '#ui/session.ts';

/** The account behind the token. A token that the server does not know clears what the browser kept of the person. */
export const subscriptionQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['subscription', token],
    enabled: token !== null,
    queryFn: ({ signal }) =>
      call(getSubscription, {}, signal).catch((error: unknown) => {
        if (error instanceof CallError && error.status === 401) forgetSession();
        throw error;
      }),
  });
