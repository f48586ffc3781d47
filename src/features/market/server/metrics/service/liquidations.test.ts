import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { derivativesReply } from '#features/market/contract/metrics.ts';
import type { DerivativesVenue } from '#sandbox/market/derivatives.ts';
import { liquidationsOf } from '#sandbox/market/liquidations.ts';
import { hasOrigin } from '#shared/figures.ts';
import { NOON, start, type TestProduct } from '#tests/support/start.ts';
import { observationsBetween, saveObservations } from '../store.ts';
import { type Liquidations, startLiquidations } from './liquidations.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const COINS = ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple'];
const SOURCES = ['okx', 'bybit', 'binance-futures'];
const SOON = { timeout: 20_000 };
const TIMING = { flushMs: 3_600_000, pingMs: 100, silentAfterMs: 5_000 };

let world: TestProduct;
let service: Liquidations | null = null;
beforeEach(async () => {
  world = await start();
});
afterEach(async () => {
  await service?.stop();
  service = null;
  await world.stop();
});

const begin = async (timing = TIMING) => {
  service = await startLiquidations(world.product.metrics.ctx, timing);
  return service;
};
const allUp = (of: Liquidations) =>
  expect.poll(() => SOURCES.filter((source) => of.isUp(source)), { timeout: 15_000 }).toEqual(SOURCES);

async function stored(source: string, side: 'long' | 'short'): Promise<Map<string, number>> {
  const { db, now } = world.product.metrics.ctx;
  const rows = await observationsBetween(db, `venue.liquidations.${side}`, new Date(0), now());
  return new Map(rows.filter((row) => row.source === source).map((row) => [row.observed_at.slice(11, 16), row.value]));
}
/** Liquidations on the simulated venue, in USD. */
function closed(venue: DerivativesVenue, side: 'long' | 'short', from: number, to: number): number {
  const { market } = world.sandbox;
  const events = COINS.flatMap((id) => liquidationsOf(market).between(venue, market.get(id), from, to));
  return events.filter((event) => event.side === side).reduce((sum, { usd }) => sum + usd, 0);
}
const near = (expected: number) => expect.closeTo(expected, expected > 1000 ? -Math.log10(expected / 20) : -2);

async function filled(of: Liquidations): Promise<void> {
  const hours = async () => {
    await of.flush();
    return (await stored('okx', 'long')).size;
  };
  await expect.poll(hours, { timeout: 20_000, interval: 300 }).toBeGreaterThanOrEqual(24);
}

/** Advances time in steps that count as connected, until Bybit's liquidations since noon are stored. */
async function pass(of: Liquidations, minutes: number): Promise<void> {
  for (let done = 0; done < minutes; done += 5) {
    world.advance(5 * MINUTE);
    await of.flush();
  }
  const to = world.clock.now().getTime();
  const atNoon = async (source: string, side: 'long' | 'short') => {
    await of.flush();
    return (await stored(source, side)).get('12:00');
  };
  const all = (venue: 'okx' | 'bybit', side: 'long' | 'short') => near(closed(venue, side, NOON.getTime() - 1, to));
  for (const side of ['long', 'short'] as const)
    await expect.poll(() => atNoon('bybit', side), SOON).toEqual(all('bybit', side));
  await expect.poll(() => atNoon('okx', 'long'), SOON).toEqual(all('okx', 'long'));
  await expect.poll(() => atNoon('binance-futures', 'long'), SOON).toBeGreaterThan(0);
}

describe('liquidations', () => {
  test('OKX fills the past day by REST; live liquidations add up by venue, side and hour, and survive a restart, on the page too', async () => {
    const first = await begin();
    await allUp(first);
    await filled(first);
    const at = NOON.getTime();
    const past = await stored('okx', 'long');
    for (const hour of [3, 11]) {
      const from = at - (12 - hour) * HOUR;
      const name = `${String(hour).padStart(2, '0')}:00`;
      expect(past.get(name)).toEqual(near(closed('okx', 'long', from - 1, from + HOUR - 1)));
    }
    expect(await stored('bybit', 'long')).toEqual(new Map([['12:00', 0]]));

    await pass(first, 20);
    const binance = (await stored('binance-futures', 'long')).get('12:00') ?? Number.NaN;
    expect(binance).toBeLessThanOrEqual(closed('binance', 'long', at, at + 20 * MINUTE) * 1.02);

    await first.stop();
    const second = await begin();
    await allUp(second);
    await pass(second, 10);

    // The page sums the last day, and names the venues and their monitored time.
    await world.job('metrics.listing');
    const { totals } = derivativesReply.parse(JSON.parse((await world.get('/api/derivatives')).body));
    const { long_liquidations: long, short_liquidations: short, meta } = totals.liquidations.metadata;
    expect(totals.liquidations.value).toBeCloseTo((long ?? 0) + (short ?? 0), 4);
    const now = NOON.getTime() + 30 * MINUTE;
    // The hour that began before the window is excluded.
    expect(long).toBeGreaterThan(closed('okx', 'long', NOON.getTime() - 23 * HOUR, now) * 0.98);
    const born = meta['long_liquidations'];
    expect(born && hasOrigin(born) && born).toMatchObject({
      source: 'Meridian',
      venues: expect.arrayContaining(['OKX', 'Bybit', 'Binance Futures']),
      collectedHours: 0.5,
      observedAt: new Date(now).toISOString(),
      terms: expect.stringMatching(/OKX 23\.\d h, Bybit 0\.5 h, Binance Futures 0\.5 h/),
    });
  });

  test('no data is no figure; then the sum of received events, with its hours and never scaled', async () => {
    const { ctx } = world.product.metrics;
    const heard = (at: number, value: number, minutes: number) =>
      saveObservations(
        ctx.db,
        (['long', 'short'] as const).map((side) => ({
          metric: `venue.liquidations.${side}`,
          source: 'bybit',
          value,
          observedAt: new Date(at),
          fetchedAt: ctx.now(),
          method: 'measured',
          detail: { minutes, through: ctx.now().toISOString() },
        })),
      );
    const shown = async () => {
      await world.job('metrics.listing');
      return derivativesReply.parse(JSON.parse((await world.get('/api/derivatives')).body)).totals.liquidations;
    };
    await heard(NOON.getTime(), 0, 0);
    const silent = await shown();
    expect([silent.value, silent.meta['value']]).toEqual([
      null,
      expect.objectContaining({ reason: 'No liquidation data received yet' }),
    ]);
    world.advance(30 * MINUTE);
    await heard(NOON.getTime() - 24 * HOUR, 6_000_000, 60);
    await heard(NOON.getTime() - 3 * HOUR, 500_000, 60);
    await heard(NOON.getTime(), 1_000_000, 30);
    const { value, meta } = await shown();
    expect([value, meta['value']]).toEqual([3_000_000, expect.objectContaining({ collectedHours: 1.5 })]);
  });

  test('an hour offline is not stored, a quiet one is zero; dropped and silent streams reconnect', async () => {
    const running = await begin({ ...TIMING, silentAfterMs: 2_000 });
    await allUp(running);
    await running.flush();
    world.sandbox.faults.set({ provider: 'bybit', kind: 'drop' });
    world.sandbox.faults.set({ provider: 'binance-futures', kind: 'silent' });
    await expect.poll(() => running.isUp('bybit') || running.isUp('binance-futures'), { timeout: 10_000 }).toBe(false);
    world.advance(2 * HOUR);
    await running.flush();
    const reply = JSON.parse((await world.get('/api/sources')).body) as { sources: { id: string; note: string }[] };
    const notes = new Map(reply.sources.map(({ id, note }) => [id, note]));
    expect(notes.get('bybit')).toMatch(/closed its stream|stream failed/);
    expect(notes.get('binance-futures')).toMatch(/silent/);
    world.sandbox.faults.clear();
    await allUp(running);
    await running.flush();
    expect([...(await stored('bybit', 'short')).keys()]).toEqual(['12:00', '14:00']);
    await filled(running);
    await expect
      .poll(
        async () => {
          await running.flush();
          return (await stored('okx', 'short')).has('13:00');
        },
        { timeout: 10_000 },
      )
      .toBe(true);
    expect((await stored('binance-futures', 'long')).has('13:00')).toBe(false);
  });
});
