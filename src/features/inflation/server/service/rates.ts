import type { Indicator } from '#features/inflation/contract.ts';
import { addMonths, findRelease } from '#shared/release-calendar.ts';
import { US_SERIES, type UsSeries } from '#shared/us-series.ts';

import type { Vintage } from '../types.ts';

export type Part = 'headline' | 'core';

/** Published price indexes as of any moment. */
export type Levels = {
  /** The newest vintage published by then; undefined before the first. */
  at: (series: string, period: string, moment: Date) => Vintage | undefined;
  first: (series: string, period: string) => Vintage | undefined;
  chain: (series: string, period: string) => readonly Vintage[];
  /** Months with stored values, oldest first. */
  periods: (series: string) => readonly string[];
};

export function computeLevels(vintages: readonly Vintage[]): Levels {
  const bySeries = new Map<string, Map<string, Vintage[]>>();
  for (const vintage of vintages) {
    const months = bySeries.get(vintage.series) ?? new Map<string, Vintage[]>();
    bySeries.set(vintage.series, months);
    const chain = months.get(vintage.period) ?? [];
    months.set(vintage.period, chain);
    chain.push(vintage);
  }
  const chain = (series: string, period: string) => bySeries.get(series)?.get(period) ?? [];
  const periods = new Map([...bySeries].map(([series, months]) => [series, [...months.keys()].toSorted()]));
  return {
    chain,
    at: (series, period, moment) =>
      chain(series, period).findLast(({ published_at }) => Date.parse(published_at) <= moment.getTime()),
    first: (series, period) => chain(series, period).find(({ first_print }) => first_print),
    periods: (series) => periods.get(series) ?? [],
  };
}

const find = (release: Indicator, part: Part, isAdjusted: boolean): UsSeries | undefined =>
  US_SERIES.find(
    (series) => series.release === release && series.isCore === (part === 'core') && series.isAdjusted === isAdjusted,
  );

/** The adjusted index, and the unadjusted one if the agency publishes it. */
export function seriesIds(release: Indicator, part: Part): { adjusted: string; unadjusted: string | null } {
  return { adjusted: find(release, part, true)?.id ?? '', unadjusted: find(release, part, false)?.id ?? null };
}

/** A figure and its vintages, or the reason for its absence. */
export type Rate = { value: number; from: Vintage[]; basis?: 'SA' } | { value: null; reason: string };

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
export const monthName = (period: string) => `${MONTHS[Number(period.slice(5)) - 1] ?? period} ${period.slice(0, 4)}`;

/** As published by the agencies: tenths of a percent. */
export const tenths = (value: number): number => Number(value.toFixed(1)) + 0;

export const percentChange = (now: number, before: number): number => tenths((now / before - 1) * 100);
const perYear = (now: number, twoYearsBefore: number): number => tenths((Math.sqrt(now / twoYearsBefore) - 1) * 100);

const missing = (reason: string): Rate => ({ value: null, reason });

function absence(type: Indicator, period: string, stored: Vintage | undefined): string {
  const month = monthName(period);
  if (type === 'cpi' && !findRelease(type, period))
    return `${month} was never published: no prices were collected during the government shutdown`;
  return stored ? `${month} was published as missing` : `The index for ${month} is not available`;
}

/** The change over exactly this many months: a missing month leaves it unknown. Over 24 it is annualised. */
function changeOver(
  levels: Levels,
  {
    type,
    series,
    period,
    months,
    at,
  }: { type: Indicator; series: string; period: string; months: 1 | 12 | 24; at: Date },
): Rate {
  const earlier = addMonths(period, -months);
  const [now, before] = [levels.at(series, period, at), levels.at(series, earlier, at)];
  if (now?.value == null) return missing(absence(type, period, now));
  if (before?.value == null) return missing(absence(type, earlier, before));
  const change = months === 24 ? perYear : percentChange;
  return { value: change(now.value, before.value), from: [now, before] };
}

/** Month over month, from the adjusted index. */
export const monthly = (levels: Levels, type: Indicator, part: Part, period: string, at: Date): Rate =>
  changeOver(levels, { type, series: seriesIds(type, part).adjusted, period, months: 1, at });

/** From the unadjusted index; from the adjusted one if unavailable, which is disclosed. */
function overYears(levels: Levels, type: Indicator, part: Part, period: string, months: 12 | 24, at: Date): Rate {
  const { adjusted, unadjusted } = seriesIds(type, part);
  const rate = unadjusted && changeOver(levels, { type, series: unadjusted, period, months, at });
  if (rate && rate.value !== null) return rate;
  const instead = changeOver(levels, { type, series: adjusted, period, months, at });
  return instead.value === null ? instead : { ...instead, basis: 'SA' };
}

/** Year over year. */
export const yearly = (levels: Levels, type: Indicator, part: Part, period: string, at: Date): Rate =>
  overYears(levels, type, part, period, 12, at);

/** Annual rate over the last two years, which spans a missing month in between. */
export const twoYearRate = (levels: Levels, type: Indicator, part: Part, period: string, at: Date): Rate =>
  overYears(levels, type, part, period, 24, at);

/** The newest computable yearly rate of the last twelve months, with its month; undefined without one. */
export function newestYearly(
  levels: Levels,
  type: Indicator,
  part: Part,
  period: string,
  at: Date,
): { period: string; rate: Rate } | undefined {
  for (let back = 1; back <= 12; back++) {
    const earlier = addMonths(period, -back);
    const rate = yearly(levels, type, part, earlier, at);
    if (rate.value !== null) return { period: earlier, rate };
  }
  return undefined;
}

/** The index level: unadjusted if available. */
export function level(levels: Levels, type: Indicator, part: Part, period: string, at: Date): Rate {
  const { adjusted, unadjusted } = seriesIds(type, part);
  const plain = unadjusted ? levels.at(unadjusted, period, at) : undefined;
  if (plain?.value != null) return { value: plain.value, from: [plain] };
  const found = levels.at(adjusted, period, at);
  if (found?.value == null) return missing(absence(type, period, found));
  return { value: found.value, from: [found], ...(unadjusted ? { basis: 'SA' as const } : {}) };
}

/** The newest month with a figure, as known at a moment. */
export function newestPeriod(levels: Levels, type: Indicator, at: Date): string | null {
  const { adjusted } = seriesIds(type, 'headline');
  const { adjusted: core } = seriesIds(type, 'core');
  const known = (series: string) =>
    levels.periods(series).findLast((period) => levels.at(series, period, at)?.value != null);
  return (
    [known(adjusted), known(core)]
      .filter((period) => period !== undefined)
      .toSorted()
      .at(-1) ?? null
  );
}

/** The change as first released; null when the first release is unknown. */
export function printed(levels: Levels, type: Indicator, part: Part, period: string): Rate | null {
  const first = levels.first(seriesIds(type, part).adjusted, period);
  return first ? monthly(levels, type, part, period, new Date(first.published_at)) : null;
}
