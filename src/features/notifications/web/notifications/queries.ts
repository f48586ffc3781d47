import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  type ChannelName,
  type Delivery,
  getDelivery,
  getDeliveryLatency,
  getPreferences,
  listDeliveries,
  listFailedDeliveries,
} from '#features/notifications/contract/notifications.ts';
import { call } from '#ui/api/client.ts';

const PAGE = 20;
const WAITING_MS = 60_000;
/** Recent deliveries are probably being sent right now. */
const YOUNG_MS = 30_000;
const SOON_MS = 3_000;

/** Refetched with each visit: the profile, an email link and another browser write the same row. */
export const preferencesQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['preferences', token],
    enabled: token !== null,
    staleTime: 0,
    queryFn: async ({ signal }) => (await call(getPreferences, {}, signal)).preferences,
  });

/** How long until the log should be refetched; false while nothing in it can change. */
export function nextLook(deliveries: readonly Delivery[], now: number): number | false {
  const waiting = deliveries.filter(({ state }) => state === 'waiting' || state === 'handed');
  if (waiting.length === 0) return false;
  const age = ({ queuedAt, dueAt }: Delivery) => now - Date.parse(dueAt ?? queuedAt);
  return waiting.some((each) => age(each) >= 0 && age(each) < YOUNG_MS) ? SOON_MS : WAITING_MS;
}

export const deliveriesQuery = (token: string | null) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', token],
    enabled: token !== null,
    staleTime: 0,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: String(PAGE), ...(pageParam === null ? {} : { before: String(pageParam) }) };
      return (await call(listDeliveries, { query }, signal)).deliveries;
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page: readonly Delivery[]) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    refetchInterval: ({ state }) => nextLook(state.data?.pages.flat() ?? [], Date.now()),
  });

export const latencyQuery = queryOptions({
  queryKey: ['latency'],
  queryFn: ({ signal }) => call(getDeliveryLatency, {}, signal),
});

/** Not refetched: a retried row stays, with its outcome. */
export const failedDeliveriesQuery = (token: string | null, channel: ChannelName | null) =>
  queryOptions({
    queryKey: ['failed-deliveries', token, channel],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => call(listFailedDeliveries, { query: channel ? { channel } : {} }, signal),
  });

/** Follows a retried delivery until it is settled; `n` numbers the retries from this page. */
export const retriedQuery = (token: string | null, id: number, n: number) =>
  queryOptions({
    queryKey: ['retried-delivery', token, id, n],
    enabled: n > 0,
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => call(getDelivery, { params: { id: String(id) } }, signal),
    refetchInterval: ({ state }) => (state.data ? nextLook([state.data], Date.now()) : false),
  });
