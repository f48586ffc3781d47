import type { Board, DailyClose } from '#features/market/server/market/service.ts';
import type { MetricsContext } from '#features/market/server/metrics/context.ts';
import { isCopy } from '#features/market/server/metrics/copies.ts';
import type { Snapshot } from '#features/market/server/metrics/snapshot.ts';
import type { Observation } from '#features/market/server/metrics/types.ts';

const DAYS = 90;
const COINS = 50;
const DAY_MS = 86_400_000;
const EVERY_MS = 55 * 60_000;
/** Fewer coins with a whole past say nothing about the market. */
const LEAST_COINS = 20;
const LEAST_DAYS = 8;

/** Ids of the top 50 that can have a season: no stablecoins, no copies of other coins, not BTC. */
export const seasonCoins = (board: Board): string[] =>
  board
    .prices()
    .filter((coin) => !isCopy(coin) && coin.id !== 'bitcoin' && !pegged(coin.price, coin.change_7d))
    .slice(0, COINS)
    .map(({ id }) => id);

/** Percent of the top 50 that beat BTC over 90 days of our own daily closes; a shorter past is said so. */
export async function deriveSeason(ctx: MetricsContext, snapshot: Snapshot): Promise<Observation[]> {
  const last = snapshot.find('altcoin_season');
  const now = ctx.now();
  if (last && now.getTime() - Date.parse(last.observed_at) < EVERY_MS) return [];
  const coins = seasonCoins(ctx.market.ctx.board);
  const from = new Date(now.getTime() - (DAYS + 1) * DAY_MS);
  const closes = await ctx.market.dailyCandles([...coins, 'bitcoin'], from, now);
  const season = compareSeason(
    closes.get('bitcoin') ?? [],
    coins.map((id) => closes.get(id) ?? []),
  );
  if (!season) return [];
  const { better, compared, historyDays } = season;
  return [
    {
      metric: 'altcoin_season',
      value: (100 * better) / compared,
      observedAt: now,
      detail: {
        terms: `${better} of ${compared} coins beat BTC over ${historyDays} days`,
        ...(historyDays < DAYS ? { historyDays } : {}),
      },
    },
  ];
}

type Season = { better: number; compared: number; historyDays: number };

/**
 * How many coins rose more (or fell less) than BTC between its first and its last day. A coin without both days is left
 * out; null below a week of BTC, or below 20 coins.
 */
export function compareSeason(bitcoin: readonly DailyClose[], others: readonly DailyClose[][]): Season | null {
  const first = bitcoin[0];
  const newest = bitcoin.at(-1);
  if (!first || !newest || bitcoin.length < LEAST_DAYS) return null;
  const bitcoinReturn = newest.close / first.close;
  const compared = others.flatMap((past) => {
    const start = past.find(({ day }) => day >= first.day);
    const end = past.at(-1);
    if (start?.day !== first.day || end?.day !== newest.day) return [];
    return [end.close / start.close > bitcoinReturn];
  });
  if (compared.length < LEAST_COINS) return null;
  return { better: compared.filter(Boolean).length, compared: compared.length, historyDays: bitcoin.length - 1 };
}

/** What stays at one dollar all week is a stablecoin, whatever its name. */
const pegged = (price: number, change7d: number | null) =>
  Math.abs(price - 1) < 0.03 && change7d !== null && Math.abs(change7d) < 1;
