import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { LEVELS, type LevelName, levelsOf } from '#features/alerts/server/levels.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import { ssrReading } from '#shared/readings.ts';

const page = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');
const [terms = '', alerts = ''] = page.split('## Alerts\n');
const rows = new Map(
  terms
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

/** A row of the table of alerts as the levels have it. */
function rowOf(name: LevelName): string {
  const { type, measure, unit, raise, clear, cooldownHours, severity } = levelsOf(name);
  const figures = (values: readonly number[]) => values.map((value) => String(value).replace('-', '\u2212')).join(', ');
  const pause = cooldownHours === 0 ? 'none' : `${cooldownHours} h`;
  const cells = [`\`${type}\``, measure, unit, figures(raise), figures(clear), pause, severity.join(', ')];
  return `| ${cells.join(' | ')} |`;
}

test('docs/glossary.md holds every level of the built-in alerts and no other', () => {
  const told = alerts.split('\n').filter((line) => line.startsWith('| `'));
  expect(told).toEqual((Object.keys(LEVELS) as LevelName[]).map(rowOf));
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
