import { TRACKED } from '#features/market/contract/market.ts';
import {
  COMPONENT_NAMES,
  COMPONENTS,
  type ComponentId,
  type MinuteState,
  WINDOW_DAYS,
} from '#features/site/contract/status.ts';
import type { Db } from '#kernel/db.ts';
import { defineJob, type Job, noPayload, type Scheduler } from '#kernel/scheduler.ts';
import {
  beatStates,
  deliveryStates,
  detect,
  type Found,
  freshStates,
  type Limits,
  MINUTE_MS,
  type Span,
} from './detect.ts';
import {
  findOpen,
  forgetMeasured,
  type Known,
  lockKnown,
  rollUp,
  writeKnown,
  writeMeasured,
  writeStates,
} from './store/measured.ts';
import { answeredHoursIn, beatsIn, collectionsIn, findBeat, oldestDue, pricesIn } from './store/signals.ts';

type Lane = 'prices' | 'collection' | 'slow';
/** Maximum age of each lane's newest data. */
type LaneLimits = Record<Lane, Limits>;

type MeasureContext = {
  db: Db;
  now: () => Date;
  limits: () => LaneLimits;
  /** The sources of the slow lane. */
  slowSources: readonly string[];
};

const DAY_MS = 1440 * MINUTE_MS;
const COINS = TRACKED.map(({ id }) => id);
const dayStart = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;

/** Measures every whole minute since the last run, however long ago. Idempotent. */
async function measure(ctx: MeasureContext): Promise<void> {
  const to = Math.floor(ctx.now().getTime() / MINUTE_MS) * MINUTE_MS;
  for (let left = true; left; ) left = await ctx.db.transaction().execute((tx) => measureDay(ctx, tx, to));
}

/** Processes at most one UTC day; true while there is more. */
async function measureDay(ctx: MeasureContext, tx: Db, to: number): Promise<boolean> {
  const found = await lockKnown(tx);
  const known: Known[] = [];
  for (const component of COMPONENTS)
    known.push(found.find((each) => each.component === component) ?? (await beginning(tx, component, to)));
  const from = Math.min(...known.map(({ measuredTo }) => measuredTo));
  if (from >= to) {
    await writeKnown(
      tx,
      known.filter((each) => !found.includes(each)),
    );
    return false;
  }
  const end = Math.min(to, dayStart(from) + DAY_MS);
  const states = new Map<ComponentId, { from: number; states: MinuteState[] }>();
  for (const each of known) {
    const span = { from: each.measuredTo, to: end };
    if (span.from >= span.to) continue;
    const all = await readStates(ctx, tx, each.component, span);
    const skipped = unmeasured(ctx, each, span, all);
    const measured = { from: span.from + skipped * MINUTE_MS, to: end };
    if (each.measuredFrom === each.measuredTo) each.measuredFrom = measured.from;
    each.measuredTo = end;
    const rest = all.slice(skipped);
    await writeStates(tx, each.component, measured, rest);
    states.set(each.component, { from: measured.from, states: rest });
  }
  const lapses = new Map(
    known.flatMap(({ component, lapseFrom }) => (lapseFrom === null ? [] : [[component, lapseFrom] as const])),
  );
  const result = detect({ from, to: end }, states, lapses, await findOpen(tx));
  for (const incident of result.ended) await writeMeasured(tx, incident, incidentTitle(incident), ctx.now());
  if (result.open) await writeMeasured(tx, { ...result.open, endsAt: null }, incidentTitle(result.open), ctx.now());
  await writeKnown(
    tx,
    known.map((each) => ({ ...each, lapseFrom: result.lapses.get(each.component) ?? null })),
  );
  await rollUp(tx, dayStart(from));
  return end < to;
}

/** Heartbeats have a history; anything else is measured from its first run on. */
async function beginning(tx: Db, component: ComponentId, to: number): Promise<Known> {
  const since = to - WINDOW_DAYS * DAY_MS;
  const duty = component === 'website' ? 'serves' : 'any';
  const hasPast = component === 'website' || component === 'database';
  const first = hasPast ? Math.min(to, (await findBeat(tx, 'first', duty, since)) ?? to) : to;
  return { component, beganAt: first, measuredFrom: first, measuredTo: first, lapseFrom: null };
}

/** Initial minutes that do not count yet: a new installation has no data that could be late. */
function unmeasured(ctx: MeasureContext, each: Known, span: Span, states: readonly MinuteState[]): number {
  if (each.measuredFrom !== each.measuredTo) return 0;
  const { component, beganAt } = each;
  if (component === 'website' || component === 'database') return 0;
  const patience = component === 'alerts' ? 10 * MINUTE_MS : ctx.limits()[component].downMs;
  const first = states.findIndex(
    (state, n) => state === 'operational' || span.from + n * MINUTE_MS - beganAt > patience,
  );
  return first < 0 ? states.length : first;
}

async function readStates(ctx: MeasureContext, tx: Db, component: ComponentId, span: Span): Promise<MinuteState[]> {
  if (component === 'website') return beatStates(span, await beatsIn(tx, span, 'serves'));
  if (component === 'database') return beatStates(span, await beatsIn(tx, span, 'any'));
  if (component === 'alerts') return deliveryStates(span, await beatsIn(tx, span, 'works'), await oldestDue(tx));
  const limits = ctx.limits()[component];
  const wide = { from: span.from - limits.downMs, to: span.to };
  if (component === 'prices') return freshStates(span, await pricesIn(tx, wide, COINS), limits);
  if (component === 'collection') return freshStates(span, [await collectionsIn(tx, wide)], limits);
  return freshStates(span, [await answeredHoursIn(tx, wide, ctx.slowSources)], limits);
}

const incidentTitle = ({ components, impact }: Found): string => {
  const names = COMPONENTS.filter((each) => components.includes(each)).map((each) => COMPONENT_NAMES[each]);
  return `${impact === 'major' ? 'Outage' : 'Degraded'}: ${names.join(', ')}`;
};

/** One day more than the page shows. */
const KEPT_DAYS = 91;
const HOUR_MS = 60 * MINUTE_MS;
const WEEK_RUNS = 200;

type Settings = {
  FAST_LANE_SECONDS: number;
  LISTING_MINUTES: number;
  SLOW_LANE_MINUTES: number;
  FULL_COLLECTION_CRON: string[];
};
type Deps = Omit<MeasureContext, 'limits'> & { config: Settings; scheduler: () => Scheduler };

/** The longest gap between planned runs of the next days. */
function maxWait(crons: string[], scheduler: Scheduler, from: Date): number {
  let longest = 0;
  let last = scheduler.nextRun(crons, from);
  for (let n = 0; last && n < WEEK_RUNS && last.getTime() - from.getTime() < 7 * 24 * HOUR_MS; n += 1) {
    const next = scheduler.nextRun(crons, last);
    if (!next) break;
    longest = Math.max(longest, next.getTime() - last.getTime());
    last = next;
  }
  return longest || 24 * HOUR_MS;
}

/** Late after about two cycles of a lane, down after several. */
function laneLimits({ config, scheduler, now }: Deps): LaneLimits {
  const [fast, listing] = [config.FAST_LANE_SECONDS * 1000, config.LISTING_MINUTES * MINUTE_MS];
  const slow = config.SLOW_LANE_MINUTES * MINUTE_MS;
  const full = maxWait(config.FULL_COLLECTION_CRON, scheduler(), now());
  return {
    prices: {
      lateMs: Math.max(5 * MINUTE_MS, 2 * fast + 3 * MINUTE_MS),
      downMs: Math.max(20 * MINUTE_MS, 3 * fast, 3 * listing),
    },
    collection: { lateMs: full + 20 * MINUTE_MS, downMs: 2 * full + 20 * MINUTE_MS },
    // Calls are counted per hour.
    slow: { lateMs: HOUR_MS + 2 * slow, downMs: HOUR_MS + 8 * slow },
  };
}

export function statusJobs(deps: Deps): Job[] {
  const { db, now } = deps;
  let limits: LaneLimits | undefined;
  const ctx = { ...deps, limits: () => (limits ??= laneLimits(deps)) };
  return [
    defineJob({
      name: 'status.measure',
      about: 'Measures every minute since the last run for the status page, including incidents',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: () => measure(ctx),
    }),
    defineJob({
      name: 'status.retention',
      about: 'Deletes status measurements older than the window; incidents are kept',
      schedule: ['53 3 * * *'],
      exclusive: true,
      payload: noPayload,
      run: () => forgetMeasured(db, new Date(now().getTime() - KEPT_DAYS * 24 * HOUR_MS)),
    }),
  ];
}
