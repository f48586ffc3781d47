import type { Indicator } from '#features/inflation/contract.ts';
import type { SourceClient } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import { addMonths, releasesBetween, type ScheduledRelease } from '#shared/release-calendar.ts';
import { US_SERIES, type UsSeries } from '#shared/us-series.ts';
import type { InflationContext } from '../context.ts';
import { SHIPPED_SOURCE } from '../shipped.ts';
import { AGENCY_SOURCES, EXPECTATION_SOURCES, INDEX_SOURCES } from '../sources.ts';
import { addExpectations, addVintages, allExpectations, allVintages } from '../store.ts';
import type { Ask, IndexSource, StoredExpected } from '../types.ts';
import { newVintages } from './append.ts';
import { INDICATOR_ORDER } from './indicators.ts';
import { levelsOf, seriesOf } from './rates.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_PERIOD = '2014-12';
/** A year and what a revision of seasonal factors may touch. */
const RECENT_MONTHS = 26;
/** After its moment a release is looked for at every check, later at some, in the end with everything else. */
const EAGER_MS = 2 * 3_600_000;
const PATIENT_MS = 3 * DAY_MS;
const PATIENT_STEP_MS = 30 * MINUTE_MS;
/** A day that was only estimated may be off by this much. */
const ESTIMATED_MS = 10 * DAY_MS;

/** The calendar answers a third question within five minutes with a page. */
const EXPECTATIONS_REST_MS = 10 * MINUTE_MS;

const methodOf = ({ mode }: InflationContext) => (mode === 'demo' ? ('demo' as const) : ('measured' as const));

/** The newest release of each indicator whose figures should be there by now and are not. */
export async function missingReleases(ctx: InflationContext): Promise<ScheduledRelease[]> {
  const now = ctx.now();
  const levels = levelsOf(await allVintages(ctx.db));
  return INDICATOR_ORDER.flatMap((type) => {
    const release = releasesBetween(new Date(now.getTime() - 60 * DAY_MS), now, [type]).at(-1);
    if (!release || levels.at(seriesOf(type, 'headline').adjusted, release.period, now)?.value != null) return [];
    return [release];
  });
}

/** Whether a release is to be looked for at this check. */
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
  ask: Ask,
) {
  if (!ctx.sources.isOn(source.source)) return null;
  const series = wanted.filter((each) => source.gives(each));
  if (series.length === 0) return null;
  if (source.restMs && !mayAsk(ctx, source.source, ask.now, source.restMs(ctx.config))) return null;
  try {
    const values = await source.read(ctx.sources.client(source.source), series, from, ask);
    const fetchedAt = ctx.now();
    const added = await ctx.db.transaction().execute(async (tx) => {
      const levels = levelsOf(await allVintages(tx));
      const news = newVintages(levels, values, { source: source.source, fetchedAt, method: methodOf(ctx) });
      return addVintages(tx, news);
    });
    return { added, given: new Set(values.map((value) => value.series)) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // None of its series is there: that is the source's failure.
    if (error.kind === 'absent') ctx.sources.failed(source.source, error);
    ctx.log.debug({ source: source.source, error: error.message }, 'a source gave no price indexes');
    return null;
  }
}

/** Asks one source after the other for the series that those before it did not give, and the agencies themselves for a release that it does not have yet. */
async function readIndexes(ctx: InflationContext, types: readonly Indicator[], from: string, signal: AbortSignal) {
  const ask: Ask = { now: ctx.now(), config: ctx.config, signal };
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
  /** One source alone. */
  only?: string;
};

/** What is expected now; the same word again is not kept twice. */
export async function readExpectations(
  ctx: InflationContext,
  { config, now, clientOf, signal, only }: From,
): Promise<number> {
  let added = 0;
  for (const { source, read } of EXPECTATION_SOURCES.filter((each) => !only || each.source === only)) {
    if (!ctx.sources.isOn(source) || !mayAsk(ctx, source, now, EXPECTATIONS_REST_MS)) continue;
    try {
      const given = await read(clientOf(source), { now, config, signal });
      const keyOf = (each: Pick<StoredExpected, 'type' | 'measure' | 'period' | 'kind'>) =>
        `${each.type} ${each.measure} ${each.period} ${each.kind}`;
      const last = new Map(
        (await allExpectations(ctx.db))
          .filter((each) => each.as_of <= now.toISOString())
          .map((each) => [keyOf(each), each.value]),
      );
      const news = given.filter((each) => each.kind === 'nowcast' || last.get(keyOf(each)) !== each.value);
      const fetched_at = now.toISOString();
      added += await addExpectations(
        ctx.db,
        news.map((each) => ({ ...each, source, fetched_at, method: methodOf(ctx) })),
      );
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      ctx.log.debug({ source, error: error.message }, 'a source gave no expectations');
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
