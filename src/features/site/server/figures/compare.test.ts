import { expect, test } from 'vitest';

import { createSnapshot } from '#features/market/server/metrics/snapshot.ts';
import { compareSources } from './compare.ts';

const at = new Date('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;

type Given = readonly [metric: string, source: string, value: number, ageMinutes?: number];

const compared = (metric: string, ...rows: Given[]) => {
  const now = rows.map(([metric, source, value, ageMinutes = 1]) => {
    const observed_at = new Date(at.getTime() - ageMinutes * MINUTE_MS).toISOString();
    return { metric, source, value, observed_at, fetched_at: observed_at, detail: null, method: 'measured' as const };
  });
  const snapshot = createSnapshot({ at, mode: 'live', now, before: [], nameOf: (id) => id.toUpperCase() });
  const { comparison, sources } = compareSources(snapshot, metric);
  return {
    comparison,
    sources: sources.map(({ source, value, difference, isShown }) => [
      source,
      Number(value.toFixed(4)),
      difference === null ? null : Number(difference.toFixed(4)),
      isShown,
    ]),
  };
};

test('each source has its distance from the figure in percent; a stale one is not compared', () => {
  expect(
    compared(
      'market.cap',
      ['market.cap', 'coingecko', 200],
      ['market.cap', 'meridian', 199],
      ['market.cap', 'coinpaprika', 150, 60],
    ),
  ).toEqual({
    comparison: 'percent',
    sources: [
      ['COINGECKO', 200, 0, true],
      ['Meridian', 199, -0.5, false],
      ['COINPAPRIKA', 150, null, false],
    ],
  });
});

test('market shares differ in points', () => {
  expect(compared('dominance.btc', ['dominance.btc', 'coingecko', 57], ['dominance.btc', 'coinpaprika', 57.5])).toEqual(
    {
      comparison: 'points',
      sources: [
        ['COINPAPRIKA', 57.5, 0.5, false],
        ['COINGECKO', 57, 0, true],
      ],
    },
  );
});

test('open interest is each venue’s total over all assets; a stale venue adds nothing', () => {
  expect(
    compared(
      'oi.total',
      ['oi.total', 'meridian', 400],
      ['venue.oi.btc', 'okx', 100],
      ['venue.oi.eth', 'okx', 200],
      ['venue.oi.btc', 'bybit', 100],
      ['venue.oi.btc', 'deribit', 900, 21],
    ),
  ).toEqual({
    comparison: 'share',
    sources: [
      ['OKX', 300, 75, false],
      ['BYBIT', 100, 25, false],
    ],
  });
  expect(compared('oi.eth', ['venue.oi.btc', 'okx', 100]).sources).toEqual([]);
});

test('a venue’s funding is its mean over assets, weighted by open interest, and differs in points', () => {
  expect(
    compared(
      'funding.market',
      ['funding.market', 'meridian', 0.02],
      ['venue.funding.btc', 'okx', 0.01],
      ['venue.funding.eth', 'okx', 0.05],
      ['venue.oi.btc', 'okx', 300],
      ['venue.oi.eth', 'okx', 100],
      ['venue.funding.btc', 'bybit', 0.03],
    ),
  ).toEqual({ comparison: 'points', sources: [['OKX', 0.02, 0, false]] });
});

test('a figure without sources has nothing to compare', () => {
  expect(compared('addresses.btc.new')).toEqual({ comparison: 'percent', sources: [] });
});
