import type { DailyClose } from '#features/market/server/market/service.ts';
import type { MetricsContext } from '../context.ts';
import { dailyValues } from '../store.ts';
import type { Observation } from '../types.ts';

import { compareSeason, seasonCoins } from './derive/season.ts';

const DAY_MS = 86_400_000;
const SEASON_DAYS = 90;

const endOf = (day: string) => new Date(Date.parse(day) + DAY_MS - 1000);

/** Our own figures on past days, from the stored past of what they are made of: the day's last value counts. */
export async function derivePast(ctx: MetricsContext): Promise<Observation[]> {
  const now = ctx.now();
  const from = new Date(now.getTime() - ctx.config.METRIC_PAST_DAYS * DAY_MS);
  const today = now.toISOString().slice(0, 10);
  const coins = seasonCoins(ctx.market.ctx.board);
  const closes = await ctx.market.dailyCandles([...coins, 'bitcoin'], from, now);
  const bitcoin = (closes.get('bitcoin') ?? []).filter(({ day }) => day < today);
  return [...(await ratios(ctx, bitcoin, from)), ...seasons(coins, closes, bitcoin)];
}

/** The supply of BTC grows by less than a percent a year: today's stands for the past. */
async function ratios(ctx: MetricsContext, bitcoin: DailyClose[], from: Date): Promise<Observation[]> {
  const supply = ctx.market.ctx.board.coin('bitcoin')?.circulating_supply;
  if (!supply) return [];
  const rows = await dailyValues(ctx.db, ['stablecoins.supply'], from, ctx.now());
  const stablecoins = new Map(rows.map(({ day, value }) => [day, value]));
  return bitcoin.flatMap(({ day, close }): Observation[] => {
    const pegged = stablecoins.get(day);
    if (!pegged) return [];
    const terms = 'BTC close × current supply ÷ stablecoin supply that day';
    return [{ metric: 'ssr', value: (close * supply) / pegged, observedAt: endOf(day), detail: { terms } }];
  });
}

function seasons(coins: string[], closes: Map<string, DailyClose[]>, bitcoin: DailyClose[]): Observation[] {
  const others = coins.map((id) => closes.get(id) ?? []);
  return bitcoin.slice(SEASON_DAYS).flatMap(({ day: last }, i): Observation[] => {
    const window = (past: DailyClose[]) => past.filter(({ day }) => day >= (bitcoin[i]?.day ?? '') && day <= last);
    const season = compareSeason(bitcoin.slice(i, i + SEASON_DAYS + 1), others.map(window));
    if (!season) return [];
    const { better, compared } = season;
    const terms = `${better} of ${compared} coins of today's top 50 beat BTC over ${SEASON_DAYS} days`;
    return [{ metric: 'altcoin_season', value: (100 * better) / compared, observedAt: endOf(last), detail: { terms } }];
  });
}
