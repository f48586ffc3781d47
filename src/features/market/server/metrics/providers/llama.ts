import { z } from 'zod';
import type { SourceClient } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource, Observation, ReadContext } from '../types.ts';
import { llamaRefusal } from './stablecoins-llama.ts';

export const llama: SourceDescriptor = {
  id: 'llama',
  name: 'DefiLlama',
  gives: 'Exchange reserves, from which net flows are computed',
  homepage: 'https://defillama.com/cexs',
  licence: 'Open API, free to use with attribution to DefiLlama',
  attribution: 'Exchange reserves by DefiLlama',
  key: 'none',
  options: ({ LLAMA_BASE_URL }) => ({
    baseUrl: LLAMA_BASE_URL,
    perMinute: 20,
    burst: 3,
    timeoutMs: 60_000,
    retries: 1,
    // The history of one exchange exceeds 40 MB.
    maxBytes: 96 << 20,
    parseError: llamaRefusal,
  }),
};

/**
 * Exchanges with published wallets, by DefiLlama's name; the most reliable are spread out, so that a departed one
 * breaks nothing.
 */
const EXCHANGES: readonly (readonly [slug: string, name: string])[] = [
  ['binance-cex', 'Binance'],
  ['kraken', 'Kraken'],
  ['bitfinex', 'Bitfinex'],
  ['bybit', 'Bybit'],
  ['okx', 'OKX'],
];
const ASSETS = ['BTC', 'ETH'] as const;
type Asset = (typeof ASSETS)[number];

const DAY_MS = 86_400_000;
const MIDNIGHT_SLACK_MS = 2 * 3_600_000;
/** A day that moves more of a reserve than this is a change of the tracked wallets, not of their coins. */
const MOST_OF_RESERVE = 0.25;

const coins = z.number().nullish();
const answer = z.object({
  tokens: z.array(z.object({ date: z.number().positive(), tokens: z.object({ BTC: coins, ETH: coins }) })).min(1),
});

/** `day` counts midnights since 1970; null for a row taken at another hour. */
type Held = { at: number; day: number | null; coins: Record<Asset, number | null> };
type Exchange = { name: string; rows: Held[] };

function toDay(at: number): number | null {
  const day = Math.round(at / DAY_MS);
  return Math.abs(at - day * DAY_MS) <= MIDNIGHT_SLACK_MS ? day : null;
}

const known = (value: number | null | undefined) => (value && value > 0 ? value : null);

/** GET /protocol/{slug}: daily holdings of the exchange's wallets, in coins; the last row is current. */
async function readReserves(
  client: SourceClient,
  slug: string,
  name: string,
  from: Date,
  ask: ReadContext,
): Promise<Exchange> {
  const { data } = await client.get(`/protocol/${slug}`, answer, { signal: ask.signal });
  const rows = data.tokens
    .map(({ date, tokens }) => ({
      at: date * 1000,
      day: toDay(date * 1000),
      coins: { BTC: known(tokens.BTC), ETH: known(tokens.ETH) },
    }))
    .filter(({ at }) => at >= from.getTime() - 2 * DAY_MS && at <= ask.now.getTime());
  return { name, rows };
}

/** Sequential, as the responses are large. An exchange that fails is left out of the sums. */
async function allReserves(client: SourceClient, from: Date, ask: ReadContext): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  let failure: unknown;
  for (const [slug, name] of EXCHANGES) {
    try {
      exchanges.push(await readReserves(client, slug, name, from, ask));
    } catch (error) {
      if (!(error instanceof SourceError) || error.kind === 'cancelled') throw error;
      failure ??= error;
      if (error.kind === 'rate_limited' || error.kind === 'resting') break;
    }
  }
  if (exchanges.length === 0) throw failure;
  return exchanges;
}

/** Each day's first row. */
function daily(rows: Held[]): Map<number, Held> {
  const byDay = new Map<number, Held>();
  for (const row of rows) if (row.day !== null && !byDay.has(row.day)) byDay.set(row.day, row);
  return byDay;
}

function computeFlows(asset: Asset, exchanges: Exchange[], from: Date): Observation[] {
  const days = new Map<number, { name: string; delta: number; jumped: boolean }[]>();
  for (const { name, rows } of exchanges) {
    const byDay = daily(rows);
    for (const [day, row] of byDay) {
      const before = byDay.get(day - 1);
      const amount = row.coins[asset];
      const had = before?.coins[asset];
      if (!before || row.at < from.getTime() || amount === null || !had) continue;
      // A row identical to the previous one was carried over, not measured.
      if (ASSETS.every((each) => row.coins[each] === before.coins[each])) continue;
      const delta = amount - had;
      const entry = { name, delta, jumped: Math.abs(delta) > MOST_OF_RESERVE * had };
      days.set(day, [...(days.get(day) ?? []), entry]);
    }
  }
  return [...days].flatMap(([day, all]): Observation[] => {
    const counted = all.filter(({ jumped }) => !jumped);
    const left = all.filter(({ jumped }) => jumped).map(({ name }) => name);
    if (counted.length === 0) return [];
    return [
      {
        metric: `flow.${asset.toLowerCase()}.net`,
        value: counted.reduce((total, { delta }) => total + delta, 0),
        observedAt: new Date(day * DAY_MS),
        method: 'computed',
        detail: {
          venues: counted.map(({ name }) => name),
          terms: `Change in reserves of ${counted.length === 1 ? '1 exchange' : `${counted.length} exchanges`} since the previous day${
            left.length > 0 ? `; excludes ${left.join(', ')}, whose tracked wallets changed` : ''
          }`,
        },
      },
    ];
  });
}

function reserveAt(asset: Asset, at: number, held: { name: string; coins: number }[]): Observation[] {
  if (held.length === 0) return [];
  return [
    {
      metric: `reserve.${asset.toLowerCase()}`,
      value: held.reduce((total, row) => total + row.coins, 0),
      observedAt: new Date(at),
      detail: {
        venues: held.map(({ name }) => name),
        terms: `Sum of the published wallets of ${held.length} exchanges`,
      },
    },
  ];
}

function reservesByDay(asset: Asset, exchanges: Exchange[], from: Date): Observation[] {
  const all = exchanges.flatMap(({ name, rows }) =>
    [...daily(rows)].flatMap(([day, { at, coins: held }]) => {
      const amount = held[asset];
      return amount === null || at < from.getTime() ? [] : [{ day, name, coins: amount }];
    }),
  );
  return [...Map.groupBy(all, ({ day }) => day)].flatMap(([day, held]) => reserveAt(asset, day * DAY_MS, held));
}

function reserveNow(asset: Asset, exchanges: Exchange[]): Observation[] {
  const newest = exchanges.flatMap(({ name, rows }) => {
    const row = rows.findLast(({ coins: { [asset]: held } }) => held !== null);
    const amount = row?.coins[asset];
    return row && amount ? [{ at: row.at, name, coins: amount }] : [];
  });
  const latest = Math.max(...newest.map(({ at }) => at));
  const together = newest.filter(({ at }) => latest - at < DAY_MS);
  return reserveAt(asset, Math.min(...together.map(({ at }) => at)), together);
}

export const exchangeReserves: MetricSource = {
  source: 'llama',
  lane: 'slow',
  // A day adds one row, and the responses of all exchanges are some 200 MB.
  everyMs: DAY_MS - 60_000,
  async read(client, ask) {
    const from = new Date(ask.now.getTime() - 3 * DAY_MS);
    const exchanges = await allReserves(client, from, ask);
    return ASSETS.flatMap((asset) => [...computeFlows(asset, exchanges, from), ...reserveNow(asset, exchanges)]);
  },
  async past(client, from, ask) {
    const exchanges = await allReserves(client, from, ask);
    return ASSETS.flatMap((asset) => [
      ...computeFlows(asset, exchanges, from),
      ...reservesByDay(asset, exchanges, from),
    ]);
  },
};
