import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { HORIZONS, probabilities, SYMBOLS } from '#features/analysis/contract/predictions.ts';

import { confidenceOf, directionOf, readAnswer } from './answer.ts';

const third = { up: 0.5, flat: 0.3, down: 0.2 };
const forHorizons = <T>(value: T) => Object.fromEntries(HORIZONS.map((horizon) => [horizon, value]));
const term = { reasoning: 'Funding is low.', factors_analyzed: ['Funding'], key_factors: [], risk_factors: ['CPI'] };

function wire(cell: object = third, termCell: object = third) {
  return {
    overall_reasoning: 'Quiet.',
    market: forHorizons({ ...term, ...termCell }),
    assets: Object.fromEntries(SYMBOLS.map((symbol) => [symbol, { ...forHorizons(third), '7d': cell }])),
  };
}
const good = (value: unknown, climatology = {}) => {
  const read = readAnswer(value, climatology);
  if (typeof read === 'string') throw new Error(read);
  return read;
};

describe('an answer', () => {
  test('is an opinion on the market and on five assets at four horizons', () => {
    const { opinion, imputed } = good(wire());
    expect(imputed).toBe(false);
    expect(opinion.assets.SUI['180d']).toEqual(third);
    expect(opinion.market['28d']).toEqual({ probabilities: third, direction: 'BULLISH', confidence: 50, ...term });
    expect(opinion.reasoning).toBe('Quiet.');
  });

  test.each([
    [{ up: 0.51, flat: 0.3, down: 0.2 }],
    [{ up: 0.5, flat: 0.3, down: 0.18 }],
    [{ up: 1, flat: 0, down: 0 }],
    [{ up: 0.333, flat: 0.333, down: 0.333 }],
  ])('%o is within rounding tolerance and is normalized to 1', (cell) => {
    expect(probabilities.safeParse(good(wire(cell)).opinion.assets.BTC['7d']).success).toBe(true);
  });

  test.each([
    [{ up: 0.53, flat: 0.3, down: 0.2 }, 'its answer for BTC over 7d has probabilities that sum to 1.03'],
    [{ up: 0.5, flat: 0.3, down: 0.1 }, 'has probabilities that sum to 0.9'],
    [{ up: 50, flat: 30, down: 20 }, 'has a probability of 50, outside 0 to 1'],
    [{ up: 1.2, flat: -0.2, down: 0 }, 'has a probability of 1.2'],
    [{ up: 0.5, flat: 0.5 }, 'does not give all three probabilities: up, flat and down'],
    [{ up: 0.5, flat: 0.5, down: null }, 'does not give all three probabilities'],
    [{}, 'does not give all three probabilities'],
    [{ up: '0.5', flat: 0.3, down: 0.2 }, 'is invalid at assets.BTC.7d.up'],
    [{ up: 2 ** 53, flat: 0, down: 0 }, 'has a probability of 9007199254740992'],
    [{ direction: 'BULLISH', confidence: 0.7 }, 'has a confidence of 0.7, outside'],
    [{ direction: 'BULLISH', confidence: 101 }, 'has a confidence of 101'],
    [{ direction: 'SIDEWAYS', confidence: 60 }, 'is invalid at assets.BTC.7d.direction'],
    [{ direction: 'BULLISH' }, 'does not give all three probabilities'],
    [null, 'is invalid at assets.BTC.7d'],
  ])('rejects %o in one sentence', (cell, sentence) => {
    expect(readAnswer(wire(cell as object), {})).toContain(sentence);
  });

  test.each([[null], ['buy'], [[]], [{}], [{ ...wire(), assets: {} }], [{ ...wire(), overall_reasoning: null }]])(
    'rejects another shape (%j) with its location',
    (value) => {
      expect(readAnswer(value, {})).toMatch(/^its response is invalid at \S/);
    },
  );

  test('rejects a number out of range', () => {
    const text = JSON.stringify(wire()).replace('"up":0.5', '"up":1e999');
    expect(readAnswer(JSON.parse(text), {})).toContain('is invalid at market.24h.up');
  });

  test('texts and lists have sane lengths and no control characters; missing lists are empty', () => {
    const long = {
      ...third,
      ...term,
      reasoning: `a\n\u0000${'b'.repeat(9000)}`,
      key_factors: Array(40).fill(' x\ty '),
    };
    const { opinion } = good(wire(third, { ...long, risk_factors: null, factors_analyzed: ['', ' '] }));
    const { reasoning, key_factors, risk_factors, factors_analyzed } = opinion.market['7d'];
    expect(reasoning).toHaveLength(2000);
    expect(reasoning.startsWith('a b')).toBe(true);
    expect(key_factors).toEqual(Array(10).fill('x y'));
    expect([risk_factors, factors_analyzed]).toEqual([[], []]);
  });

  test('drops unrequested fields', () => {
    const { opinion } = good({ ...wire(), advice: 'buy', __proto__: { polluted: true } });
    expect(Object.keys(opinion)).toEqual(['reasoning', 'market', 'assets']);
  });
});

describe('a direction with a confidence instead of probabilities', () => {
  test('the rest is split as in the past, and the answer is marked as imputed', () => {
    const past = { BTC: { '7d': { up: 0.4, flat: 0.45, down: 0.15 } } };
    const { opinion, imputed } = good(wire({ direction: 'bullish', confidence: 60 }), past);
    expect(imputed).toBe(true);
    const { up, flat, down } = opinion.assets.BTC['7d'];
    expect([up, flat, down].map((p) => p.toFixed(6))).toEqual(['0.600000', '0.300000', '0.100000']);
    expect(opinion.assets.ETH['7d']).toEqual({ up: 0.6, flat: 0.2, down: 0.2 });
  });

  test('the same for a market horizon, evenly when no past is known', () => {
    const { opinion, imputed } = good(
      wire(third, { up: undefined, flat: undefined, down: undefined, direction: 'BEARISH', confidence: 70 }),
    );
    expect(imputed).toBe(true);
    const { probabilities: p, direction } = opinion.market['180d'];
    expect(direction).toBe('BEARISH');
    expect([p.up, p.flat, p.down].map((each) => each.toFixed(6))).toEqual(['0.150000', '0.150000', '0.700000']);
  });

  test('for any direction, confidence and past, it is a distribution', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const directions = fc.constantFrom('BULLISH', 'NEUTRAL', 'BEARISH');
    fc.assert(
      fc.property(
        directions,
        fc.double({ min: 34, max: 100, noNaN: true }),
        share,
        share,
        (direction, confidence, a, b) => {
          const climatology = { BTC: { '7d': { up: a, flat: (1 - a) * b, down: (1 - a) * (1 - b) } } };
          const { opinion } = good(wire({ direction, confidence }), climatology);
          expect(probabilities.safeParse(opinion.assets.BTC['7d']).success).toBe(true);
        },
      ),
    );
  });
});

test('direction is the likeliest outcome, and neutral when there is a tie', () => {
  expect(directionOf({ up: 0.2, flat: 0.3, down: 0.5 })).toBe('BEARISH');
  expect(directionOf({ up: 0.4, flat: 0.2, down: 0.4 })).toBe('NEUTRAL');
  expect(directionOf({ up: 0.4, flat: 0.4, down: 0.2 })).toBe('NEUTRAL');
  expect(confidenceOf({ up: 0.2, flat: 0.3, down: 0.5 })).toBe(50);
});
