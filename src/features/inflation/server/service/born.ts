import type { Indicator } from '#features/inflation/contract.ts';
import type { FigureMeta, FigureOrigin } from '#shared/figures.ts';
import type { Method } from '#shared/provenance.ts';
import { nextReleaseOf } from '#shared/release-calendar.ts';
import { US_SERIES } from '#shared/us-series.ts';
import { SHIPPED_NAME, SHIPPED_SOURCE } from '../shipped.ts';
import type { StoredExpected, Vintage } from '../types.ts';
import type { Rate } from './rates.ts';

export type Figure = { value: number | null; meta: FigureMeta };
export type Naming = (source: string) => string;

/** A release that is due and did not come in this time makes the figure stale. */
const PATIENCE_MS = 86_400_000;

const names = new Map(US_SERIES.map(({ id, name, unit }) => [id, { name, unit }]));

const later = (a: string, b: string) => (a > b ? a : b);

function methodOf(from: readonly Vintage[]): Method {
  if (from.some(({ method }) => method === 'demo')) return 'demo';
  return from.length > 1 ? 'computed' : (from[0]?.method ?? 'measured');
}

const sourceName = (source: string, nameOf: Naming) => (source === SHIPPED_SOURCE ? SHIPPED_NAME : nameOf(source));

/** A rate with its provenance, or the reason for its absence. */
export function figureOf(rate: Rate, type: Indicator, metric: string, nameOf: Naming): Figure {
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
    method: methodOf(rate.from),
    staleAfter: new Date(nextReleaseOf(type, new Date(now.published_at)).at.getTime() + PATIENCE_MS).toISOString(),
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
  nameOf: Naming,
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
