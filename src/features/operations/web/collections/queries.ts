import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { listAlerts } from '#features/alerts/contract/alerts.ts';
import {
  type CollectionName,
  getOverview,
  listAnalyses,
  listCollections,
} from '#features/operations/contract/collections.ts';
import { getHealth } from '#features/operations/contract/health.ts';
import { call } from '#ui/api/client.ts';

/** How often the overview is read while it is looked at. */
const REFRESH_MS = 60_000;
const ALERTS = 50;

/** What was found last stays until the next search is answered. */
export const collectionsQuery = (token: string | null, collection: CollectionName | null, q: string) =>
  queryOptions({
    queryKey: ['admin-collections', token, collection, q],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(listCollections, { query: { ...(collection ? { collection } : {}), ...(q ? { q } : {}) } }, signal),
  });

/** A page stands as it was read: a new analysis would move what is on it. */
export const analysesQuery = (token: string | null, q: string, before: string | null) =>
  queryOptions({
    queryKey: ['admin-analyses', token, q, before],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      call(listAnalyses, { query: { ...(q ? { q } : {}), ...(before === null ? {} : { before }) } }, signal),
  });

export const overviewQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['admin-overview', token],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => call(getOverview, {}, signal),
  });

/** `at`: when it was read, as the answer does not say. */
export const healthQuery = () =>
  queryOptions({
    queryKey: ['admin-health'],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => ({ health: await call(getHealth, {}, signal), at: Date.now() }),
  });

export const recentAlertsQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['alerts', token, ALERTS],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => (await call(listAlerts, { query: { limit: ALERTS } }, signal)).alerts,
  });
