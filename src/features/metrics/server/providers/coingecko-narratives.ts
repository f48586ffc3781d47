import { z } from 'zod';

import type { SourceClient } from '#server/platform/http/http-client.ts';
import { SourceError } from '#server/platform/http/source-error.ts';

import { isCopy } from '../copies.ts';
import { type NarrativeDetail, narrativeMetric } from '../narrative-facts.ts';
import type { MetricSource, Observation } from '../types.ts';

/** Categories that are followed, and how many of them have their coins read in one run. */
const FOLLOWED = 16;
const CALLS_PER_RUN = 8;
const COINS_READ = 25;
const COINS_KEPT = 5;
/** Coins read longer ago than this no longer speak for their category. */
const COINS_FOR_MS = 2 * 3_600_000;

/** Copies of other coins, portfolios of funds and lists of venues: they tell no story of their own. */
const NO_NARRATIVE =
  /stable-?coin|\b(wrapped|bridged|pegged|tokenized-btc|liquid-staking-tokens|liquid-staked|liquid-restaking-tokens|liquid-restaked)\b|rehypothecated|portfolio|holdings|\bindex\b|launchpool|listing|securities|made-in-/;
/** All coins of one chain: large by counting its stablecoins too, so only of interest while searched for. */
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

const member = z.object({
  id: z.string().min(1),
  symbol: z.string().min(1),
  name: z.string().min(1),
  current_price: z.number().nullish(),
  market_cap: z.number().nullish(),
  total_volume: z.number().nullish(),
  price_change_percentage_24h: z.number().nullish(),
});

type Read = Pick<NarrativeDetail, 'coins' | 'members' | 'coins_at'>;
/** The coins of each followed category as they were last read, so that eight calls a run are enough for sixteen. */
const readOf = new WeakMap<SourceClient, Map<string, Read>>();

const known = (value: number | null | undefined): number | null => (value && value > 0 ? value : null);

/** Searched-for categories first, then the largest. */
export function choose(all: readonly Category[], searched: readonly string[]): Category[] {
  const told = all.filter(
    ({ id, volume_24h, market_cap }) => known(volume_24h) && known(market_cap) && !NO_NARRATIVE.test(id),
  );
  const place = new Map(searched.map((id, i) => [id, i]));
  const wanted = told
    .filter(({ id }) => place.has(id))
    .toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  const largest = told
    .filter(({ id }) => !place.has(id) && !WHOLE_CHAIN.test(id))
    .toSorted((a, b) => (b.market_cap ?? 0) - (a.market_cap ?? 0));
  return [...wanted, ...largest].slice(0, FOLLOWED);
}

async function readCoins(client: SourceClient, category: string, signal: AbortSignal): Promise<Read> {
  const query = { vs_currency: 'usd', category, order: 'market_cap_desc', per_page: COINS_READ, page: 1 };
  const { data, fetchedAt } = await client.get('/coins/markets', z.array(member), { query, signal });
  const coins = data
    .filter((coin) => !isCopy(coin))
    .flatMap((coin) => {
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
        },
      ];
    });
  return {
    coins_at: fetchedAt.toISOString(),
    coins: coins.toSorted((a, b) => (b.market_cap ?? 0) - (a.market_cap ?? 0)).slice(0, COINS_KEPT),
    members: coins.map(({ id, market_cap, change_24h }) => [id, market_cap, change_24h]),
  };
}

/** Slugs, most searched first; without them the largest categories are followed. */
async function searchedFor(client: SourceClient, signal: AbortSignal): Promise<string[]> {
  try {
    const { data } = await client.get('/search/trending', trending, { signal });
    return (data.categories ?? []).map(({ slug }) => slug);
  } catch (error) {
    if (error instanceof SourceError) return [];
    throw error;
  }
}

const ageOf = (read: Read | undefined, now: Date): number =>
  read ? now.getTime() - Date.parse(read.coins_at) : Number.POSITIVE_INFINITY;

function toObservation(row: Category, read: Read, place: number, answeredAt: Date): Observation[] {
  const volume = known(row.volume_24h);
  if (volume === null) return [];
  const observedMs = Math.min(Date.parse(row.updated_at ?? '') || answeredAt.getTime(), answeredAt.getTime());
  const detail: NarrativeDetail = {
    name: row.name,
    market_cap: known(row.market_cap),
    market_cap_change_24h: row.market_cap_change_24h ?? null,
    trending: place < 0 ? null : place + 1,
    ...read,
  };
  return [{ metric: narrativeMetric(row.id), value: volume, observedAt: new Date(observedMs), detail }];
}

/** GET /coins/categories, /search/trending and the coins of eight categories, those read longest ago first. */
export const coingeckoNarratives: MetricSource = {
  source: 'coingecko',
  lane: 'slow',
  async read(client, { now, signal }) {
    const all = await client.get('/coins/categories', categories, { signal });
    const slugs = await searchedFor(client, signal);
    const chosen = choose(all.data, slugs);
    const reads = readOf.get(client) ?? new Map<string, Read>();
    readOf.set(client, reads);
    const due = chosen.toSorted((a, b) => ageOf(reads.get(b.id), now) - ageOf(reads.get(a.id), now) || 0);
    let failure: unknown;
    for (const { id } of due.slice(0, CALLS_PER_RUN)) {
      failure = await readCoins(client, id, signal).then(
        (read) => void reads.set(id, read),
        (error: unknown) => error,
      );
      if (failure) break;
    }
    const rows = chosen.flatMap((row) => {
      const read = reads.get(row.id);
      if (!read || read.coins.length === 0 || ageOf(read, now) > COINS_FOR_MS) return [];
      return toObservation(row, read, slugs.indexOf(row.id), all.fetchedAt);
    });
    if (failure && (rows.length === 0 || !(failure instanceof SourceError))) throw failure;
    return rows;
  },
};
