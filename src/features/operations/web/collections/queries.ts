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

/** Refresh interval of the overview while visible. */
const REFRESH_MS = 60_000;
const ALERTS = 50;

/** The previous result stays until the next search completes. */
export const collectionsQuery = (token: string | null, collection: CollectionName | null, q: string) =>
  queryOptions({
    queryKey: ['admin-collections', token, collection, q],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(listCollections, { query: { ...(collection ? { collection } : {}), ...(q ? { q } : {}) } }, signal),
  });

/** A page is not refetched: a new analysis would shift its entries. */
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

/** `at`: time of the request, as the response does not include it. */
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
