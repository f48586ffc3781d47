import { expect, test } from 'vitest';

import { ruleOptions } from '#features/alerts/contract/thresholds.ts';

import { compileRule, initialState, type RuleRow } from './compile.ts';
import { createEngine } from './engine.ts';
import { replay } from './replay.ts';
import { isWithin } from './schedule.ts';

const MINUTE_MS = 60_000;
const at = (minute: number) => Date.UTC(2026, 8, 21, 9) + minute * MINUTE_MS;
const rule = (row: Partial<RuleRow>, options: object = {}): RuleRow => ({
  id: 1,
  userId: 1,
  metric: 'btc_price',
  condition: 'above',
  value: 65_000,
  ...row,
  options: ruleOptions.parse({ cooldownMinutes: 1, ...options }),
});

/** The minutes at which it fires, with one value per minute. */
function firesOf(row: RuleRow, values: readonly number[]): number[] {
  const series = compileRule(row).legs[0]?.series ?? '';
  const ticks = values.map((value, i) => ({ series, value, at: at(i) }));
  return replay(compileRule(row), ticks, initialState(row)).fires.map(([time]) => (time - at(0)) / MINUTE_MS);
}

test('a price that oscillates around the level alerts once per true crossing', () => {
  const flutter = Array.from({ length: 50 }, (_, i) => 65_000 + (i % 2 ? 60 : -60));
  expect(firesOf(rule({}), [64_000, ...flutter, 64_800, ...flutter])).toEqual([2, 53]);
  const { fires, crossings } = replay(
    compileRule(rule({})),
    flutter.map((value, i) => ({ series: 'btc_price', value, at: at(i) })),
    initialState(rule({})),
  );
  expect([fires.length, crossings]).toEqual([1, 25]);
});

test('a level rule saved while it holds does not fire; a becomes rule fires immediately', () => {
  expect(firesOf(rule({}), [66_000, 66_000, 64_000, 66_000])).toEqual([3]);
  const short = { metric: 'ai_prediction_short', value: 0 } as const;
  expect(firesOf(rule({ ...short, condition: 'changes_to_bullish' }), [1, 1, 0, 1])).toEqual([3]);
  expect(firesOf(rule({ ...short, condition: 'becomes_bullish' }), [1, 1, 0, 1])).toEqual([0, 3]);
  expect(firesOf(rule({ ...short, condition: 'above' }), [0, 1, -1, 0, 1])).toEqual([1, 4]);
});

test('equal means equal as displayed, or passed through', () => {
  const fear = rule({ metric: 'fear_greed', condition: 'equals', value: 50 });
  expect(firesOf(fear, [48, 49.6, 50.4, 48.4, 49.5])).toEqual([1, 4]);
  expect(firesOf(fear, [30, 70, 30, 70])).toEqual([1, 2, 3]);
});

test('hold time, cooldown, expiry, once and schedule', () => {
  expect(firesOf(rule({}, { holdMinutes: 3 }), [64_000, 65_001, 65_002, 64_000, 65_001, 1e5, 1e5, 1e5])).toEqual([7]);
  expect(firesOf(rule({}, { cooldownMinutes: 4 }), [1, 1e5, 1, 1e5, 1, 1e5, 1e5, 1, 1e5])).toEqual([1, 5]);
  expect(firesOf(rule({}, { mode: 'once' }), [1, 1e5, 1, 1e5])).toEqual([1]);
  expect(firesOf(rule({}, { expiresAt: new Date(at(3)).toISOString() }), [1, 1e5, 1, 1e5, 1, 1e5])).toEqual([1]);
  const night = { days: [0], from: '22:00', to: '09:02', timeZone: 'UTC' };
  expect(firesOf(rule({}, { schedule: night }), [1, 1e5, 1, 1e5, 1, 1e5])).toEqual([1]);
});

test('both of two conditions, in either order of becoming true', () => {
  const both = rule({}, { and: { metric: 'fear_greed', condition: 'below', value: 30 } });
  const engine = createEngine();
  engine.add(compileRule(both), initialState(both));
  const fires = (
    [
      ['btc_price', 64_000],
      ['btc_price', 66_000],
      ['fear_greed', 50],
      ['fear_greed', 25],
      ['fear_greed', 30.5],
      ['btc_price', 64_000],
      ['btc_price', 66_000],
    ] as const
  ).map(([series, value], i) => engine.tick({ series, value, at: at(i) }).some(({ fired }) => fired));
  expect(fires).toEqual([false, false, false, true, false, false, true]);
});

test('a late value is not judged, and neither is a non-number', () => {
  const engine = createEngine();
  engine.add(compileRule(rule({})), initialState(rule({})));
  engine.tick({ series: 'btc_price', value: 64_000, at: at(5) });
  expect(engine.tick({ series: 'btc_price', value: 70_000, at: at(4) })).toEqual([]);
  expect(engine.tick({ series: 'btc_price', value: NaN, at: at(6) })).toEqual([]);
  expect(engine.tick({ series: 'btc_price', value: Infinity, at: at(6) })).toEqual([]);
  expect(engine.value('btc_price')).toEqual({ value: 64_000, at: at(5) });
  expect(engine.tick({ series: 'btc_price', value: 70_000, at: at(5) }).map(({ fired }) => fired)).toEqual([true]);
});

test('a schedule keeps its local time through daylight saving changes', () => {
  const office = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', timeZone: 'America/New_York' };
  const open = (time: string) => isWithin(office, Date.parse(time));
  expect(['2026-10-30T13:00Z', '2026-10-30T12:59Z', '2026-10-30T21:00Z'].map(open)).toEqual([true, false, false]);
  expect(['2026-11-02T13:59Z', '2026-11-02T14:00Z', '2026-11-01T15:00Z'].map(open)).toEqual([false, true, false]);
  const allDay = { days: [6], from: '00:00', to: '00:00', timeZone: 'UTC' };
  expect(isWithin(allDay, Date.parse('2026-11-07T23:59Z'))).toBe(true);
  expect(isWithin(allDay, Date.parse('2026-11-08T00:00Z'))).toBe(false);
});

test('schedule, expiry and cooldown use the arrival time of a value; ordering uses its own time', () => {
  const engine = createEngine();
  const day = (date: number, hour = 0) => Date.UTC(2026, 8, date, hour);
  const schedule = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', timeZone: 'UTC' };
  const expiresAt = new Date(day(24, 12)).toISOString();
  const options = {
    mode: 'every',
    cooldownMinutes: 60,
    margin: 0,
    holdMinutes: 0,
    and: null,
    expiresAt,
    schedule,
  } as const;
  const row = { id: 1, userId: 1, metric: 'fear_greed', condition: 'below', value: 25, options } as const;
  engine.add(compileRule(row), initialState(row));
  const say = (value: number, at: number, knownAt: number) =>
    engine.tick({ series: 'fear_greed', value, at, knownAt }).map(({ fired, silenced }) => silenced ?? fired);
  expect(say(30, day(21), day(21, 10))).toEqual([false]);
  expect(say(20, day(22), day(22, 10))).toEqual([true]);
  expect(engine.state(1)?.lastFiredAt).toBe(day(22, 10));
  expect(say(30, day(22, 1), day(22, 10))).toEqual([false]);
  expect(say(20, day(22, 10), day(22, 10))).toEqual(['cooldown']);
  expect(say(30, day(23), day(23, 10))).toEqual([false]);
  expect(say(20, day(23, 10), day(23, 20))).toEqual(['schedule']);
  expect(say(30, day(24), day(24, 10))).toEqual([false]);
  expect(say(20, day(24, 1), day(24, 13))).toEqual(['expired']);
});
