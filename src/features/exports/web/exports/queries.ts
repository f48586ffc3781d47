import { type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  type ExportItem,
  exportStatistics,
  getExport,
  getManifest,
  getWhiteLabel,
  listExports,
  listScheduled,
} from '#features/exports/contract/exports.ts';
import { call } from '#ui/api/client.ts';

const EVERY_MS = 5_000;

export const isMaking = ({ state }: Pick<ExportItem, 'state'>): boolean => state === 'waiting' || state === 'running';

/** While something is made it is read again now and then: the stream may be out. */
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
