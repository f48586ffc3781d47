import { queryOptions } from '@tanstack/react-query';
import { type ChartRange, getCandles, getCoin, listSparklines } from '#features/market/contract/market.ts';
import { call } from '#ui/api/client.ts';

const WHILE_COLLECTING_MS = 5_000;

export const sparklinesQuery = queryOptions({
  queryKey: ['sparklines'],
  queryFn: ({ signal }) => call(listSparklines, {}, signal),
  refetchInterval: 600_000,
});

export const coinQuery = (id: string) =>
  queryOptions({
    queryKey: ['coin', id],
    queryFn: ({ signal }) => call(getCoin, { params: { id } }, signal),
    refetchInterval: 30_000,
  });

export const candlesQuery = (id: string, range: ChartRange) =>
  queryOptions({
    queryKey: ['candles', id, range],
    queryFn: ({ signal }) => call(getCandles, { params: { id }, query: { range } }, signal),
    refetchInterval: ({ state }) => (state.data?.history === 'loading' ? WHILE_COLLECTING_MS : 60_000),
  });
