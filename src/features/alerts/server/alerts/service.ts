import type { RaisedAlert } from '#features/alerts/contract/alerts.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import { type Fence, ignoreLeadershipLost, noFence } from '#kernel/leader.ts';
import { createThrottle, type Throttle } from '#kernel/throttle.ts';
import type { AlertsContext } from './context.ts';
import { getLevels } from './levels.ts';
import { type AlertDraft, type Crossing, type Gate, passGate, raiseAlerts } from './raise.ts';
import type { CoinReading, Reading } from './reading.ts';
import type { Evaluation } from './rules/triggers.ts';
import { evaluateAll } from './rules.ts';
import {
  createReadingSource,
  DAY_MS,
  PAST_DAYS,
  PAST_METRICS,
  readFigures,
  readReleases,
  readReturns,
  toConsensus,
} from './service/read.ts';
import { findGates, lockGates, saveGates } from './store.ts';

type Verdict = { gates: Map<string, Gate & { value: number | null }>; drafts: AlertDraft[] };

function toDraft(judged: Evaluation, crossing: Crossing, at: Date): AlertDraft {
  const { type, severity } = getLevels(judged.levels);
  const { gate, metric, value, strength, birth, event } = judged;
  const { source, method, sourceAt, receivedAt } = birth;
  return {
    idempotencyKey: `gate:${gate}:${crossing.step}:${at.getTime()}`,
    own: null,
    type,
    severity: severity[crossing.index] ?? 'low',
    message: judged.message(crossing),
    metric,
    value,
    ...(event ? { event } : {}),
    detail: { gate, step: crossing.step, level: crossing.level, strength },
    source,
    method,
    sourceAt,
    receivedAt,
    evaluatedAt: at,
  };
}

/** The effect of a reading on the current gates. */
export function evaluateGates(
  reading: Reading,
  previousGates: ReadonlyMap<string, Gate>,
  judged = evaluateAll(reading),
): Verdict {
  const gates: Verdict['gates'] = new Map();
  const drafts: AlertDraft[] = [];
  for (const each of judged) {
    const passed = passGate(previousGates.get(each.gate), getLevels(each.levels), each.strength, reading.at);
    if (!passed) continue;
    gates.set(each.gate, { ...passed.next, value: each.value });
    if (passed.crossing) drafts.push(toDraft(each, passed.crossing, reading.at));
  }
  return { gates, drafts };
}

type Deps = Pick<AlertsContext, 'db' | 'live' | 'now'> & { fence?: Fence };

/**
 * Evaluates a reading against the gates. Changes are written in one transaction with the alerts, outbox rows and
 * frames, based on the gates as read in it: a second process finds nothing left to raise.
 */
export async function evaluate({ db, live, now, fence = noFence }: Deps, reading: Reading): Promise<RaisedAlert[]> {
  const judged = evaluateAll(reading);
  const names = judged.map(({ gate }) => gate);
  if (evaluateGates(reading, await findGates(db, names), judged).gates.size === 0) return [];
  return db.transaction().execute(async (tx) => {
    await fence(tx);
    await lockGates(tx);
    const { gates, drafts } = evaluateGates(reading, await findGates(tx, names), judged);
    await saveGates(tx, gates, reading.at);
    return raiseAlerts({ live, now }, tx, drafts);
  });
}

/** How far back the demo's alerts extend. */
const SPAN_DAYS = 30;
/** Stores the last past moment evaluated; step 1 means all of it is done. */
const MARK = 'demo:past';

async function coinsAt({ market, mode }: AlertsContext, at: Date, returns: Awaited<ReturnType<typeof readReturns>>) {
  const names = new Map(market.ctx.board.prices().map(({ id, name }) => [id, name]));
  const coins = await Promise.all(
    TRACKED.map(async ({ id, symbol }): Promise<CoinReading[]> => {
      const [now, before] = await Promise.all([
        market.priceBefore(id, at),
        market.priceBefore(id, new Date(at.getTime() - DAY_MS)),
      ]);
      const own = returns.get(id);
      if (!now || !before || !own) return [];
      return [
        {
          id,
          name: names.get(id) ?? symbol,
          value: now.usd,
          change: Math.log(now.usd / before.usd),
          returns: own,
          source: 'Meridian',
          method: mode === 'demo' ? 'demo' : 'computed',
          sourceAt: new Date(now.at),
          receivedAt: at,
        },
      ];
    }),
  );
  return coins.flat();
}

/** The market at a past moment. Past calendar states are not stored. */
async function readAt(ctx: AlertsContext, at: Date): Promise<Reading> {
  const [view, series, returns, analysis] = await Promise.all([
    ctx.metrics.at(at),
    ctx.metrics.daily(PAST_METRICS, new Date(at.getTime() - PAST_DAYS * DAY_MS), at),
    readReturns(ctx, at),
    ctx.analysis.at(at),
  ]);
  return {
    at,
    coins: await coinsAt(ctx, at, returns),
    ...readFigures(view, series, at),
    consensus: toConsensus(analysis, at),
    prints: readReleases(ctx, at),
    events: [],
  };
}

/** Metrics have one time on each simulated day, analyses its midnight. */
function checkTimes(phase: Date, from: number, to: number): Date[] {
  const midnight = Math.floor(from / DAY_MS) * DAY_MS;
  const days = Array.from({ length: Math.ceil((to - midnight) / DAY_MS) + 1 }, (_, i) => midnight + i * DAY_MS);
  const times = days.flatMap((day) => [day, day + (phase.getTime() % DAY_MS)]);
  return [...new Set(times)].filter((time) => time > from && time < to).map((time) => new Date(time));
}

/**
 * Demo only: generates the alerts of the simulated past by running the current rules at each of its moments. Resumes
 * after an interruption. False while that past is not available yet.
 */
async function backfillAlerts(ctx: AlertsContext & { fence?: Fence }, signal: AbortSignal): Promise<boolean> {
  if (ctx.mode !== 'demo' || !ctx.openPast) return true;
  const mark = (await findGates(ctx.db, [MARK])).get(MARK);
  if (mark?.step === 1) return true;
  const { predictions } = ctx.analysis.ctx;
  if (!(await predictions.newestEntryAt()) || (await predictions.isCatchingUp())) return false;
  const now = ctx.now();
  const first = now.getTime() - Math.min(SPAN_DAYS, ctx.config.METRIC_PAST_DAYS) * DAY_MS;
  const through = await ctx.metrics.simulatedThrough();
  if (!through || through.getTime() >= first + DAY_MS) return false;
  const save = (at: Date, step: number) =>
    saveGates(ctx.db, new Map([[MARK, { step, alertedStep: 0, alertedAt: at, value: null }]]), at);
  for (const at of checkTimes(through, Math.max(first, mark?.alertedAt?.getTime() ?? 0), now.getTime())) {
    if (signal.aborted) return false;
    await evaluate({ ...ctx, now: () => at }, await readAt(ctx, at));
    await save(at, 0);
  }
  await save(now, 1);
  return true;
}

export type { AlertsContext } from './context.ts';
export { findMarketAlert, readAlerts } from './service/read.ts';

/** Prices arrive every second; the market is evaluated at most this often. */
const CHECK_INTERVAL_MS = 10_000;

export type Alerts = {
  ctx: AlertsContext;
  start: () => Promise<void>;
  /** Evaluates the current market against every rule and raises new alerts. */
  judge: () => Promise<RaisedAlert[]>;
  /** Evaluates on every update until stopped. Only the collecting process does this. */
  watch: (fence?: Fence) => { stop: () => Promise<void> };
};

/** Market alerts, and the common list of alerts. */
export function createAlerts(ctx: AlertsContext): Alerts {
  const present = createReadingSource(ctx);
  let throttle: Throttle | null = null;
  const triggerCheck = () => throttle?.trigger();

  return {
    ctx,
    async start() {
      for (const { onChange } of [ctx.market, ctx.metrics, ctx.analysis, ctx.inflation, ctx.events])
        onChange(triggerCheck);
    },
    judge: async () => evaluate(ctx, await present()),
    watch(fence = noFence) {
      const own = { ...ctx, fence };
      const stopping = new AbortController();
      let currentCheck = Promise.resolve();
      async function runCheck(): Promise<void> {
        if (stopping.signal.aborted || !(await backfillAlerts(own, stopping.signal))) return;
        await evaluate(own, await present());
      }
      const checkThrottle = createThrottle(
        CHECK_INTERVAL_MS,
        () => (currentCheck = runCheck()),
        ignoreLeadershipLost((error) => ctx.report('alerts', 'system', 'Failed to evaluate market alerts', error)),
      );
      throttle = checkThrottle;
      checkThrottle.trigger();
      return {
        async stop() {
          if (throttle === checkThrottle) throttle = null;
          stopping.abort();
          checkThrottle.stop();
          await currentCheck.catch(() => undefined);
        },
      };
    },
  };
}
