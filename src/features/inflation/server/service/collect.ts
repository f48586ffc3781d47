import type { Indicator } from '#features/inflation/contract.ts';
import type { SourceClient } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { Method } from '#shared/provenance.ts';
import {
  addMonths,
  easternDay,
  easternTime,
  findRelease,
  releasesBetween,
  type ScheduledRelease,
} from '#shared/release-calendar.ts';
import { SHIPPED, US_SERIES, type UsSeries } from '#shared/us-series.ts';
import type { InflationContext } from '../context.ts';
import { SHIPPED_SOURCE } from '../shipped.ts';
import { AGENCY_SOURCES, EXPECTATION_SOURCES, INDEX_SOURCES } from '../sources.ts';
import { addExpectations, addVintages, allExpectations, allVintages } from '../store.ts';
import type { IndexSource, IndexValue, ReadContext, StoredExpected, Vintage } from '../types.ts';
import { INDICATOR_ORDER } from './indicators.ts';
import { computeLevels, type Levels, seriesIds } from './rates.ts';

const TOLERANCE = 1e-6;
/** The first release may follow an estimated day by this much. */
const ESTIMATED_SLACK_MS = 10 * 86_400_000;
const YEAR_MS = 400 * 86_400_000;

const same = (a: number | null, b: number | null) =>
  a === b || (a !== null && b !== null && Math.abs(a - b) < TOLERANCE);

const releaseOf = new Map(US_SERIES.map(({ id, release }) => [id, release]));
const shipped = new Set(US_SERIES.filter(({ isShipped }) => isShipped).map(({ id }) => id));

/** The indicator's last release by then. */
const lastRelease = (type: Indicator, at: Date): Date | undefined =>
  releasesBetween(new Date(at.getTime() - YEAR_MS), at, [type]).at(-1)?.at;

function vintageDate(type: Indicator, period: string, day: string): Date {
  const release = findRelease(type, period)?.at;
  if (release && easternDay(release) === day) return release;
  const near = lastRelease(type, easternTime(day, '23:59'));
  return near && easternDay(near) === day ? near : easternTime(day);
}

/** The publication of a value: dated by the source, or derived from the calendar and known data. */
function publication(type: Indicator, value: IndexValue, chain: readonly Vintage[], fetchedAt: Date) {
  const release = findRelease(type, value.period);
  if (value.publishedOn) {
    const at = vintageDate(type, value.period, value.publishedOn);
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
 * The vintages a response adds: values never seen for a month. A missing value in place of a known one, or a value from
 * an earlier vintage, comes from a lagging source.
 */
function newVintages(
  levels: Levels,
  values: readonly IndexValue[],
  by: { source: string; fetchedAt: Date; method: Method },
): Vintage[] {
  const added: Vintage[] = [];
  const fresh = new Map<string, Vintage[]>();
  for (const value of values) {
    const type = releaseOf.get(value.series);
    if (!type) continue;
    // The demo's copy of an official month does not replace the official one.
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

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_PERIOD = '2014-12';
/** One year, plus the range of seasonal factor revisions. */
const RECENT_MONTHS = 26;
/** After its time a release is looked for at every check, later at some, and finally with everything else. */
const EAGER_MS = 2 * 3_600_000;
const PATIENT_MS = 3 * DAY_MS;
const PATIENT_STEP_MS = 30 * MINUTE_MS;
/** An estimated day may be off by this much. */
const ESTIMATED_MS = 10 * DAY_MS;

/** The calendar responds with an HTML page to a third request within five minutes. */
const EXPECTATIONS_REST_MS = 10 * MINUTE_MS;

const modeMethod = ({ mode }: InflationContext) => (mode === 'demo' ? ('demo' as const) : ('measured' as const));

/** The newest release of each indicator whose figures are overdue. */
export async function missingReleases(ctx: InflationContext): Promise<ScheduledRelease[]> {
  const now = ctx.now();
  const levels = computeLevels(await allVintages(ctx.db));
  return INDICATOR_ORDER.flatMap((type) => {
    const release = releasesBetween(new Date(now.getTime() - 60 * DAY_MS), now, [type]).at(-1);
    if (!release || levels.at(seriesIds(type, 'headline').adjusted, release.period, now)?.value != null) return [];
    return [release];
  });
}

/** Whether this check should look for the release. */
function isDue({ at, estimated }: ScheduledRelease, now: Date): boolean {
  const sinceMs = now.getTime() - at.getTime();
  if (sinceMs < EAGER_MS) return true;
  if (sinceMs > (estimated ? ESTIMATED_MS : PATIENT_MS)) return false;
  return now.getTime() % PATIENT_STEP_MS < 5 * MINUTE_MS;
}

const lastAsked = new WeakMap<InflationContext, Map<string, number>>();

function mayAsk(ctx: InflationContext, source: string, now: Date, restMs: number): boolean {
  const times = lastAsked.get(ctx) ?? new Map<string, number>();
  lastAsked.set(ctx, times);
  const last = times.get(source);
  if (last !== undefined && Math.abs(now.getTime() - last) < restMs) return false;
  times.set(source, now.getTime());
  return true;
}

const seriesIn = (types: readonly Indicator[]) => US_SERIES.filter(({ release }) => types.includes(release));

async function readFrom(
  ctx: InflationContext,
  source: IndexSource,
  wanted: readonly UsSeries[],
  from: string,
  ask: ReadContext,
) {
  if (!ctx.sources.isOn(source.source)) return null;
  const series = wanted.filter((each) => source.gives(each));
  if (series.length === 0) return null;
  if (source.restMs && !mayAsk(ctx, source.source, ask.now, source.restMs(ctx.config))) return null;
  try {
    const values = await source.read(ctx.sources.client(source.source), series, from, ask);
    const fetchedAt = ctx.now();
    const added = await ctx.db.transaction().execute(async (tx) => {
      const levels = computeLevels(await allVintages(tx));
      const news = newVintages(levels, values, { source: source.source, fetchedAt, method: modeMethod(ctx) });
      return addVintages(tx, news);
    });
    return { added, given: new Set(values.map((value) => value.series)) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // When none of its series exists, the source has failed.
    if (error.kind === 'absent') ctx.sources.failed(source.source, error);
    ctx.log.debug({ source: source.source, error: error.message }, 'source returned no price indexes');
    return null;
  }
}

/**
 * Reads sources in order for series not yet obtained, and the agencies themselves for a release not available elsewhere
 * yet.
 */
async function readIndexes(ctx: InflationContext, types: readonly Indicator[], from: string, signal: AbortSignal) {
  const ask: ReadContext = { now: ctx.now(), config: ctx.config, signal };
  let added = 0;
  let left = seriesIn(types);
  for (const source of INDEX_SOURCES) {
    const got = await readFrom(ctx, source, left, from, ask);
    if (got === null) continue;
    added += got.added;
    left = left.filter(({ id }) => !got.given.has(id));
  }
  const missing = (await missingReleases(ctx))
    .map(({ type }) => type as Indicator)
    .filter((type) => types.includes(type));
  if (missing.length > 0)
    for (const source of AGENCY_SOURCES)
      added += (await readFrom(ctx, source, seriesIn(missing), from, ask))?.added ?? 0;
  return added;
}

type From = {
  config: InflationContext['config'];
  now: Date;
  clientOf: (id: string) => SourceClient;
  signal: AbortSignal;
  /** Limits to one source. */
  only?: string;
};

/** Reads current expectations; an unchanged value is not stored again. */
export async function readExpectations(
  ctx: InflationContext,
  { config, now, clientOf, signal, only }: From,
): Promise<number> {
  let added = 0;
  for (const { source, read } of EXPECTATION_SOURCES.filter((each) => !only || each.source === only)) {
    if (!ctx.sources.isOn(source) || !mayAsk(ctx, source, now, EXPECTATIONS_REST_MS)) continue;
    try {
      const given = await read(clientOf(source), { now, config, signal });
      const expectationKey = (each: Pick<StoredExpected, 'type' | 'measure' | 'period' | 'kind'>) =>
        `${each.type} ${each.measure} ${each.period} ${each.kind}`;
      const last = new Map(
        (await allExpectations(ctx.db))
          .filter((each) => each.as_of <= now.toISOString())
          .map((each) => [expectationKey(each), each.value]),
      );
      const news = given.filter((each) => each.kind === 'nowcast' || last.get(expectationKey(each)) !== each.value);
      const fetched_at = now.toISOString();
      added += await addExpectations(
        ctx.db,
        news.map((each) => ({ ...each, source, fetched_at, method: modeMethod(ctx) })),
      );
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      ctx.log.debug({ source, error: error.message }, 'source returned no expectations');
    }
  }
  return added;
}

/** Rereads everything; returns whether something has changed. */
export async function refreshAll(ctx: InflationContext, signal: AbortSignal): Promise<boolean> {
  const added = await readIndexes(ctx, INDICATOR_ORDER, FIRST_PERIOD, signal);
  const clientOf = ctx.sources.client;
  const expected = await readExpectations(ctx, { config: ctx.config, now: ctx.now(), clientOf, signal });
  await ctx.sources.save();
  return added + expected > 0;
}

/** Cheap: requests a source only when a release is due, or before the first request. */
export async function checkReleases(ctx: InflationContext, signal: AbortSignal): Promise<boolean> {
  const now = ctx.now();
  const isNew = !(await allVintages(ctx.db)).some(({ source }) => source !== SHIPPED_SOURCE);
  if (isNew) return refreshAll(ctx, signal);
  const due = (await missingReleases(ctx)).filter((release) => isDue(release, now));
  if (due.length === 0) return false;
  const from = addMonths(now.toISOString().slice(0, 7), -RECENT_MONTHS);
  const added = await readIndexes(
    ctx,
    due.map(({ type }) => type as Indicator),
    from,
    signal,
  );
  await ctx.sources.save();
  return added > 0;
}
