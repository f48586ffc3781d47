import type { Indicator, LatestInflation, Release, YearGap } from '#features/inflation/contract.ts';
import type { FigureMeta, FigureOrigin } from '#shared/figures.ts';
import type { Method } from '#shared/provenance.ts';
import {
  addMonths,
  easternDay,
  findRelease,
  nextRelease,
  RELEASE_NAMES,
  releasesBetween,
} from '#shared/release-calendar.ts';
import { US_SERIES } from '#shared/us-series.ts';
import { SHIPPED_NAME, SHIPPED_SOURCE } from '../shipped.ts';
import type { StoredExpected, Vintage } from '../types.ts';
import type { View } from '../view.ts';
import {
  level,
  monthly,
  newestPeriod,
  newestYearly,
  type Part,
  type Rate,
  seriesIds,
  twoYearRate,
  yearly,
} from './rates.ts';

export type Figure = { value: number | null; meta: FigureMeta };
export type SourceNaming = (source: string) => string;

/** A release overdue by this much makes the figure stale. */
const OVERDUE_MS = 86_400_000;

const names = new Map(US_SERIES.map(({ id, name, unit }) => [id, { name, unit }]));

const later = (a: string, b: string) => (a > b ? a : b);

function combineMethods(from: readonly Vintage[]): Method {
  if (from.some(({ method }) => method === 'demo')) return 'demo';
  return from.length > 1 ? 'computed' : (from[0]?.method ?? 'measured');
}

const sourceName = (source: string, nameOf: SourceNaming) =>
  source === SHIPPED_SOURCE ? SHIPPED_NAME : nameOf(source);

/** A rate with its provenance, or the reason for its absence. */
export function rateFigure(rate: Rate, type: Indicator, metric: string, nameOf: SourceNaming): Figure {
  if (rate.value === null) return { value: null, meta: { metric, reason: rate.reason } };
  const [now] = rate.from;
  if (!now) throw new Error(`A figure of ${metric} has no inputs`);
  const observedAt = rate.from.reduce((newest, { published_at }) => later(newest, published_at), now.published_at);
  const terms = rate.from
    .map(({ series, period, value }) => `${names.get(series)?.name ?? series} ${period}: ${value}`)
    .join(' ÷ ');
  const meta: FigureOrigin = {
    source: [...new Set(rate.from.map(({ source }) => sourceName(source, nameOf)))].join(', '),
    observedAt,
    fetchedAt: rate.from.reduce((newest, { fetched_at }) => later(newest, fetched_at), now.fetched_at),
    method: combineMethods(rate.from),
    staleAfter: new Date(nextRelease(type, new Date(now.published_at)).at.getTime() + OVERDUE_MS).toISOString(),
    metric,
    terms: rate.basis ? `${terms} (seasonally adjusted)` : terms,
  };
  return { value: rate.value, meta };
}

export function expectedFigure(
  expected: StoredExpected | undefined,
  metric: string,
  staleAfter: Date,
  reason: string,
  nameOf: SourceNaming,
): Figure {
  if (!expected) return { value: null, meta: { metric, reason } };
  const meta: FigureOrigin = {
    source: nameOf(expected.source),
    observedAt: expected.as_of,
    fetchedAt: expected.fetched_at,
    method: expected.method,
    staleAfter: staleAfter.toISOString(),
    metric,
  };
  return { value: expected.value, meta };
}

const DAY_MS = 86_400_000;
const HISTORY_MONTHS = 24;

/** Contract names: `cpi`, `coreCPI`. */
export const figureKey = (type: Indicator, part: Part) => (part === 'headline' ? type : `core${type.toUpperCase()}`);
export const INDICATOR_PARTS: readonly Part[] = ['headline', 'core'];

/** When a month's figures were published: the actual time, else the calendar's. */
export function releasedAt({ levels }: View, type: Indicator, period: string): Date | null {
  const { adjusted } = seriesIds(type, 'headline');
  const first = levels.first(adjusted, period) ?? levels.chain(adjusted, period)[0];
  const planned = findRelease(type, period)?.at ?? null;
  if (!first) return planned;
  return first.first_print || !planned ? new Date(first.published_at) : planned;
}

type Summary =
  | NonNullable<LatestInflation['cpi']>
  | NonNullable<LatestInflation['pce']>
  | NonNullable<LatestInflation['ppi']>;

type Place = { type: Indicator; part: Part; period: string; at: Date };

function yearGap({ levels }: View, { type, part, period, at }: Place, reason: string, nameOf: SourceNaming): YearGap {
  const newest = newestYearly(levels, type, part, period, at);
  const yoy = rateFigure(newest?.rate ?? { value: null, reason }, type, 'inflation.yoy', nameOf);
  const twoYear = rateFigure(twoYearRate(levels, type, part, period, at), type, 'inflation.two_years', nameOf);
  return {
    newestYoY: yoy.value,
    newestPeriod: newest?.period ?? null,
    twoYearRate: twoYear.value,
    meta: { newestYoY: yoy.meta, twoYearRate: twoYear.meta },
  };
}

/** Six figures of the newest month; null when nothing at all is known. */
export function toSummary(view: View, type: Indicator, at: Date, nameOf: SourceNaming): Summary | null {
  const { levels } = view;
  const period = newestPeriod(levels, type, at);
  if (!period) return null;
  const basis: Record<string, 'SA'> = {};
  const gaps: Record<string, YearGap> = {};
  const figures: [string, Figure][] = INDICATOR_PARTS.flatMap((part) => {
    const key = figureKey(type, part);
    const year = yearly(levels, type, part, period, at);
    if (year.value === null) gaps[`${key}YoY`] = yearGap(view, { type, part, period, at }, year.reason, nameOf);
    const rates: [string, string, Rate][] = [
      [key, 'index', level(levels, type, part, period, at)],
      [`${key}MoM`, 'mom', monthly(levels, type, part, period, at)],
      [`${key}YoY`, 'yoy', year],
    ];
    return rates.map(([name, what, rate]): [string, Figure] => {
      if (rate.value !== null && rate.basis) basis[name] = rate.basis;
      return [name, rateFigure(rate, type, `inflation.${what}`, nameOf)];
    });
  });
  const released = releasedAt(view, type, period);
  return {
    ...Object.fromEntries(figures.map(([name, { value }]) => [name, value])),
    date: released ? easternDay(released) : null,
    period,
    basis,
    gaps,
    meta: Object.fromEntries(figures.map(([name, { meta }]) => [name, meta])),
  } as Summary;
}

/** The last 24 months of a series; missing figures have a reason. */
export function readHistory(
  { levels }: View,
  type: Indicator,
  part: Part,
  at: Date,
): LatestInflation['history'][string] {
  const newest = newestPeriod(levels, type, at);
  if (!newest) return [];
  return Array.from({ length: HISTORY_MONTHS }, (_, i) => addMonths(newest, i - HISTORY_MONTHS + 1)).map((period) => {
    const [mom, yoy] = [monthly(levels, type, part, period, at), yearly(levels, type, part, period, at)];
    const reason = mom.value === null ? mom.reason : yoy.value === null ? yoy.reason : undefined;
    return { period, mom: mom.value, yoy: yoy.value, ...(reason ? { reason } : {}) };
  });
}

export const INDICATOR_ORDER: readonly Indicator[] = ['cpi', 'pce', 'ppi'];

/** The next release of each indicator, soonest first. */
export function comingReleases(at: Date): LatestInflation['next'] {
  const coming = releasesBetween(at, new Date(at.getTime() + 100 * DAY_MS), INDICATOR_ORDER);
  return INDICATOR_ORDER.flatMap((type) => coming.find((each) => each.type === type) ?? [])
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ type, at: date, period, estimated }) => ({
      type: type as Indicator,
      date: date.toISOString(),
      period,
      source: RELEASE_NAMES[type].agency,
      estimated,
    }));
}

/** Recent releases with known figures, newest first. */
export function listUpcomingReleases(view: View, days: number, at: Date): Release[] {
  const from = at.getTime() - days * DAY_MS;
  return INDICATOR_ORDER.flatMap((type) => {
    const { adjusted } = seriesIds(type, 'headline');
    return view.levels.periods(adjusted).flatMap((period): Release[] => {
      const released = releasedAt(view, type, period);
      const current = view.levels.at(adjusted, period, at);
      if (!released || released > at || released.getTime() <= from || current?.value == null) return [];
      const values = new Set(
        view.levels
          .chain(adjusted, period)
          .filter(({ published_at, value }) => value !== null && Date.parse(published_at) <= at.getTime())
          .map(({ value }) => value),
      );
      return [
        {
          type: type.toUpperCase() as Release['type'],
          date: easternDay(released),
          releasedAt: released.toISOString(),
          period,
          source: RELEASE_NAMES[type].agency,
          revisions: values.size - 1,
        },
      ];
    });
  }).toSorted((a, b) => b.releasedAt.localeCompare(a.releasedAt) || a.type.localeCompare(b.type));
}
