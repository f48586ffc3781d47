import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '#kernel/config.ts';
import { createSourceClient } from '#kernel/http/http-client.ts';
import { type Replay, readFrames, startReplay } from '#sandbox/replay.ts';

import type { KnownCoin, VenueTick } from '../types.ts';
import { coingeckoCandles, coingeckoListing, coingeckoSource } from './coingecko.ts';
import { startLiveTicks, type Venue } from './live-ticks.ts';
import { okxCandles, okxSource } from './okx.ts';

const DIR = process.env.RECORDINGS_DIR ?? resolve(import.meta.dirname, '../../../../../../../shared/data');
const HAS_RECORDINGS = existsSync(DIR);
if (!HAS_RECORDINGS)
  console.warn(`SKIPPED: no recordings of real providers in ${DIR}, adapters are proved by the sandbox alone`);

const now = () => new Date('2026-11-20T12:00:00Z');
const signal = new AbortController().signal;
const bitcoin: KnownCoin = { id: 'bitcoin', symbol: 'BTC', name: 'Bitcoin', price: 1, circulating_supply: null };

describe.skipIf(!HAS_RECORDINGS)('adapters on real recorded responses', () => {
  let replay: Replay;
  beforeAll(async () => {
    replay = await startReplay(DIR);
  });
  afterAll(() => replay.close());
  const config = () => loadConfig(replay.urls);

  test('CoinGecko /coins/markets of 2026: every figure as recorded', async () => {
    const listing = await coingeckoListing(
      createSourceClient({ name: 'coingecko', ...coingeckoSource(config()) }, now),
    ).list({ limit: 250, sparkline: false, known: [], signal });
    const raw = JSON.parse(
      readFileSync(resolve(DIR, 'coingecko/captured-2026/markets-4-of-9-ids.json'), 'utf8'),
    ) as Record<string, never>[];
    expect(listing.coins).toHaveLength(raw.length);
    for (const [i, coin] of listing.coins.entries()) {
      expect(coin).toMatchObject({
        id: raw[i]?.['id'],
        price: raw[i]?.['current_price'],
        market_cap: raw[i]?.['market_cap'],
        volume_24h: raw[i]?.['total_volume'],
        change_24h: raw[i]?.['price_change_percentage_24h'],
        change_7d: raw[i]?.['price_change_percentage_7d_in_currency'],
        high_24h: raw[i]?.['high_24h'],
        low_24h: raw[i]?.['low_24h'],
        max_supply: raw[i]?.['max_supply'],
      });
      expect(coin.observedAt.toISOString()).toBe(raw[i]?.['last_updated']);
    }
  });

  test.each([
    ['5m', '2021-05-14T14:00:00Z', '2021-05-15T15:00:00Z', 250],
    ['1d', '2021-02-14T00:00:00Z', '2021-05-16T00:00:00Z', 85],
  ] as const)(
    'CoinGecko market_chart of 2021 as %s bars: closes as recorded, bars whole',
    async (interval, from, to, least) => {
      const candles = coingeckoCandles(createSourceClient({ name: 'coingecko', ...coingeckoSource(config()) }, now));
      const bars = (await candles.bars(bitcoin, interval, new Date(from), new Date(to), signal)) ?? [];
      expect(bars.length).toBeGreaterThan(least);
      for (const bar of bars) {
        expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
        expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
        expect(bar.close).toBeGreaterThan(30_000);
      }
    },
  );

  test('OKX instruments of 2022 and candles: strings become numbers, newest first becomes oldest first', async () => {
    const provider = okxCandles(createSourceClient({ name: 'okx', ...okxSource(config()) }, now), () => 1);
    const bars = (await provider.bars(bitcoin, '5m', new Date('2021-06-30'), new Date('2021-07-02'), signal)) ?? [];
    expect(bars.map((bar) => bar.close)).toEqual([33_782.1, 33_783.9]);
    const nobody = { ...bitcoin, symbol: 'NOSUCHCOIN' };
    expect(await provider.bars(nobody, '1h', new Date(0), now(), signal)).toBeUndefined();
  });

  test.each<[string, Venue['ccxtId'], 'USD' | 'USDT', string]>([
    ['Coinbase', 'coinbaseexchange', 'USD', 'ws-recordings/COINBASE.ws.28.0.jsonl'],
    ['OKX', 'okx', 'USDT', 'ws-recordings/OKX.ws.1.0.jsonl'],
  ])('%s ticker frames through ccxt: every price as recorded', async (name, ccxtId, quote, file) => {
    const recorded = tickersIn(readFrames(resolve(DIR, file)), quote);
    expect(recorded.length).toBeGreaterThan(0);
    const urls = config();
    const venue: Venue = {
      source: name,
      name,
      ccxtId,
      quote,
      restUrl: ccxtId === 'okx' ? urls.OKX_BASE_URL : urls.COINBASE_BASE_URL,
      wsUrl: ccxtId === 'okx' ? urls.OKX_WS_URL : urls.COINBASE_WS_URL,
    };
    const seen: VenueTick[] = [];
    const failures: Error[] = [];
    const stream = startLiveTicks({
      venue,
      symbols: () => recorded.map((tick) => tick.symbol),
      now,
      onTicks: (ticks) => seen.push(...ticks),
      onUp: () => undefined,
      onDown: (error) => failures.push(error),
    });
    const symbols = new Set(recorded.map((tick) => tick.symbol));
    await expect.poll(() => new Set(seen.map((tick) => tick.symbol)).size, { timeout: 15_000 }).toBe(symbols.size);
    await stream.stop();
    const prices = new Set(recorded.map((tick) => `${tick.symbol} ${tick.price}`));
    for (const tick of seen) expect(prices).toContain(`${tick.symbol} ${tick.price}`);
    expect(failures).toEqual([]);
  });
});

function tickersIn(frames: Record<string, unknown>[], quote: string): { symbol: string; price: number }[] {
  return frames.flatMap((frame) => {
    const row = (frame['data'] as Record<string, string>[] | undefined)?.[0] ?? (frame as Record<string, string>);
    const pair = row['instId'] ?? row['product_id'] ?? '';
    const price = Number(row['last'] ?? row['price']);
    const isTicker =
      frame['type'] === 'ticker' || (frame['arg'] as { channel?: string } | undefined)?.channel === 'tickers';
    const [symbol, currency, more] = pair.split('-');
    return isTicker && symbol && currency === quote && !more && price > 0 ? [{ symbol, price }] : [];
  });
}
