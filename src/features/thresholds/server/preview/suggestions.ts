import type { Preview } from '#features/thresholds/contract.ts';
import { watchedOf } from '#shared/watched.ts';
import { isWithin, limitsOf } from '#shared/watched-limits.ts';
import { compileRule, freshState, type RuleRow } from '../engine/compile.ts';
import { createEngine } from '../engine/engine.ts';
import { type Named, ticksOf } from './ticks.ts';

const WEEK_DAYS = 7;
const PER_WEEK = [1, 3];
/** "About": how far from it the count may be. */
const ABOUT = 0.25;
const CANDIDATES = 64;
/** A promise about a rate needs some weeks. */
const FEWEST_DAYS = 21;

/** As a person would write it: four significant digits, and no more decimals than the metric shows. */
function rounded(value: number, decimals: number): number {
  return Number(Number(value.toPrecision(4)).toFixed(decimals));
}

/** Values between the lowest and the highest, evenly over what has been. */
function candidatesOf(values: Float64Array, decimals: number): number[] {
  const sorted = values.toSorted();
  const at = (i: number) => sorted[Math.round((i * (sorted.length - 1)) / (CANDIDATES - 1))] as number;
  return [...new Set(Array.from({ length: CANDIDATES }, (_, i) => rounded(at(i), decimals)))];
}

/** How often each value would have fired: all of them in one engine, so that a tick costs only what it reaches. */
function countsOf(row: RuleRow, candidates: readonly number[], series: readonly Named[], from: number): number[] {
  const engine = createEngine();
  const counts = candidates.map(() => 0);
  for (const [id, value] of candidates.entries()) engine.add(compileRule({ ...row, id, value }), freshState(row));
  for (const tick of ticksOf(series, from))
    for (const { id, fired } of engine.tick(tick)) if (fired) counts[id] = (counts[id] as number) + 1;
  return counts;
}

type Counted = { candidates: number[]; counts: number[] };

/** By the values of a series, so that it is forgotten with them: who tries one value after another counts once. */
const counted = new WeakMap<Float64Array, Map<string, Counted>>();
const MOST_COUNTED = 8;

/** What `count` gives, once for each rule that differs in more than its value. Of rules of one series only. */
function countedOnce(row: RuleRow, series: readonly Named[], from: number, count: () => Counted): Counted {
  const [only] = series;
  if (!only || series.length > 1) return count();
  const known = counted.get(only.values) ?? new Map<string, Counted>();
  counted.set(only.values, known);
  const { metric, condition, options } = row;
  const key = JSON.stringify([metric, condition, options, from]);
  const found = known.get(key) ?? count();
  known.delete(key);
  known.set(key, found);
  if (known.size > MOST_COUNTED) known.delete(known.keys().next().value as string);
  return found;
}

/** The value nearest to the asked one that fires about so often a week. */
export function suggestionsFor(
  row: RuleRow,
  series: readonly Named[],
  from: number,
  days: number,
): Preview['suggestions'] {
  const limits = limitsOf(row.metric, row.condition);
  const values = series[0]?.values;
  const margin = row.options.margin ?? 0;
  if (!limits || !values || days < FEWEST_DAYS) return [];
  const isChange = row.condition.startsWith('changes_by');
  const decimals = isChange ? 2 : (watchedOf(row.metric)?.decimals ?? 2);
  const { candidates, counts } = countedOnce(row, series, from, () => {
    const allowed = candidatesOf(values, decimals).filter(
      (value) => isWithin(value, limits) && (limits.from < 0 || value > margin),
    );
    return { candidates: allowed, counts: countsOf(row, allowed, series, from) };
  });
  return PER_WEEK.flatMap((wanted) => {
    const fitting = candidates.filter((_, i) => {
      const perWeek = ((counts[i] as number) / days) * WEEK_DAYS;
      return Math.abs(perWeek - wanted) <= wanted * ABOUT;
    });
    const value = fitting.toSorted((a, b) => Math.abs(a - row.value) - Math.abs(b - row.value))[0];
    return value === undefined ? [] : [{ perWeek: wanted, value }];
  });
}
