import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Event, getEventStudy } from '#features/events/contract.ts';
import { type Started, start } from '#tests/support/start.ts';

import { addDays, dayOf } from './days.ts';
import { percent } from './service/figures.ts';
import { averageMove, type Closes, cellOf, moveAround, surprisesOf } from './service/study.ts';

describe('GET /api/events/study', () => {
  let s: Started;
  beforeAll(async () => {
    s = await start();
    await s.job('market.listing');
    for (const coinId of ['bitcoin', 'ethereum']) await s.job('market.backfill', { coinId });
    await s.job('inflation.refresh');
    await s.job('events.collect');
  });
  afterAll(() => s.stop());

  test('200: asset, window and sign with n and interval, "too few" below 8; its events are prints of the past', async () => {
    const answer = await s.get('/api/events/study?kind=cpi');
    const study = getEventStudy.reply.parse(answer.json());
    expect(study).toMatchObject({ kind: 'cpi', name: 'Consumer Price Index' });
    expect(study.cells).toHaveLength(2 * 3 * 4);
    expect(study.events.length).toBeGreaterThanOrEqual(8);
    for (const { n, mean, low, high } of study.cells) {
      if (n < 8) expect([mean, low, high]).toEqual([null, null, null]);
      else expect((low ?? 0) < (mean ?? 0) && (mean ?? 0) < (high ?? 0)).toBe(true);
    }
    for (const asset of ['BTC', 'ETH'] as const) {
      const ofDay = study.cells.filter((cell) => cell.asset === asset && cell.window === '24h');
      const n = Object.fromEntries(ofDay.map((cell) => [cell.sign, cell.n]));
      expect((n['above'] ?? 0) + (n['in line'] ?? 0) + (n['below'] ?? 0)).toBeLessThanOrEqual(n['all'] ?? 0);
      expect(n['all']).toBe(study.events.length);
    }
    expect(study.from).toBe(study.events.at(-1)?.date);
    expect(study.to).toBe(study.events[0]?.date);
    for (const { date } of study.events) expect(date < '2026-11-20').toBe(true);
  });

  test('400: a kind that is not studied', async () => {
    expect((await s.get('/api/events/study?kind=weather')).statusCode).toBe(400);
    expect((await s.get('/api/events/study')).statusCode).toBe(400);
  });

  test('a data release has its figures from the official prices: what came out, what the next one follows', async () => {
    const events = (await s.get('/api/events')).json<Event[]>();
    const ppi = events.filter(({ kind }) => kind === 'ppi');
    const last = ppi.find(({ status }) => status === 'past');
    const next = ppi.find(({ status }) => status === 'upcoming');
    expect(last?.figures?.actual).toMatch(/^[+−]?\d\.\d%$/);
    expect(next?.figures).toMatchObject({ actual: null, previous: last?.figures?.actual });
    expect(ppi.filter(({ status }) => status === 'upcoming')[1]?.figures).toBeNull();
  });
});

test.each([
  [0.3, '+0.3%'],
  [-0.25, '−0.3%'],
  [0.04, '0.0%'],
  [-0.04, '0.0%'],
  [null, null],
])('a rate of %s is written %s', (value, text) => expect(percent(value)).toBe(text));

describe('the measure', () => {
  const print = (i: number, consensus: number | null) => ({
    period: `2024-${String(i).padStart(2, '0')}`,
    releasedAt: new Date(Date.UTC(2024, i, 12, 12, 30)),
    actual: 0.3,
    isFirstPrint: true,
    consensus,
    nowcast: null,
    previous: 0.1,
  });

  test('a surprise is one against the consensus where eight releases have one, else against the month before', () => {
    const eight = Array.from({ length: 8 }, (_, i) => print(i, 0.2));
    expect(surprisesOf([...eight, print(9, null)]).events.map(({ surprise }) => surprise)).toEqual(Array(8).fill(0.1));
    const seven = surprisesOf([...eight.slice(1), print(9, null)]);
    expect(seven.against).toContain('too few releases have a stored consensus');
    expect(seven.events.map(({ surprise }) => surprise)).toEqual(Array(8).fill(0.2));
  });

  test('a missing close leaves the event out, it is never filled', () => {
    const closes = new Map([
      ['2026-01-01', 100],
      ['2026-01-02', 110],
      ['2026-01-04', 120],
    ]);
    expect(moveAround(closes, '2026-01-02', 1)).toBeCloseTo(100 * Math.log(1.1));
    expect(moveAround(closes, '2026-01-02', 3)).toBeCloseTo(100 * Math.log(1.2));
    expect(moveAround(closes, '2026-01-03', 1)).toBeNull();
    expect(moveAround(closes, '2026-01-04', 1)).toBeNull();
  });

  /** A market with fat tails, clusters of unrest and an upward drift, in which no day means anything. */
  function market(random: () => number): Closes {
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const closes = new Map<string, number>();
    let [log, unrest] = [0, 0];
    for (let i = 0; i < 1500; i++) {
      unrest = 0.95 * unrest + 0.15 * normal();
      const chi = -2 * Math.log((1 - random()) * (1 - random()));
      log += 0.0015 + 0.025 * Math.exp(unrest) * (normal() / Math.sqrt(chi / 4)) * Math.SQRT1_2;
      closes.set(dayOf(addDays(new Date(Date.UTC(2020, 0, 1)), i)), Math.exp(log));
    }
    return closes;
  }

  function generator(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
    };
  }

  test('placebo: on random dates a cell stands out at most 5% of the time', () => {
    const random = generator(11);
    let [significant, cells] = [0, 0];
    for (let trial = 0; trial < 60; trial++) {
      const closes = market(random);
      const days = [...closes.keys()].slice(10, -10);
      for (const length of [1, 3, 7]) {
        const average = averageMove(closes, days[0] ?? '', days.at(-1) ?? '', length);
        for (const n of [8, 12, 20, 40]) {
          const moves = Array.from(
            { length: n },
            () => moveAround(closes, days[Math.floor(random() * days.length)] ?? '', length) ?? 0,
          );
          const { low, high } = cellOf(moves, average);
          cells += 1;
          if ((low ?? 0) > 0 || (high ?? 0) < 0) significant += 1;
        }
      }
    }
    expect(cells).toBe(720);
    expect(significant / cells).toBeLessThanOrEqual(0.05);
  });

  test('a true effect of two points is seen', () => {
    const random = generator(5);
    const moves = Array.from({ length: 40 }, () => 2 + 3 * (random() + random() + random() - 1.5));
    expect(cellOf(moves, 0).low).toBeGreaterThan(0);
    expect(cellOf(moves.slice(0, 7), 0)).toEqual({ n: 7, mean: null, low: null, high: null });
  });
});
