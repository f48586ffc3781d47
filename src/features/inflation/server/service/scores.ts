import { FEWEST_WINDOWS } from '#features/analysis/server/predictions/service.ts';
import type { ForecastScore } from '#features/inflation/contract.ts';
import { confidenceInterval, mean } from '#shared/interval.ts';

/** Errors of a forecaster, in points by month. */
export type Misses = ReadonlyMap<string, number>;
type Who = Pick<ForecastScore, 'forecaster' | 'name' | 'yardstick' | 'says'>;
type Skill = NonNullable<ForecastScore['skill']>;

const thousandths = (value: number) => Number(value.toFixed(3)) + 0;

function toVerdict(n: number, interval: { low: number; high: number } | null): Skill['verdict'] {
  if (n < FEWEST_WINDOWS || !interval) return 'too few';
  if (interval.high < 0) return 'ahead';
  return interval.low > 0 ? 'behind' : 'no evidence';
}

const bounds = (interval: { low: number; high: number } | null, least = Number.NEGATIVE_INFINITY) => ({
  low: interval && thousandths(Math.max(least, interval.low)),
  high: interval && thousandths(interval.high),
});

function computeSkill(misses: Misses, naive: Misses): Skill {
  const differences = [...misses].flatMap(([period, miss]) => {
    const other = naive.get(period);
    return other === undefined ? [] : [miss - other];
  });
  const n = differences.length;
  const interval = confidenceInterval(differences);
  return {
    n,
    difference: n > 0 ? thousandths(mean(differences)) : null,
    ...bounds(interval),
    verdict: toVerdict(n, interval),
  };
}

/** One row of the record; `naive` are the errors of the last value, null for itself. */
export function scoreRow(who: Who, misses: Misses, naive: Misses | null): ForecastScore {
  const all = [...misses.values()];
  return {
    ...who,
    n: all.length,
    mae: all.length > 0 ? thousandths(mean(all)) : null,
    ...bounds(confidenceInterval(all), 0),
    skill: naive && computeSkill(misses, naive),
  };
}
