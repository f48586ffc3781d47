import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import {
  type ExportItem,
  exportStatistics,
  type exportsTopic,
  getExport,
  getManifest,
  getWhiteLabel,
  listExports,
  listScheduled,
} from '#features/exports/contract/exports.ts';
import type { TopicData } from '#shared/contract.ts';
import { call } from '#ui/api/client.ts';
import { useToken } from '#ui/session.ts';

const EVERY_MS = 5_000;

export const isMaking = ({ state }: Pick<ExportItem, 'state'>): boolean => state === 'waiting' || state === 'running';

/** Polled while an export is in progress, in case the stream is down. */
export const historyQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['exports', 'history', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listExports, {}, signal),
    refetchInterval: ({ state }) => (state.data?.some(isMaking) ? EVERY_MS : false),
  });

export const statisticsQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['exports', 'statistics', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(exportStatistics, {}, signal),
  });

export const exportQuery = (token: string | null, id: string) =>
  queryOptions({
    queryKey: ['exports', 'one', token, id],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getExport, { params: { id } }, signal),
    refetchInterval: ({ state }) => (state.data && isMaking(state.data) ? EVERY_MS : false),
  });

export const manifestQuery = (id: string) =>
  queryOptions({
    queryKey: ['export-manifest', id],
    queryFn: ({ signal }) => call(getManifest, { params: { id } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const scheduledQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['exports', 'scheduled', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listScheduled, {}, signal),
  });

export const whiteLabelQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['white-label', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getWhiteLabel, {}, signal),
    refetchOnWindowFocus: false,
  });

export const refreshExports = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['exports'] });

type News = TopicData<typeof exportsTopic>;

/** Applies stream events to the cached lists; refetches them when an export has ended or is not listed yet. */
export function useNews(): void {
  const queries = useQueryClient();
  const token = useToken();
  useEffect(() => {
    const { queryKey } = historyQuery(token);
    return queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return;
      if (event.query.queryKey[0] !== 'export-news') return;
      const { id, state, progress } = event.action.data as News;
      const isListed = queries.getQueryData(queryKey)?.some((item) => item.id === id) ?? false;
      if (!isListed || !isMaking({ state })) {
        void refreshExports(queries);
        return;
      }
      queries.setQueryData(queryKey, (old) =>
        old?.map((item) => (item.id === id ? { ...item, state, progress } : item)),
      );
      queries.setQueryData(exportQuery(token, id).queryKey, (old) => old && { ...old, state, progress });
    });
  }, [queries, token]);
}
