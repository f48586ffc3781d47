import type { Forecast, ForecastEntry } from '#features/inflation/contract.ts';
import { nextReleaseOf } from '#shared/release-calendar.ts';
import type { StoredForecast } from '../types.ts';
import { findExpected, type View } from '../view.ts';
import { releasedAt } from './indicators.ts';
import { monthly, newestPeriod, printed } from './rates.ts';

type Type = 'cpi' | 'pce';

const PAST_SHOWN = 60;
const hundredths = (value: number) => Number(value.toFixed(2)) + 0;

const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? Number((known.reduce((sum, value) => sum + value, 0) / known.length).toFixed(3)) : null;
};

function entryOf(
  { levels }: View,
  { type, method: _method, input_hash: _hash, release_at: _at, ...stored }: StoredForecast,
): ForecastEntry {
  const actual = printed(levels, type, 'headline', stored.period)?.value ?? null;
  return { ...stored, actual, error: actual === null ? null : hundredths(stored.prediction - actual) };
}

/** The misses of one release by everybody it is measured against, on the first print. */
function yardsticksOf(view: View, type: Type, period: string, actual: number) {
  const released = releasedAt(view, type, period);
  if (!released) return { consensus: null, nowcast: null, last: null };
  const before = new Date(released.getTime() - 1);
  const missOf = (value: number | null | undefined) => (value == null ? null : Math.abs(value - actual));
  const expected = (kind: 'consensus' | 'nowcast') =>
    missOf(findExpected(view, { type, measure: 'headline', period, kind }, released)?.value);
  const newest = newestPeriod(view.levels, type, before);
  const last = newest ? monthly(view.levels, type, 'headline', newest, before).value : null;
  return { consensus: expected('consensus'), nowcast: expected('nowcast'), last: missOf(last) };
}

/** What is forecast of the coming release, what was of those before, and how it went. */
export function forecastOf(view: View, type: Type, at: Date): Forecast {
  const coming = nextReleaseOf(type, at);
  const all = view.forecasts.filter((each) => each.type === type).map((each) => entryOf(view, each));
  const entries = all.filter(({ period }) => period === coming.period);
  const past = all
    .filter(({ period }) => period < coming.period)
    .toSorted((a, b) => b.period.localeCompare(a.period) || a.forecaster.localeCompare(b.forecaster));
  const mean = meanOf(entries.map(({ prediction }) => prediction));
  const core = meanOf(entries.map((entry) => entry.core));
  const graded = past.filter((entry) => entry.error !== null);
  const scores = [...new Set(graded.map(({ forecaster }) => forecaster))].toSorted().map((forecaster) => {
    const own = graded.filter((entry) => entry.forecaster === forecaster);
    const beside = own.map(({ period, actual }) => yardsticksOf(view, type, period, actual ?? 0));
    return {
      forecaster,
      name: own[0]?.name ?? forecaster,
      n: own.length,
      mae: meanOf(own.map(({ error }) => (error === null ? null : Math.abs(error)))),
      mae_consensus: meanOf(beside.map(({ consensus }) => consensus)),
      mae_nowcast: meanOf(beside.map(({ nowcast }) => nowcast)),
      mae_last_value: meanOf(beside.map(({ last }) => last)),
    };
  });
  return {
    period: coming.period,
    release_date: coming.at.toISOString(),
    forecast_data:
      mean === null
        ? null
        : { prediction: hundredths(mean), core: core === null ? null : hundredths(core), n: entries.length },
    entries,
    past: past.slice(0, PAST_SHOWN),
    scores,
  };
}
