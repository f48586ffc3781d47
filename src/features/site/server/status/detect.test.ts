import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ComponentId, MinuteState } from '#features/site/contract/status.ts';
import {
  beatStates,
  deliveryStates,
  detect,
  type Ended,
  freshStates,
  type Lapses,
  MINUTE_MS,
  type Open,
} from './detect.ts';

const at = (minute: number) => minute * MINUTE_MS;
const LETTERS: Record<string, MinuteState> = { '.': 'operational', d: 'degraded', x: 'down' };
const statesOf = (text: string) => text.split('').map((letter) => LETTERS[letter] ?? 'operational');

/** Each component as a string with one letter per minute: '.' operational, 'd' degraded, 'x' down. */
function run(texts: Partial<Record<ComponentId, string>>, cuts: readonly number[] = []) {
  const length = Math.max(...Object.values(texts).map((text) => text.length));
  const ended: Ended[] = [];
  let [open, lapses]: [Open | null, Lapses] = [null, new Map()];
  const bounds = [0, ...cuts, length];
  for (const [i, to] of bounds.slice(1).entries()) {
    const from = bounds[i] ?? 0;
    const states = new Map(
      Object.entries(texts).map(([id, text]) => [
        id as ComponentId,
        { from: at(from), states: statesOf(text.slice(from, to)) },
      ]),
    );
    const result = detect({ from: at(from), to: at(to) }, states, lapses, open);
    [open, lapses] = [result.open, result.lapses];
    ended.push(...result.ended);
  }
  return { open, ended };
}
const told = ({ startsAt, components, impact }: Open) => [startsAt / MINUTE_MS, components.join(), impact];

describe('measured incidents', () => {
  test('one minute with no process is no incident, two are', () => {
    expect(run({ website: '..x.' })).toEqual({ open: null, ended: [] });
    const { open, ended } = run({ website: '..xx..' });
    expect(open).toBeNull();
    expect(ended.map((each) => [...told(each), each.endsAt / MINUTE_MS])).toEqual([[2, 'website', 'major', 4]]);
  });

  test('nine minutes of anything else are no incident, ten are, and it starts with the first', () => {
    expect(run({ prices: `${'d'.repeat(9)}.` })).toEqual({ open: null, ended: [] });
    const { open } = run({ prices: `.${'d'.repeat(10)}` });
    expect(open && told(open)).toEqual([1, 'prices', 'minor']);
  });

  test('concurrent failures are one incident, over when all of them recover', () => {
    const { ended } = run({ website: '.xxx.............', database: '.xxx.............', prices: '..dddddddddddddd.' });
    expect(ended.map((each) => [...told(each), each.endsAt / MINUTE_MS])).toEqual([
      [1, 'website,database', 'major', 4],
      [2, 'prices', 'minor', 16],
    ]);
    const both = run({ website: `${'x'.repeat(20)}...`, prices: `..${'x'.repeat(20)}.` });
    expect(both.ended.map((each) => [...told(each), each.endsAt / MINUTE_MS])).toEqual([
      [0, 'website,prices', 'major', 22],
    ]);
  });

  test('is the same however the minutes are split', () => {
    const text = fc.string({ unit: fc.constantFrom('.', '.', 'd', 'x', 'x'), minLength: 40, maxLength: 40 });
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 39 }), { maxLength: 6 });
    fc.assert(
      fc.property(text, text, text, cuts, (website, prices, alerts, cut) => {
        const texts = { website, prices, alerts };
        expect(
          run(
            texts,
            cut.toSorted((a, b) => a - b),
          ),
        ).toEqual(run(texts));
      }),
    );
  });
});

describe('minute state', () => {
  const span = { from: at(100), to: at(104) };
  test('one reporting process is enough', () => {
    expect(beatStates(span, new Set([at(100), at(103)]))).toEqual(['operational', 'down', 'down', 'operational']);
  });

  test('a single late series degrades, all series late means down', () => {
    const limits = { lateMs: at(2), downMs: at(3) };
    const old = [at(100)];
    expect(freshStates(span, [old, [at(100), at(102), at(104)]], limits)).toEqual([
      'operational',
      'operational',
      'degraded',
      'degraded',
    ]);
    expect(freshStates(span, [old, old], limits)).toEqual(['operational', 'operational', 'degraded', 'down']);
    expect(freshStates(span, [[], []], limits)).toEqual(['down', 'down', 'down', 'down']);
  });

  test('a pending delivery degrades after ten minutes and is down after an hour', () => {
    const beats = new Set([at(100), at(101), at(102), at(103)]);
    expect(deliveryStates(span, beats, null)).toEqual(Array(4).fill('operational'));
    expect(deliveryStates(span, beats, at(92))).toEqual(['operational', 'operational', 'degraded', 'degraded']);
    expect(deliveryStates(span, beats, at(42))).toEqual(['degraded', 'degraded', 'down', 'down']);
    expect(deliveryStates(span, new Set(), null)).toEqual(Array(4).fill('down'));
  });
});
