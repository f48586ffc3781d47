import { expect, test } from 'vitest';

import { cents, usd } from './price-text.ts';

test.each([
  [29.99, '$29.99'],
  [99, '$99'],
  [14.995, '$15.00'],
  [49.5, '$49.50'],
])('%d US dollars reads %s: half a cent rounds up, as the card is charged', (amount, text) => {
  expect(usd(amount)).toBe(text);
});

test.each([
  [14.995, '15.00'],
  [85.4715, '85.47'],
  [161.946, '161.95'],
  [287.904, '287.90'],
  [1.005, '1.01'],
])('%d formats cents as %s', (amount, text) => {
  expect(cents(amount)).toBe(text);
});
