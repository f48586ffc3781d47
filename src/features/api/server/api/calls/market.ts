import {
  readBrief,
  readCandles,
  readCryptoPrice,
  readCryptoPrices,
  readMarketData,
  readSources,
} from '#features/api/contract/api.ts';
import { readChart, readCoin } from '#features/market/server/market/service.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { buildBrief, composeDashboard, readDashboardAt } from '#features/site/server/dashboard/service.ts';
import { AppError } from '#kernel/errors.ts';
import type { Plan } from '#shared/contract.ts';

import { type ApiCall, apiCall, openCall, pageOf } from '../call.ts';
import type { ApiDeps } from '../context.ts';

/** The market now, or at a past moment within the plan's history. */
export function readDashboardReply(
  deps: ApiDeps,
  asOf: string | undefined,
  plan: Plan | null,
): Promise<Dashboard> | Dashboard {
  if (asOf !== undefined) return readDashboardAt(deps, new Date(asOf), plan);
  return deps.latest() ?? composeDashboard(deps);
}

export const withAsOf = ({ asOf }: { asOf?: string | undefined }) => (asOf === undefined ? {} : { asOf });

export const marketCalls = (deps: ApiDeps): ApiCall[] => [
  openCall(readMarketData, {
    tag: 'Market',
    summary: 'Market overview',
    about:
      'Market totals, metrics (dominance, stablecoins, exchange flows, fear and greed, altcoin season, derivatives, on-chain), major Layer 1 chains, trending narratives and data source status. Amounts are in USD; changes and shares are in percent. `meta` gives the source and age of each figure, or the reason it is null.',
    async answer({ query, plan }) {
      const dashboard = await readDashboardReply(deps, query.asOf, plan);
      const { timestamp, dataMode, lastCollectionTime, nextCollectionTime, totals, sources, advancedMetrics } =
        dashboard;
      return {
        timestamp,
        dataMode,
        lastCollectionTime,
        nextCollectionTime,
        totals,
        sources,
        advancedMetrics,
        layer1Data: dashboard.layer1Data,
        trendingNarratives: dashboard.trendingNarratives,
        ...withAsOf(dashboard),
      };
    },
  }),
  openCall(readBrief, {
    tag: 'Market',
    summary: 'The market in five lines',
    about:
      'Market, coins, positioning, outlook and calendar, composed from stored figures only. Each clause has the source and age of its figure in `meta`, and `href`, the page that shows more, relative to this server. `missing` gives the reason a line is empty.',
    answer: async ({ plan }) => buildBrief(deps, await readDashboardReply(deps, undefined, plan)),
  }),
  openCall(readCryptoPrices, {
    tag: 'Market',
    summary: 'Prices of all coins',
    about:
      'BTC, ETH, SOL, SUI and XRP first, then all coins by market cap. Prices, volumes and market caps are in USD, changes in percent. `meta` is the source and age of the price; `listing` is that of volume, market cap and the other figures.',
    list: 'prices',
    async answer({ query, plan }) {
      const dashboard = await readDashboardReply(deps, query.asOf, plan);
      const { timestamp, dataMode, totals } = dashboard;
      const { rows, nextCursor } = pageOf('prices', dashboard.cryptoPrices, ({ id }) => id, query);
      // The complete list is passed by reference, as its text is already cached.
      const prices = rows.length === dashboard.cryptoPrices.length ? dashboard.cryptoPrices : rows;
      return { timestamp, dataMode, prices, totals, nextCursor, ...withAsOf(dashboard) };
    },
  }),
  apiCall(readCryptoPrice, {
    tag: 'Market',
    summary: 'Price of a coin, with quotes from every source',
    about:
      'The price, the latest quote from each source and seven days of closing prices. `id` is the coin ID from the price list, such as `bitcoin`.',
    async answer({ params: { id } }) {
      const found = await readCoin(deps.market.ctx, id);
      if (!found) throw new AppError('not_found', 'Unknown coin');
      const sparkline = deps.market.sparklines().series[id] ?? null;
      return { timestamp: deps.now().toISOString(), dataMode: deps.mode, ...found, sparkline };
    },
  }),
  apiCall(readCandles, {
    tag: 'Market',
    summary: 'OHLCV candles of a coin',
    about:
      'Open, high, low, close and volume in USD at intervals of minutes (1, 5, 15, 30, 60, 240), days (D), weeks (W) or months (M) in UTC, oldest first. Missing candles are listed in `gaps` and never filled. `symbol` is a symbol or a coin ID.',
    list: 'candles',
    async answer({ query, caller }) {
      const { limit, cursor, symbol, interval, from, to } = query;
      const request = { symbol, interval, from, to, plan: caller.plan };
      const chart = await deps.reads.answer(
        (db) => readChart({ ...deps.market.ctx, db }, request, deps.requestBackfill),
        { fresh: cursor !== undefined },
      );
      const { rows, nextCursor } = pageOf('candles', chart.candles, ({ at }) => at, { limit, cursor });
      return { ...chart, dataMode: deps.mode, candles: rows, nextCursor };
    },
  }),
  apiCall(readSources, {
    tag: 'Market',
    summary: 'Data sources and their status',
    about:
      'License, attribution and state of every data source, with the success rate (percent) and median latency (ms) of our requests.',
    list: 'sources',
    async answer({ query }) {
      const { rows, nextCursor } = pageOf('sources', await deps.sources.records(), ({ id }) => id, query);
      return { timestamp: deps.now().toISOString(), dataMode: deps.mode, sources: rows, nextCursor };
    },
  }),
];
