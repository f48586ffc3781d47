import type { Matrix } from '#features/analytics/contract.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { CorrelationPair } from '#features/market/contract/metrics.ts';
import { correlationsOf, seasonCoins } from '#features/market/server/metrics/service.ts';

import type { AnalyticsContext } from '../context.ts';

type Coin = { id: string; symbol: string };

/** The tracked assets, then the largest others that are neither stable nor copies, each symbol once. */
function largest({ market }: AnalyticsContext, count: number): Coin[] {
  const { board } = market.ctx;
  const chosen: Coin[] = [...TRACKED];
  for (const id of seasonCoins(board)) {
    const coin = board.coin(id);
    if (chosen.length < count && coin && chosen.every(({ symbol }) => symbol !== coin.symbol)) chosen.push(coin);
  }
  return chosen;
}

/** Pairs of the tracked assets as `BTC_ETH`, both ways round. */
export function namedPairs({ assets, pairs }: Matrix): Record<string, CorrelationPair> {
  const tracked = assets.slice(0, TRACKED.length);
  const named = tracked.flatMap((a, i) =>
    tracked.flatMap((b, j) => {
      const pair = pairs[i]?.[j];
      return i === j || !pair ? [] : [[`${a}_${b}`, pair] as const];
    }),
  );
  return Object.fromEntries(named);
}

/** How the assets move together, of daily log returns. */
export async function readMatrix(ctx: AnalyticsContext, days: number, count: number): Promise<Matrix> {
  const coins = count > TRACKED.length ? largest(ctx, count) : [...TRACKED];
  const pairs = await correlationsOf(ctx.metrics.ctx, coins, days);
  return { timestamp: ctx.now().toISOString(), days, assets: coins.map(({ symbol }) => symbol), pairs };
}
