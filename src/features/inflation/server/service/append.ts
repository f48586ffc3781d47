import type { Indicator } from '#features/inflation/contract.ts';
import type { Method } from '#shared/provenance.ts';
import { easternDay, easternTime, findRelease, releasesBetween } from '#shared/release-calendar.ts';
import { SHIPPED, US_SERIES } from '#shared/us-series.ts';
import type { IndexValue, Vintage } from '../types.ts';
import type { Levels } from './rates.ts';

const TOLERANCE = 1e-6;
/** The first print may come this much after a day that was only estimated. */
const ESTIMATED_SLACK_MS = 10 * 86_400_000;
const YEAR_MS = 400 * 86_400_000;

const same = (a: number | null, b: number | null) =>
  a === b || (a !== null && b !== null && Math.abs(a - b) < TOLERANCE);

const releaseOf = new Map(US_SERIES.map(({ id, release }) => [id, release]));
const shipped = new Set(US_SERIES.filter(({ isShipped }) => isShipped).map(({ id }) => id));

/** The last release of the indicator by then. */
const lastRelease = (type: Indicator, at: Date): Date | undefined =>
  releasesBetween(new Date(at.getTime() - YEAR_MS), at, [type]).at(-1)?.at;

function dayOfVintage(type: Indicator, period: string, day: string): Date {
  const release = findRelease(type, period)?.at;
  if (release && easternDay(release) === day) return release;
  const near = lastRelease(type, easternTime(day, '23:59'));
  return near && easternDay(near) === day ? near : easternTime(day);
}

/** What a value was published as: the source tells the day, or it follows from the calendar and from what is known. */
function publication(type: Indicator, value: IndexValue, chain: readonly Vintage[], fetchedAt: Date) {
  const release = findRelease(type, value.period);
  if (value.publishedOn) {
    const at = dayOfVintage(type, value.period, value.publishedOn);
    const slackMs = release?.estimated ? ESTIMATED_SLACK_MS : 0;
    const isFirst = !release || at.getTime() <= release.at.getTime() + slackMs;
    return { at, isFirst: isFirst && !chain.some((each) => each.first_print && each.published_at < at.toISOString()) };
  }
  const last = lastRelease(type, fetchedAt);
  const newest = chain.at(-1);
  if (chain.every((each) => each.value === null)) {
    const isEarly = !release || release.at > fetchedAt;
    const isFirst = release !== undefined && (isEarly || last?.getTime() === release.at.getTime());
    return { at: isEarly || newest ? fetchedAt : release.at, isFirst };
  }
  const isLater = last && last.getTime() > Date.parse(newest?.published_at ?? '');
  return { at: isLater ? last : fetchedAt, isFirst: false };
}

/**
 * What a source's answer adds to what is stored: values never seen of a month. A hole where a value was, and a value that
 * an earlier vintage had, come from a source that lags.
 */
export function newVintages(
  levels: Levels,
  values: readonly IndexValue[],
  by: { source: string; fetchedAt: Date; method: Method },
): Vintage[] {
  const added: Vintage[] = [];
  const fresh = new Map<string, Vintage[]>();
  for (const value of values) {
    const type = releaseOf.get(value.series);
    if (!type) continue;
    // The demo's copy of a true month is not better than the true one.
    if (by.method === 'demo' && shipped.has(value.series) && value.period <= SHIPPED.through) continue;
    const key = `${value.series} ${value.period}`;
    const chain = fresh.get(key) ?? [...levels.chain(value.series, value.period)];
    const { at, isFirst } = publication(type, value, chain, by.fetchedAt);
    if (at > by.fetchedAt) continue;
    const isKnown = value.publishedOn
      ? chain.some(
          (each) =>
            Date.parse(each.published_at) === at.getTime() &&
            same(each.value, value.value) &&
            each.first_print === isFirst,
        )
      : chain.some((each) => same(each.value, value.value)) || (value.value === null && chain.length > 0);
    if (isKnown) continue;
    const vintage: Vintage = {
      series: value.series,
      period: value.period,
      value: value.value,
      published_at: at.toISOString(),
      first_print: isFirst && value.value !== null,
      source: by.source,
      fetched_at: by.fetchedAt.toISOString(),
      method: by.method,
    };
    added.push(vintage);
    fresh.set(key, [...chain, vintage]);
  }
  return added;
}
