import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { box, circle, colour, openCanvas, polyline } from './canvas.ts';
import { openWriter } from './letters.ts';

const BLACK = colour('#000000');
const WHITE = colour('#ffffff');
const SIZE = 16;

function inkOf(draw: (canvas: ReturnType<typeof openCanvas>) => void): number[][] {
  const canvas = openCanvas(SIZE, SIZE, BLACK);
  draw(canvas);
  const rows = canvas.rows();
  return Array.from({ length: SIZE }, (_, y) =>
    Array.from({ length: SIZE }, (__, x) => (rows[y * (SIZE * 3 + 1) + 1 + x * 3] ?? 0) / 255),
  );
}
const sum = (ink: number[][]) => ink.flat().reduce((all, part) => all + part, 0);

describe('filled shapes', () => {
  test('covers each pixel by the fraction that lies inside', () => {
    const ink = inkOf((canvas) => canvas.paint([box(2.5, 3, 2, 1.25)], WHITE));
    expect(ink[3]?.slice(2, 6).map((part) => Math.round(part * 100))).toEqual([50, 100, 50, 0]);
    expect(ink[4]?.slice(2, 6).map((part) => Math.round(part * 100))).toEqual([13, 25, 13, 0]);
    expect(sum(ink)).toBeCloseTo(2.5, 1);
  });

  test('has the area of its shape in any position', () => {
    const place = fc.double({ min: 1, max: 8, noNaN: true });
    const size = fc.double({ min: 0.2, max: 6, noNaN: true });
    fc.assert(
      fc.property(place, place, size, size, (x, y, w, h) => {
        const ink = inkOf((canvas) => canvas.paint([box(x, y, w, h)], WHITE));
        expect(Math.abs(sum(ink) - w * h)).toBeLessThan(0.15);
      }),
    );
  });

  test('leaves a hole where an inner path runs the other way', () => {
    const ink = inkOf((canvas) => canvas.paint([box(1, 1, 10, 10), box(4, 4, 4, 4).toReversed()], WHITE));
    expect(ink[5]?.[5]).toBe(0);
    expect(sum(ink)).toBeCloseTo(84, 0);
  });

  test('is clipped at the image edges', () => {
    const ink = inkOf((canvas) => canvas.paint([box(-5, -5, 8, 50)], WHITE));
    expect(sum(ink)).toBeCloseTo(3 * SIZE, 0);
  });
});

test('a line has its width, full corners and round ends, and is equally dark where its parts meet', () => {
  const ink = inkOf((canvas) => canvas.line(polyline('M3 8L8 8l4 0'), 2, WHITE));
  expect(ink[7]?.slice(3, 12).every((part) => part > 0.99)).toBe(true);
  expect(sum(ink)).toBeCloseTo(9 * 2 + Math.PI, 0);
  expect(sum(inkOf((canvas) => canvas.paint([circle({ x: 8, y: 8 }, 4)], WHITE, 0.5)))).toBeCloseTo(8 * Math.PI, 0);
});

test('text is as wide as its glyphs; missing glyphs appear as a question mark', () => {
  const square = 'M0 0L0 500L500 500L500 0Z';
  const writer = openWriter({
    unitsPerEm: 1000,
    weights: { 400: { a: [600, square], '?': [300, square], ' ': [200, ''] } },
  });
  expect(writer.widthOf({ text: 'a a', size: 10 })).toBe(14);
  expect(writer.widthOf({ text: 'a☃', size: 10 })).toBe(9);
  expect(writer.widthOf({ text: 'aa', size: 10, tracking: 0.1 })).toBe(13);
  expect(writer.widthOf({ text: '', size: 10 })).toBe(0);
  const ink = inkOf((canvas) => canvas.paint(writer.shapeOf({ text: 'a', size: 10 }, 2, 12), WHITE));
  expect(sum(ink)).toBeCloseTo(25, 1);
  expect([ink[6]?.[4], ink[7]?.[2], ink[11]?.[6], ink[12]?.[4]]).toEqual([0, 1, 1, 0]);
});
