import fc from 'fast-check';
import { expect, test } from 'vitest';

import { age, percent, price } from '#shared/format.ts';
import { direction } from '#ui/change.tsx';

import { ageText, changeText, priceText } from './entry.ts';

const number = (max: number) => fc.double({ min: -max, max, noNaN: true });

test('the public pages use the app’s formatting', () => {
  fc.assert(
    fc.property(number(1e7), number(1000), fc.integer({ min: -1000, max: 1e10 }), (usd, change, ms) => {
      expect(priceText(usd)).toBe(price(usd));
      expect(changeText(change)).toEqual([percent(change), direction(change)]);
      expect(ageText(ms)).toBe(age(ms));
    }),
  );
});
