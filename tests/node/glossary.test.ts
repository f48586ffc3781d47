import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { GLOSSARY } from '#shared/glossary.ts';
import { ssrReading } from '#shared/readings.ts';

const page = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');
const rows = new Map(
  page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .flatMap((cells) => (cells[1]?.startsWith('`') ? [[cells[1].replaceAll('`', ''), cells] as const] : [])),
);

describe('the glossary', () => {
  test('docs/glossary.md holds every metric and no other', () => {
    expect([...rows.keys()].toSorted()).toEqual(Object.keys(GLOSSARY).toSorted());
  });

  test.each(Object.entries(GLOSSARY))('%s: the page says what the product says', (id, term) => {
    const [, , name, meaning, formula = '', unit] = rows.get(id) ?? [];
    expect([name, meaning, unit]).toEqual([term.name, term.meaning, term.unit]);
    expect(formula).toContain(term.formula);
    if (term.reading) expect(formula).toContain(term.reading.replace(/\.$/, ''));
  });
});

test.each([
  [1.99, 'Very bullish'],
  [2, 'Bullish'],
  [3.99, 'Bullish'],
  [4, 'Neutral'],
  [6, 'Bearish'],
  [7.99, 'Bearish'],
  [8, 'Very bearish'],
])('a stablecoin supply ratio of %d reads %s', (ssr, words) => {
  expect(ssrReading(ssr)).toBe(words);
});
