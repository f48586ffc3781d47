import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { getLevels, LEVELS, type LevelName } from '#features/alerts/server/alerts/levels.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import { ssrReading } from '#shared/readings.ts';

const page = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');
const [, alerts = ''] = page.split('## Alerts\n');

test('every metric has a name, a meaning, a formula and a unit', () => {
  const told = Object.entries(GLOSSARY).filter(
    ([, { name, meaning, formula, unit }]) => name && meaning && formula && unit,
  );
  expect(told.map(([id]) => id)).toEqual(Object.keys(GLOSSARY));
});

/** A row of the alert table, generated from the levels. */
function rowOf(name: LevelName): string {
  const { type, measure, unit, raise, clear, cooldownHours, severity } = getLevels(name);
  const figures = (values: readonly number[]) => values.map((value) => String(value).replace('-', '\u2212')).join(', ');
  const pause = cooldownHours === 0 ? 'none' : `${cooldownHours}h`;
  const cells = [`\`${type}\``, measure, unit, figures(raise), figures(clear), pause, severity.join(', ')];
  return `| ${cells.join(' | ')} |`;
}

test('docs/glossary.md lists every level of the built-in alerts and no other', () => {
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
