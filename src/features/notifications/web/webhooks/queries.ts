import { queryOptions } from '@tanstack/react-query';

import { getSubscription } from '#features/accounts/contract/subscriptions.ts';
import { listAttempts, listWebhooks } from '#features/notifications/contract/webhooks.ts';
import { call } from '#ui/api/client.ts';

/** Of the same key as everywhere: what the page has read already is not read again. */
export const accountQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['subscription', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getSubscription, {}, signal),
  });

export const webhooksQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['webhooks', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listWebhooks, {}, signal),
  });

export const attemptsQuery = (id: number) =>
  queryOptions({
    queryKey: ['webhook-attempts', id],
    queryFn: ({ signal }) => call(listAttempts, { params: { id: String(id) } }, signal),
    gcTime: 0,
  });
