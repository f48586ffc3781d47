import { queryOptions, useQuery } from '@tanstack/react-query';
import { use, useMemo } from 'react';
import { type CoinRange, getCoinRanges } from '#features/market/contract/coin-ranges.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import { call } from '#ui/api/client.ts';
import { type Coverage, type Expectations, ExpectedRanges } from './expected-ranges.ts';

const HOUR_MS = 3_600_000;

/** Times in milliseconds since 1970. `record` is undefined while unknown. */
export type ExpectedRange = Pick<CoinRange, 'price' | 'range_80' | 'range_95'> & {
  horizon: string;
  by: string;
  issuedAt: number;
  startsAt: number;
  endsAt: number;
  record: Coverage | null | undefined;
  replay: Coverage | null;
};

const coinRangesQuery = (id: string) =>
  queryOptions({
    queryKey: ['coin-ranges', id],
    queryFn: ({ signal }) => call(getCoinRanges, { params: { id } }, signal),
    refetchInterval: 600_000,
  });

function rangeTimes(horizon: string, issued: string, starts: string) {
  const hours = Number.parseInt(horizon, 10) * (horizon.endsWith('d') ? 24 : 1);
  const startsAt = Date.parse(starts);
  return { issuedAt: Date.parse(issued), startsAt, endsAt: startsAt + hours * HOUR_MS };
}

const fromReply = (range: CoinRange): ExpectedRange => ({
  ...range,
  ...rangeTimes(range.horizon, range.issued_at, range.starts_at),
  by: range.meta.source,
});

const assetRanges = ({ aiAnalysis, backtestResults }: Expectations, symbol: string): ExpectedRange[] =>
  (aiAnalysis?.ranges ?? [])
    .filter((range) => range.crypto_symbol === symbol)
    .map((range) => ({
      ...range,
      ...rangeTimes(range.horizon, range.issued_at, range.issued_at),
      by: aiAnalysis?.providers[range.provider]?.name ?? range.provider,
      record:
        backtestResults &&
        (backtestResults.cells.find(({ provider, horizon }) => provider === range.provider && horizon === range.horizon)
          ?.ranges ??
          null),
      replay: null,
    }));

/**
 * The ranges of one coin, nearest end first. Undefined while loading; null where the page shows no forecast, and on
 * failure.
 */
export function useExpectedRanges(coinId: string): ExpectedRange[] | null | undefined {
  const known = use(ExpectedRanges);
  const symbol = TRACKED.find(({ id }) => id === coinId)?.symbol;
  const { data, isPending } = useQuery({ ...coinRangesQuery(coinId), enabled: known !== undefined && !symbol });
  return useMemo(() => {
    if (!known) return null;
    if (symbol && known.isLoading) return undefined;
    const found = symbol ? assetRanges(known, symbol) : data?.ranges.map(fromReply);
    if (!found) return isPending ? undefined : null;
    return symbol && found.length === 0 ? null : found.toSorted((a, b) => a.endsAt - b.endsAt);
  }, [known, symbol, isPending, data]);
}
