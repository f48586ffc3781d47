import { describe, expect, test } from 'vitest';

import { coin, meta, NOON, others, source, top } from './fixtures.ts';
import { sourceNote, toQuote, trackedRows, withTick } from './quote.ts';

const row = coin({ id: 'bitcoin', price: 100, change_24h: 1, market_cap: 5000, meta: meta({ observedMs: NOON }) });
const tick = (at: number, cap: number | null = null) => ({ price: 120, change: 2, cap, source: 'binance', at });

describe('a tick and its row', () => {
  test('a newer tick replaces price and change, and the cap if it has one', () => {
    expect(toQuote(row, tick(NOON + 1))).toEqual({ price: 120, change: 2, cap: 5000, at: NOON + 1 });
    expect(toQuote(row, tick(NOON + 1, 6000)).cap).toBe(6000);
  });

  test.each([NOON, NOON - 1])('a tick that is not newer is ignored', (at) => {
    expect(toQuote(row, tick(at)).price).toBe(100);
    expect(withTick(row, tick(at))).toBe(row);
  });

  test('the patched row names the tick as source, keeps its validity period and widens the range', () => {
    const patched = withTick(row, tick(NOON + 5000));
    expect(patched).toMatchObject({ price: 120, high_24h: 120, low_24h: 90 });
    expect(patched.meta).toMatchObject({
      source: 'binance',
      method: 'measured',
      observedAt: '2026-11-21T12:00:05.000Z',
    });
    expect(Date.parse(patched.meta.staleAfter) - Date.parse(patched.meta.observedAt)).toBe(600_000);
  });

  test('a price in USDT is computed, and so is a cap that arrives with a tick; an unnamed source changes nothing', () => {
    const methods = (change: Partial<ReturnType<typeof tick>>) => {
      const patched = withTick(row, { ...tick(NOON + 1), ...change });
      return [patched.meta.method, patched.listing.method];
    };
    expect(methods({})).toEqual(['measured', 'measured']);
    expect(methods({ source: 'okx' })).toEqual(['computed', 'measured']);
    expect(methods({ cap: 6000 })).toEqual(['measured', 'computed']);
    expect(methods({ source: '' })).toEqual(['measured', 'measured']);
  });

  test('demo stays demo after a patch', () => {
    const demo = { ...row, meta: meta({ method: 'demo' }), listing: meta({ method: 'demo' }) };
    const patched = withTick(demo, { ...tick(NOON + 1, 6000), source: 'okx' });
    expect([patched.meta.method, patched.listing.method]).toEqual(['demo', 'demo']);
  });
});

test('the first five are the tracked coins in fixed order, whatever order they arrive in', () => {
  const rows = trackedRows([...others, ...top.toReversed()]);
  expect(rows.map(({ symbol }) => symbol)).toEqual(['BTC', 'ETH', 'SOL', 'SUI', 'XRP']);
});

describe('the source note', () => {
  const paprika = top.map((r) => ({ ...r, listing: meta({ source: 'coinpaprika' }) }));
  test('is empty while all is well', () => {
    expect(sourceNote(top, [source('coingecko', 'CoinGecko')])).toBeNull();
  });
  test('names the responding and failing sources', () => {
    const sources = [source('coingecko', 'CoinGecko', 'rate_limited'), source('coinpaprika', 'CoinPaprika')];
    expect(sourceNote(paprika, sources)).toBe('CoinPaprika is responding: CoinGecko is rate-limited');
  });
  test('matches the responding one by its name in the rows', () => {
    const sources = [source('coingecko', 'CoinGecko', 'down'), source('coinpaprika', 'CoinPaprika')];
    const named = paprika.map((row) => ({ ...row, listing: { ...row.listing, source: 'CoinPaprika' } }));
    expect(sourceNote(named, sources)).toBe('CoinPaprika is responding: CoinGecko is down');
  });
  test('reports that figures remain when no source takes over', () => {
    expect(sourceNote(top, [source('coingecko', 'CoinGecko', 'down')])).toBe(
      'CoinGecko is down. The values remain, with their age.',
    );
  });
});
