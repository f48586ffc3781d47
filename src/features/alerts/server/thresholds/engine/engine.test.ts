import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { compileRule, initialState, type RuleRow } from './compile.ts';
import { createEngine } from './engine.ts';
import { type Logged, naiveRule } from './fixtures/naive.ts';
import { random, randomRule, randomTicks } from './fixtures/random.ts';
import { replay } from './replay.ts';
import type { Change, Engine, RuleState, Stateful, Tick } from './types.ts';

const byTimeAndRule = (a: Logged, b: Logged) => a.at - b.at || a.id - b.id || a.what.localeCompare(b.what);
const logged = (changes: readonly Change[], at: number): Logged[] =>
  changes.flatMap(({ id, fired, silenced }) =>
    fired || silenced ? [{ id, at, what: fired ? ('fired' as const) : ('silent' as const) }] : [],
  );
const loaded = (rows: readonly RuleRow[]) => {
  const engine = createEngine();
  for (const row of rows) engine.add(compileRule(row), initialState(row));
  return engine;
};
function fill(engine: Engine, rules: readonly Stateful[]): Engine {
  const { take, done } = engine.load();
  for (const rule of rules) take(rule);
  done();
  return engine;
}
const stateful = (row: RuleRow): Stateful => ({ rule: compileRule(row), state: initialState(row) });
const run = (engine: Engine, ticks: readonly Tick[]) => ticks.flatMap((tick) => logged(engine.tick(tick), tick.at));

function naively(rows: readonly RuleRow[], ticks: readonly Tick[]): Logged[] {
  const rules = rows.map(naiveRule);
  const log: Logged[] = [];
  for (const tick of ticks)
    for (const rule of rules) {
      const entry = rule.see(tick);
      if (entry) log.push(entry);
    }
  return log;
}

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const worlds = (rules: number, ticks: number) =>
  fc
    .record({ seed: seeds, rules: fc.integer({ min: 1, max: rules }), ticks: fc.integer({ min: 1, max: ticks }) })
    .map(({ seed, rules: count, ticks: length }) => {
      const rnd = random(seed);
      return { rows: Array.from({ length: count }, (_, i) => randomRule(rnd, i + 1)), ticks: randomTicks(rnd, length) };
    });

describe('the engine', () => {
  test('matches a naive state machine: 2,000 rules, 0 differences', () => {
    const rnd = random(2026);
    const rows = Array.from({ length: 2_000 }, (_, i) => randomRule(rnd, i + 1));
    const ticks = randomTicks(rnd, 500);
    const live = run(loaded(rows), ticks).toSorted(byTimeAndRule);
    const naive = naively(rows, ticks).toSorted(byTimeAndRule);
    expect(naive.filter(({ what }) => what === 'fired').length).toBeGreaterThan(3_000);
    expect(naive.filter(({ what }) => what === 'silent').length).toBeGreaterThan(300);
    expect(live.length).toBe(naive.length);
    expect(live.filter((entry, i) => byTimeAndRule(entry, naive[i] as Logged) !== 0)).toEqual([]);
  });

  test('matches it for any rule on any values, rule by rule and in any order of adding', () => {
    fc.assert(
      fc.property(worlds(40, 120), seeds, ({ rows, ticks }, seed) => {
        const expected = naively(rows, ticks).toSorted(byTimeAndRule);
        const rnd = random(seed);
        const shuffled = rows
          .map((row) => ({ row, key: rnd() }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ row }) => row);
        expect(run(loaded(shuffled), ticks).toSorted(byTimeAndRule)).toEqual(expected);
        const bulk = fill(createEngine(), rows.map(stateful));
        expect(run(bulk, ticks).toSorted(byTimeAndRule)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test('fires live exactly when a replay does', () => {
    fc.assert(
      fc.property(worlds(30, 150), ({ rows, ticks }) => {
        const live = run(loaded(rows), ticks);
        for (const row of rows) {
          const { fires, silenced } = replay(compileRule(row), ticks, initialState(row));
          const own = live.filter(({ id }) => id === row.id);
          expect(fires.map(([at]) => at)).toEqual(own.flatMap(({ what, at }) => (what === 'fired' ? [at] : [])));
          expect(silenced).toBe(own.filter(({ what }) => what === 'silent').length);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('continues from stored state after any number of restarts as if uninterrupted', () => {
    fc.assert(
      fc.property(worlds(40, 120), fc.array(fc.nat(119), { maxLength: 10 }), ({ rows, ticks }, restarts) => {
        const expected = run(loaded(rows), ticks).toSorted(byTimeAndRule);
        const states = new Map(rows.map((row): [number, RuleState] => [row.id, initialState(row)]));
        const last = new Map<string, Tick>();
        const start = () => {
          const engine = createEngine();
          for (const tick of last.values()) engine.recall(tick);
          return fill(
            engine,
            rows.map((row) => ({ rule: compileRule(row), state: states.get(row.id) as RuleState })),
          );
        };
        let engine = start();
        const log = ticks.flatMap((tick, i) => {
          if (restarts.includes(i)) engine = start();
          const changes = engine.tick(tick);
          for (const { id, state } of changes) states.set(id, state);
          if (tick.at >= (last.get(tick.series)?.at ?? -Infinity)) last.set(tick.series, tick);
          return logged(changes, tick.at);
        });
        expect(log.toSorted(byTimeAndRule)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test('stays in step while rules are added, changed and removed', () => {
    fc.assert(
      fc.property(worlds(60, 150), seeds, ({ rows, ticks }, seed) => {
        const rnd = random(seed);
        const engine = createEngine();
        // Half of them existed before.
        const before = rows.filter(() => rnd() < 0.5);
        fill(engine, before.map(stateful));
        const naive = new Map(before.map((row): [number, ReturnType<typeof naiveRule>] => [row.id, naiveRule(row)]));
        const newest = new Map<string, Tick>();
        const live: Logged[] = [];
        const expected: Logged[] = [];
        for (const tick of ticks) {
          const row = rows[Math.floor(rnd() * rows.length)] as RuleRow;
          if (rnd() < 0.5) {
            const change = engine.add(compileRule(row), initialState(row));
            const at = Math.max(...compileRule(row).legs.map(({ series }) => newest.get(series)?.at ?? -Infinity));
            const rule = naiveRule(row);
            naive.set(row.id, rule);
            // Evaluates current values: both conditions at once.
            const seen = rule.see(...newest.values());
            live.push(...logged(change ? [change] : [], at));
            if (seen) expected.push(seen);
          } else {
            engine.remove(row.id);
            naive.delete(row.id);
          }
          expect(engine.size()).toBe(naive.size);
          live.push(...logged(engine.tick(tick), tick.at));
          for (const rule of naive.values()) expected.push(...[rule.see(tick) ?? []].flat());
          if (tick.at >= (newest.get(tick.series)?.at ?? -Infinity)) newest.set(tick.series, tick);
        }
        expect(live.toSorted(byTimeAndRule)).toEqual(expected.toSorted(byTimeAndRule));
      }),
      { numRuns: 300 },
    );
  });

  test('gives the same result whether rules of one series are loaded together or one by one', () => {
    const rnd = random(7);
    const rows = Array.from({ length: 8_000 }, (_, i): RuleRow => {
      const row = randomRule(rnd, 1 + ((i * 7919) % 8_000));
      return {
        ...row,
        metric: 'btc_price',
        condition: (['above', 'below', 'equals'] as const)[i % 3] ?? 'above',
        value: (rnd() - 0.5) * 100,
        options: { ...row.options, and: null },
      };
    });
    const ticks = Array.from(
      { length: 60 },
      (_, i): Tick => ({ series: 'btc_price', value: (rnd() - 0.5) * 110, at: 60_000 * i }),
    );
    const [one, all] = [loaded(rows), fill(createEngine(), rows.map(stateful))];
    for (const id of [1, 4_000, 8_000])
      expect([one.remove(id), all.remove(id), all.remove(id)]).toEqual([true, true, false]);
    expect(new Set(all.rulesOf(new Set([3, 4])))).toEqual(new Set(one.rulesOf(new Set([3, 4]))));
    const told = run(one, ticks).toSorted(byTimeAndRule);
    expect(told.length).toBeGreaterThan(3_000);
    expect(run(all, ticks).toSorted(byTimeAndRule)).toEqual(told);
    const states = (engine: Engine) => rows.map(({ id }) => JSON.stringify(engine.state(id)));
    expect(states(all)).toEqual(states(one));
  });
});
