import type { Forecast, ForecastEntry, ForecastScore } from '#features/inflation/contract.ts';
import { nextRelease } from '#shared/release-calendar.ts';
import type { StoredForecast } from '../types.ts';
import { findExpected, type View } from '../view.ts';
import { releasedAt } from './indicators.ts';
import { monthly, newestPeriod, printed } from './rates.ts';
import { type Misses, scoreRow } from './scores.ts';

type Type = 'cpi' | 'pce';

const PAST_SHOWN = 60;
const hundredths = (value: number) => Number(value.toFixed(2)) + 0;

const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? Number((known.reduce((sum, value) => sum + value, 0) / known.length).toFixed(3)) : null;
};

function toEntry(
  { levels }: View,
  { type, method: _method, input_hash: _hash, release_at: _at, ...stored }: StoredForecast,
): ForecastEntry {
  const actual = printed(levels, type, 'headline', stored.period)?.value ?? null;
  return { ...stored, actual, error: actual === null ? null : hundredths(stored.prediction - actual) };
}

const YARDSTICKS = [
  ['consensus', 'Consensus'],
  ['nowcast', 'Nowcast'],
  ['last_value', 'Last value'],
] as const;
type Yardstick = (typeof YARDSTICKS)[number][0];

/** A benchmark's value for a month, as of just before a moment. */
function predictedValue(view: View, type: Type, which: Yardstick, period: string, before: Date): number | null {
  if (which !== 'last_value')
    return findExpected(view, { type, measure: 'headline', period, kind: which }, before)?.value ?? null;
  const known = new Date(before.getTime() - 1);
  const newest = newestPeriod(view.levels, type, known);
  return newest ? monthly(view.levels, type, 'headline', newest, known).value : null;
}

/** A benchmark's errors on the first releases of these months. */
function forecastErrors(view: View, type: Type, which: Yardstick, prints: ReadonlyMap<string, number>): Misses {
  return new Map(
    [...prints].flatMap(([period, actual]): [string, number][] => {
      const released = releasedAt(view, type, period);
      const said = released && predictedValue(view, type, which, period, released);
      return said == null ? [] : [[period, Math.abs(said - actual)]];
    }),
  );
}

function scoreForecasts(
  view: View,
  type: Type,
  coming: string,
  at: Date,
  all: readonly ForecastEntry[],
): ForecastScore[] {
  const prints = new Map(all.flatMap(({ period, actual }) => (actual === null ? [] : [[period, actual] as const])));
  const naive = forecastErrors(view, type, 'last_value', prints);
  const forecasters = [...Map.groupBy(all, ({ forecaster }) => forecaster)].toSorted(([a], [b]) => a.localeCompare(b));
  const rows = forecasters.map(([forecaster, said]) => {
    const misses = said.flatMap(({ period, error }) => (error === null ? [] : [[period, Math.abs(error)] as const]));
    const says = said.find(({ period }) => period === coming)?.prediction ?? null;
    const name = said.at(-1)?.name ?? forecaster;
    return scoreRow({ forecaster, name, yardstick: false, says }, new Map(misses), naive);
  });
  const yardsticks = YARDSTICKS.map(([id, name]) =>
    scoreRow(
      { forecaster: id, name, yardstick: true, says: predictedValue(view, type, id, coming, at) },
      id === 'last_value' ? naive : forecastErrors(view, type, id, prints),
      id === 'last_value' ? null : naive,
    ),
  );
  return rows.length > 0 ? [...rows, ...yardsticks] : [];
}

/** Forecast of the next release, past forecasts and their record. */
export function findForecast(view: View, type: Type, at: Date): Forecast {
  const coming = nextRelease(type, at);
  const all = view.forecasts.filter((each) => each.type === type).map((each) => toEntry(view, each));
  const entries = all.filter(({ period }) => period === coming.period);
  const past = all
    .filter(({ period }) => period < coming.period)
    .toSorted((a, b) => b.period.localeCompare(a.period) || a.forecaster.localeCompare(b.forecaster));
  const mean = meanOf(entries.map(({ prediction }) => prediction));
  const core = meanOf(entries.map((entry) => entry.core));
  return {
    period: coming.period,
    release_date: coming.at.toISOString(),
    forecast_data:
      mean === null
        ? null
        : { prediction: hundredths(mean), core: core === null ? null : hundredths(core), n: entries.length },
    entries,
    past: past.slice(0, PAST_SHOWN),
    scores: scoreForecasts(view, type, coming.period, at, all),
  };
}
