import { z } from 'zod';
import { coingeckoQuota } from '#features/market/server/market/coingecko-quota.ts';
import type { SourceClient } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import { type NarrativeDetail, narrativeDetail, narrativeMetric } from '../narrative-facts.ts';
import { isDerivative } from '../snapshot.ts';
import type { ListedFigures, MetricSource, Observation, ReadContext } from '../types.ts';

const COINS_READ = 25;
const COINS_KEPT = 5;
/** Figures older than this no longer represent their category. */
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

/** The coins of a category, with their figures from CoinGecko when read. */
type Members = { readAt: number; ids: string[]; coins: Map<string, ListedFigures> };

/** Zero and negative values mean "unknown" here. */
const known = (value: number | null | undefined): number | null => (value && value > 0 ? value : null);

/** GET /coins/markets?category=: the largest coins of a category, without copies of other coins. */
async function readMembers(client: SourceClient, category: string, { signal }: ReadContext): Promise<Members> {
  const query = { vs_currency: 'usd', category, order: 'market_cap_desc', per_page: COINS_READ, page: 1 };
  const { data, fetchedAt } = await client.get('/coins/markets', z.array(member), {
    query,
    isDeferrable: true,
    signal,
  });
  const coins = data
    .filter((coin) => !isDerivative(coin))
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

/** Members of a category stored by an earlier process. */
async function storedMembers(category: string, { stored, now }: ReadContext): Promise<Members | undefined> {
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

/**
 * The category's coins with current figures from our own price list; coins missing from it count only when fewer than
 * five are listed.
 */
function membersNow({ ids, coins, readAt }: Members, { market, now }: ReadContext): Shown | undefined {
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

const FOLLOWED = 16;

/** Copies of other coins, fund portfolios and exchange lists: they are no narratives. */
const NO_NARRATIVE =
  /stable-?coin|\b(wrapped|bridged|pegged|tokenized-btc|liquid-staking-tokens|liquid-staked|liquid-restaking-tokens|liquid-restaked)\b|rehypothecated|portfolio|holdings|\bindex\b|launchpool|listing|securities|made-in-/;
/** All coins of one chain: large only because of its stablecoins, so relevant only while trending. */
const WHOLE_CHAIN = /ecosystem/;

const categories = z.array(
  z.object({
    id: z.string().min(1),
    name: z.string().min(1),
    market_cap: z.number().nullish(),
    market_cap_change_24h: z.number().nullish(),
    volume_24h: z.number().nullish(),
    updated_at: z.iso.datetime({ offset: true }).nullish(),
  }),
);
type Category = z.output<typeof categories>[number];

const trending = z.object({ categories: z.array(z.object({ slug: z.string() })).nullish() });

type Searched = { at: number; slugs: string[] };
/** Per-client cache: the coins of each followed category, and the trending searches. */
type Memory = { members: Map<string, Members>; searched: Searched | null };
const memories = new WeakMap<SourceClient, Memory>();

/** Trending categories first, then the largest. */
export function choose(all: readonly Category[], searched: readonly string[]): Category[] {
  const eligible = all.filter(
    ({ id, volume_24h, market_cap }) => known(volume_24h) && known(market_cap) && !NO_NARRATIVE.test(id),
  );
  const place = new Map(searched.map((id, i) => [id, i]));
  const wanted = eligible
    .filter(({ id }) => place.has(id))
    .toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  const largest = eligible
    .filter(({ id }) => !place.has(id) && !WHOLE_CHAIN.test(id))
    .toSorted((a, b) => (b.market_cap ?? 0) - (a.market_cap ?? 0));
  return [...wanted, ...largest].slice(0, FOLLOWED);
}

/** Slugs, most searched first; without them the largest categories are followed. */
async function searchedFor(
  client: SourceClient,
  memory: Memory,
  { now, config, signal }: ReadContext,
): Promise<string[]> {
  const { searchedMs } = coingeckoQuota(config);
  if (memory.searched && now.getTime() - memory.searched.at < searchedMs) return memory.searched.slugs;
  try {
    const { data } = await client.get('/search/trending', trending, { signal });
    const slugs = (data.categories ?? []).map(({ slug }) => slug);
    memory.searched = { at: now.getTime(), slugs };
    return slugs;
  } catch (error) {
    if (error instanceof SourceError) return [];
    throw error;
  }
}

/** Reads the coins of the categories with the oldest lists; returns the error that stopped it early. */
async function readDue(
  client: SourceClient,
  memory: Memory,
  chosen: readonly Category[],
  ask: ReadContext,
): Promise<unknown> {
  const { membersMs, membersPerRun } = coingeckoQuota(ask.config);
  for (const { id } of chosen.filter(({ id }) => !memory.members.has(id))) {
    const members = await storedMembers(id, ask);
    if (members) memory.members.set(id, members);
  }
  const readAt = ({ id }: Category) => memory.members.get(id)?.readAt ?? Number.NEGATIVE_INFINITY;
  const due = chosen
    .filter((row) => ask.now.getTime() - readAt(row) >= membersMs)
    .toSorted((a, b) => readAt(a) - readAt(b) || 0);
  for (const { id } of due.slice(0, membersPerRun)) {
    try {
      memory.members.set(id, await readMembers(client, id, ask));
    } catch (error) {
      return error;
    }
  }
  return undefined;
}

function toObservation(
  row: Category,
  members: Members,
  place: number,
  answeredAt: Date,
  ask: ReadContext,
): Observation[] {
  const volume = known(row.volume_24h);
  const shown = membersNow(members, ask);
  if (volume === null || !shown) return [];
  const observedMs = Math.min(Date.parse(row.updated_at ?? '') || answeredAt.getTime(), answeredAt.getTime());
  const detail: NarrativeDetail = {
    name: row.name,
    market_cap: known(row.market_cap),
    market_cap_change_24h: row.market_cap_change_24h ?? null,
    trending: place < 0 ? null : place + 1,
    ...shown,
  };
  return [{ metric: narrativeMetric(row.id), value: volume, observedAt: new Date(observedMs), detail }];
}

/** GET /coins/categories, /search/trending and the coins of categories, least recently read first. */
export const coingeckoNarratives: MetricSource = {
  source: 'coingecko',
  lane: 'slow',
  everyMs: (config) => coingeckoQuota(config).categoriesMs,
  async read(client, ask) {
    const memory = memories.get(client) ?? { members: new Map<string, Members>(), searched: null };
    memories.set(client, memory);
    const all = await client.get('/coins/categories', categories, { signal: ask.signal });
    const slugs = await searchedFor(client, memory, ask);
    const chosen = choose(all.data, slugs);
    const failure = await readDue(client, memory, chosen, ask);
    const rows = chosen.flatMap((row) => {
      const members = memory.members.get(row.id);
      return members ? toObservation(row, members, slugs.indexOf(row.id), all.fetchedAt, ask) : [];
    });
    if (failure && (rows.length === 0 || !(failure instanceof SourceError))) throw failure;
    return rows;
  },
};
