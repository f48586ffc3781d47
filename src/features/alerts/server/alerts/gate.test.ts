import { describe, expect, test } from 'vitest';
import { getLevels, LEVELS, type LevelName } from './levels.ts';
import { activeStep, type Gate, passGate } from './raise.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-20T12:00:00Z');

/** Alerts for values an hour apart, as [index of the value, level]. */
function told(name: LevelName, values: readonly number[], hours = 1, first?: Gate): [number, number][] {
  let gate = first;
  return values.flatMap((value, i): [number, number][] => {
    const passed = passGate(gate, getLevels(name), value, new Date(START + i * hours * HOUR_MS));
    if (!passed) return [];
    gate = passed.next;
    return passed.crossing ? [[i, passed.crossing.level]] : [];
  });
}

describe('the levels', () => {
  test.each(Object.entries(LEVELS))(
    '%s: as many clear levels and severities as levels, each clear level on the quiet side',
    (name) => {
      const { raise, clear, severity, below } = getLevels(name as LevelName);
      expect([clear.length, severity.length]).toEqual([raise.length, raise.length]);
      const sign = below ? -1 : 1;
      raise.forEach((level, i) => {
        expect(sign * level).toBeGreaterThan(sign * (clear[i] ?? 0));
        expect(sign * level).toBeGreaterThan(sign * (raise[i - 1] ?? -sign * Number.POSITIVE_INFINITY));
      });
    },
  );
});

describe('a gate', () => {
  test('records its first observation without firing, even far beyond the level', () => {
    expect(told('LIQUIDATION_SPIKE', [50, 50, 50])).toEqual([]);
  });

  test('oscillating around a level fires once', () => {
    const wobble = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 2.9 : 3.1));
    expect(told('LIQUIDATION_SPIKE', [1, ...wobble])).toEqual([[2, 3]]);
    const around = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 3.95 : 4.05));
    expect(told('SSR_LEVEL', [3.5, ...around])).toEqual([[2, 4]]);
  });

  test('fires again only once it was clear and the cooldown is over', () => {
    expect(told('LIQUIDATION_SPIKE', [1, 3, 1, 3], 6)).toEqual([[1, 3]]);
    expect(told('LIQUIDATION_SPIKE', [1, 3, 1, 3], 12)).toEqual([
      [1, 3],
      [3, 3],
    ]);
  });

  test('a higher step fires within the cooldown, once', () => {
    expect(told('PRICE_BEARISH_MOVE', [0, 2.1, 3.2, 2.1, 1.9, 3.2, 4.5, 0, 4.5])).toEqual([
      [1, 2],
      [2, 3],
      [6, 4],
    ]);
  });

  test('a jump over several levels fires once, for the furthest', () => {
    expect(told('PRICE_BULLISH_MOVE', [0, 5, 5, 3.5])).toEqual([[1, 4]]);
  });

  test('in both directions, it also fires on the way back, at the clear level', () => {
    expect(told('SSR_LEVEL', [3, 4.1, 3.9, 3.79], 80)).toEqual([
      [1, 4],
      [3, 4],
    ]);
  });

  test('treats levels below zero and downward levels like any other', () => {
    expect(told('FUNDING_EXTREME_BEARISH', [0.01, -0.02, -0.06, 0.01])).toEqual([
      [1, -0.015],
      [2, -0.05],
    ]);
    expect(told('FEAR_EXTREME', [40, 20, 9])).toEqual([
      [1, 20],
      [2, 10],
    ]);
  });

  test('an event fires when first seen, again a day before, and again when it has moved', () => {
    expect(told('UPCOMING_EVENT', [3, 3, 2, 1, 1])).toEqual([
      [0, 3],
      [3, 1],
    ]);
    expect(told('UPCOMING_EVENT', [99, 3, 99, 99, 3, 1])).toEqual([
      [1, 3],
      [4, 3],
      [5, 1],
    ]);
  });

  test('is left only at its clear level', () => {
    const levels = getLevels('PRICE_BULLISH_MOVE');
    expect(activeStep(levels, 2.01, 2)).toBe(2);
    expect(activeStep(levels, 2, 2)).toBe(1);
    expect(activeStep(levels, 0.5, 1)).toBe(0);
    expect(activeStep(levels, 0.51, 3)).toBe(1);
  });
});
