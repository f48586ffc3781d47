import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Started, start } from '#tests/support/start.ts';

import { startLiveTicks } from '../providers/live-ticks.ts';
import { type Collector, startCollector } from './collector.ts';

let s: Started;
let collector: Collector;
const find = (id: string) => s.product.market.ctx.board.find(id);
const stateOf = (id: string) => s.product.market.sources().find((source) => source.id === id)?.state;

beforeAll(async () => {
  s = await start({ env: { COIN_LIMIT: '250' } });
  await s.job('market.listing');
  collector = startCollector(s.product.market.ctx);
});
afterAll(async () => {
  await collector.stop();
  await s.stop();
});

describe('the collector', () => {
  test('opens both venues and moves the prices of what they list', async () => {
    await expect.poll(() => [stateOf('coinbase'), stateOf('okx')], { timeout: 20_000 }).toEqual(['ok', 'ok']);
    s.advance(5_000);
    // Whichever venue speaks first keeps the coin.
    await expect.poll(() => find('bitcoin')?.meta.source, { timeout: 10_000 }).toMatch(/Coinbase|OKX/);
    const before = find('bitcoin')?.meta.observedAt ?? '';
    s.advance(10_000);
    await expect.poll(() => find('bitcoin')?.meta.observedAt, { timeout: 10_000 }).not.toBe(before);
    const ticking = s.product.market.ctx.board.prices().filter((coin) => coin.meta.source !== 'CoinGecko');
    expect(ticking.length).toBeGreaterThan(100);
  });

  test('a dropped stream is named and comes back by itself; numbers stay', async () => {
    const before = find('ethereum')?.price;
    s.sandbox.faults.set({ kind: 'drop', provider: 'coinbase' });
    await expect.poll(() => stateOf('coinbase'), { timeout: 10_000 }).toBe('down');
    expect(find('ethereum')?.price).toBe(before);
    s.sandbox.faults.clear();
    await expect.poll(() => stateOf('coinbase'), { timeout: 20_000 }).toBe('ok');
  });
});

describe('a venue that says nothing', () => {
  test('its connection is dropped after the silence, and said to be silent', async () => {
    s.sandbox.faults.set({ kind: 'silent', provider: 'coinbase' });
    const { config, now } = s.product.market.ctx;
    const heard: string[] = [];
    const stream = startLiveTicks({
      venue: {
        source: 'coinbase',
        name: 'Coinbase',
        ccxtId: 'coinbaseexchange',
        quote: 'USD',
        restUrl: config.COINBASE_BASE_URL,
        wsUrl: config.COINBASE_WS_URL,
      },
      symbols: () => ['BTC'],
      now,
      onTicks: () => heard.push('tick'),
      onUp: () => undefined,
      onDown: (error) => heard.push(error.message),
      silentAfterMs: 300,
    });
    await expect.poll(() => heard[0], { timeout: 10_000 }).toBe("Coinbase's stream went silent");
    await stream.stop();
    s.sandbox.faults.clear();
  });
});
