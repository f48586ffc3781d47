import fc from 'fast-check';
import { expect, test } from 'vitest';

import { createSnapshot } from '#features/market/server/metrics/snapshot.ts';
import type { Observation, StoredObservation } from '#features/market/server/metrics/types.ts';
import { deriveDerivatives } from '../derive.ts';

const at = new Date('2026-11-20T12:00:00Z');
const VENUES = ['okx', 'bybit', 'binance-futures', 'deribit', 'kraken-futures', 'hyperliquid'];
const ASSETS = ['btc', 'eth', 'sol', 'sui', 'xrp'];

type Given = { venue: string; asset: string; oi: number | null; funding: number | null; ageMinutes: number };
const given = fc.uniqueArray(
  fc.record({
    venue: fc.constantFrom(...VENUES),
    asset: fc.constantFrom(...ASSETS),
    oi: fc.option(fc.double({ min: 0, max: 5e10, noNaN: true })),
    funding: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
    ageMinutes: fc.integer({ min: 0, max: 60 }),
  }),
  { selector: ({ venue, asset }) => `${venue} ${asset}`, maxLength: 30 },
);

function derived(rows: Given[]): Map<string, Observation> {
  const stored = rows.flatMap(({ venue, asset, oi, funding, ageMinutes }) => {
    const observed_at = new Date(at.getTime() - ageMinutes * 60_000).toISOString();
    const row = (metric: string, value: number | null): StoredObservation[] =>
      value === null
        ? []
        : [{ metric, source: venue, observed_at, value, detail: null, fetched_at: observed_at, method: 'measured' }];
    return [...row(`venue.oi.${asset}`, oi), ...row(`venue.funding.${asset}`, funding)];
  });
  const snapshot = createSnapshot({ at, mode: 'live', now: stored, before: [], nameOf: (id) => id });
  return new Map(deriveDerivatives(snapshot).map((row) => [row.metric, row]));
}

test('sums cover only the fresh venues, which are named; without any venue there is no sum, not a zero', () => {
  fc.assert(
    fc.property(given, (rows) => {
      const result = derived(rows);
      const fresh = rows.filter(({ ageMinutes, oi }) => ageMinutes <= 20 && oi !== null);
      for (const [metric, asset] of [
        ['oi.total', null],
        ['oi.btc', 'btc'],
        ['oi.eth', 'eth'],
      ] as const) {
        const counted = fresh.filter((row) => asset === null || row.asset === asset);
        const found = result.get(metric);
        expect(found === undefined).toBe(counted.length === 0);
        if (!found) continue;
        const sum = counted.reduce((total, { oi }) => total + (oi ?? 0), 0);
        expect(found.value).toBeCloseTo(sum, sum > 1 ? -Math.log10(sum) + 9 : 6);
        expect(found.detail?.venues?.toSorted()).toEqual([...new Set(counted.map(({ venue }) => venue))].toSorted());
        const oldest = Math.max(...counted.map(({ ageMinutes }) => ageMinutes));
        expect(found.observedAt.getTime()).toBe(at.getTime() - oldest * 60_000);
      }
    }),
  );
});

test('funding is an interest-weighted mean: between the extremes, ignoring stale venues and those without interest', () => {
  fc.assert(
    fc.property(given, (rows) => {
      const counted = rows.filter(
        ({ ageMinutes, oi, funding }) => ageMinutes <= 20 && oi !== null && oi > 0 && funding !== null,
      );
      const found = derived(rows).get('funding.market');
      expect(found === undefined).toBe(counted.length === 0);
      if (!found) return;
      const rates = counted.map(({ funding }) => funding ?? 0);
      expect(found.value).toBeGreaterThanOrEqual(Math.min(...rates) - 1e-9);
      expect(found.value).toBeLessThanOrEqual(Math.max(...rates) + 1e-9);
      const weight = counted.reduce((sum, { oi }) => sum + (oi ?? 0), 0);
      const mean = counted.reduce((sum, { oi, funding }) => sum + ((oi ?? 0) / weight) * (funding ?? 0), 0);
      expect(found.value).toBeCloseTo(mean, 9);
      expect(found.detail?.venues?.toSorted()).toEqual([...new Set(counted.map(({ venue }) => venue))].toSorted());
    }),
  );
});

test('a weight too small for a double to halve still yields its venue’s rate', () => {
  const rows = [{ venue: 'okx', asset: 'btc', oi: Number.MIN_VALUE, funding: 0.4, ageMinutes: 0 }];
  expect(derived(rows).get('funding.market')?.value).toBe(0.4);
});

test('one venue with all the open interest decides', () => {
  const row = (venue: string, oi: number, funding: number): Given => ({
    venue,
    asset: 'btc',
    oi,
    funding,
    ageMinutes: 0,
  });
  expect(derived([row('okx', 1e9, 0.01), row('bybit', 0, 5)]).get('funding.btc')?.value).toBeCloseTo(0.01, 12);
  expect(derived([row('okx', 1e9, 0.01), row('bybit', 3e9, 0.05)]).get('funding.btc')?.value).toBeCloseTo(0.04, 12);
});
