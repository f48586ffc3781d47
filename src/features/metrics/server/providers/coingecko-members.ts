import { z } from 'zod';

import type { SourceClient } from '#server/platform/http/http-client.ts';

import { isCopy } from '../copies.ts';
import { type NarrativeDetail, narrativeDetail, narrativeMetric } from '../narrative-facts.ts';
import type { Ask, ListedFigures } from '../types.ts';

const COINS_READ = 25;
const COINS_KEPT = 5;
/** Figures older than this no longer speak for their category. */
const FIGURES_FOR_MS = 2 * 3_600_000;

const member = z.object({
  id: z.string().min(1),
  symbol: z.string().min(1),
  name: z.string().min(1),
  current_price: z.number().nullish(),
  market_cap: z.number().nullish(),
  total_volume: z.number().nullish(),
  price_change_percentage_24h: z.number().nullish(),
});

/** The coins of a category, with what CoinGecko said of them when it was asked. */
export type Members = { readAt: number; ids: string[]; coins: Map<string, ListedFigures> };

/** Zero and less mean "unknown" here. */
export const known = (value: number | null | undefined): number | null => (value && value > 0 ? value : null);

/** GET /coins/markets?category=: the largest of a category, copies of other coins left out. */
export async function readMembers(client: SourceClient, category: string, { signal }: Ask): Promise<Members> {
  const query = { vs_currency: 'usd', category, order: 'market_cap_desc', per_page: COINS_READ, page: 1 };
  const { data, fetchedAt } = await client.get('/coins/markets', z.array(member), { query, spare: true, signal });
  const coins = data
    .filter((coin) => !isCopy(coin))
    .flatMap((coin): ListedFigures[] => {
      const price = known(coin.current_price);
      if (price === null) return [];
      return [
        {
          id: coin.id,
          symbol: coin.symbol.toUpperCase(),
          name: coin.name,
          price,
          change_24h: coin.price_change_percentage_24h ?? null,
          market_cap: known(coin.market_cap),
          volume_24h: known(coin.total_volume),
          observedAt: fetchedAt.getTime(),
        },
      ];
    });
  const ids = coins.map(({ id }) => id);
  return { readAt: fetchedAt.getTime(), ids, coins: new Map(coins.map((coin) => [coin.id, coin])) };
}

/** What an earlier process kept of a category. */
export async function storedMembers(category: string, { stored, now }: Ask): Promise<Members | undefined> {
  const row = (await stored(narrativeMetric(category), new Date(now.getTime() - FIGURES_FOR_MS))).at(-1);
  const detail = narrativeDetail.safeParse(row?.detail);
  if (!detail.success || detail.data.members_at === undefined) return undefined;
  const { coins, coins_at, members, members_at } = detail.data;
  const observedAt = Date.parse(coins_at);
  return {
    readAt: Date.parse(members_at),
    ids: members.map(([id]) => id),
    coins: new Map(coins.map((coin) => [coin.id, { ...coin, observedAt }])),
  };
}

type Shown = Pick<NarrativeDetail, 'coins' | 'members' | 'coins_at' | 'members_at'>;

/** The category's coins as our own price list has them by now; those it lacks count only when fewer than five are on it. */
export function membersNow({ ids, coins, readAt }: Members, { market, now }: Ask): Shown | undefined {
  const isFresh = (coin: ListedFigures | undefined): coin is ListedFigures =>
    coin !== undefined && now.getTime() - coin.observedAt <= FIGURES_FOR_MS;
  const listed = ids.map((id) => market.listed(id)).filter(isFresh);
  const found =
    listed.length >= COINS_KEPT
      ? listed
      : ids.map((id) => [market.listed(id), coins.get(id)].find(isFresh)).filter(isFresh);
  if (found.length === 0) return undefined;
  const largest = found.toSorted((a, b) => (b.market_cap ?? 0) - (a.market_cap ?? 0));
  return {
    coins_at: new Date(Math.min(...found.map(({ observedAt }) => observedAt))).toISOString(),
    coins: largest.slice(0, COINS_KEPT).map(({ id, symbol, name, price, change_24h, market_cap, volume_24h }) => ({
      id,
      symbol,
      name,
      price,
      change_24h,
      market_cap,
      volume_24h,
    })),
    members: found.map(({ id, market_cap, change_24h }) => [id, market_cap, change_24h]),
    members_at: new Date(readAt).toISOString(),
  };
}
