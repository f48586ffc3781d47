import type { Matrix } from '#features/analytics/contract.ts';
import { TRACKED } from '#features/market/contract.ts';
import { correlationsOf, seasonCoins } from '#features/metrics/server/service.ts';

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

/** How the assets move together, of daily log returns. */
export async function readMatrix(ctx: AnalyticsContext, days: number, count: number): Promise<Matrix> {
  const coins = count > TRACKED.length ? largest(ctx, count) : [...TRACKED];
  const pairs = await correlationsOf(ctx.metrics.ctx, coins, days);
  return { timestamp: ctx.now().toISOString(), days, assets: coins.map(({ symbol }) => symbol), pairs };
}
