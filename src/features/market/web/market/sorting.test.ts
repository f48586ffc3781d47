import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { coin, others } from './fixtures.ts';
import { COLUMNS, matches, parseSort, sorted } from './sorting.ts';

describe('sorting', () => {
  test.each(['', 'price', 'price-up', 'age-desc'])('%j in the address is no sort order', (text) => {
    expect(parseSort(text)).toBeNull();
  });

  test('every sort includes every coin once, numbers in order', () => {
    const row = fc.record({
      price: fc.integer({ min: 1, max: 50 }),
      change_24h: fc.option(fc.integer({ min: -9, max: 9 })),
    });
    fc.assert(
      fc.property(fc.array(row), fc.constantFrom(...COLUMNS), fc.boolean(), (list, column, descending) => {
        const rows = list.map((figures, i) => coin({ id: `c${i}`, ...figures }));
        const out = sorted(rows, { column, descending });
        expect(new Set(out)).toEqual(new Set(rows));
        if (column !== 'change_24h') return;
        const values = out.map((r) => r.change_24h).filter((v) => v !== null);
        expect(values).toEqual(values.toSorted((a, b) => (descending ? b - a : a - b)));
      }),
    );
  });
});

test('search matches symbol, name and id, ignoring case', () => {
  const [doge] = others;
  if (!doge) throw new Error('fixture');
  for (const words of ['doge', ' DOGECOIN ', 'ecoi', '']) expect(matches(doge, words)).toBe(true);
  expect(matches(doge, 'btc')).toBe(false);
});
