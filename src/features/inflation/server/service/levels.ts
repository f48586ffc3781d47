import type { Indicator } from '#features/inflation/contract.ts';
import { US_SERIES, type UsSeries } from '#shared/us-series.ts';
import type { Vintage } from '../types.ts';

export type Part = 'headline' | 'core';

/** What was published of the price indexes, as it stood at any moment. */
export type Levels = {
  /** The newest vintage published by then; undefined before the first. */
  at: (series: string, period: string, moment: Date) => Vintage | undefined;
  first: (series: string, period: string) => Vintage | undefined;
  chain: (series: string, period: string) => readonly Vintage[];
  /** Months of which something is stored, oldest first. */
  periods: (series: string) => readonly string[];
};

export function levelsOf(vintages: readonly Vintage[]): Levels {
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

/** The adjusted index, and the unadjusted one where the agency has one. */
export function seriesOf(release: Indicator, part: Part): { adjusted: string; unadjusted: string | null } {
  return { adjusted: find(release, part, true)?.id ?? '', unadjusted: find(release, part, false)?.id ?? null };
}
