import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { incompleteBeta, lnGamma, normalCdf, studentCdf } from './scores.ts';

test('lnGamma: matches factorials and half-integers', () => {
  expect(lnGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 12);
  expect(lnGamma(1)).toBeCloseTo(0, 12);
  expect(lnGamma(5)).toBeCloseTo(Math.log(24), 12);
  expect(lnGamma(10.5)).toBeCloseTo(13.940625219403763, 11);
});

describe('incomplete beta', () => {
  test.each([
    [0.3, 1, 1, 0.3],
    [0.3, 2, 1, 0.09],
    [0.3, 1, 2, 0.51],
    [0.4, 2, 3, 0.5248],
    [0, 2, 3, 0],
    [1, 2, 3, 1],
  ])('I_%d(%d, %d) is %d', (x, a, b, value) => {
    expect(incompleteBeta(x, a, b)).toBeCloseTo(value, 12);
  });

  test('property: I_x(a, b) = 1 − I_{1−x}(b, a)', () => {
    const shape = fc.double({ min: 0.5, max: 200, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), shape, shape, (x, a, b) => {
        expect(incompleteBeta(x, a, b)).toBeCloseTo(1 - incompleteBeta(1 - x, b, a), 11);
      }),
    );
  });
});

describe("Student's t", () => {
  test.each([
    [2.228138851965, 10, 0.975],
    [1.812461122812, 10, 0.95],
    [2.042272456301, 30, 0.975],
    [-1.812461122812, 10, 0.05],
    [0, 7, 0.5],
    [1e-9, 2, 0.5 + 1e-9 / Math.sqrt(8)],
  ])('P(T ≤ %d) with %d degrees is %d, as in published tables', (t, degrees, p) => {
    expect(Math.abs(studentCdf(t, degrees) - p)).toBeLessThan(1e-11);
  });

  test('property: one and two degrees in closed form', () => {
    fc.assert(
      fc.property(fc.double({ min: -50, max: 50, noNaN: true }), (t) => {
        expect(studentCdf(t, 1)).toBeCloseTo(0.5 + Math.atan(t) / Math.PI, 12);
        expect(studentCdf(t, 2)).toBeCloseTo(0.5 + t / (2 * Math.sqrt(2 + t * t)), 12);
      }),
    );
  });

  test('converges to the normal distribution', () => {
    for (const z of [-3, -1, 0.5, 2]) expect(studentCdf(z, 1e6)).toBeCloseTo(normalCdf(z), 5);
  });
});

test.each([
  [0, 0.5],
  [1.644853626951472, 0.95],
  [1.959963984540054, 0.975],
  [-6, 9.865876450377e-10],
  [-9, 0],
])('normal distribution: Φ(%d) is %d', (z, p) => {
  expect(Math.abs(normalCdf(z) - p)).toBeLessThan(1e-13);
});
