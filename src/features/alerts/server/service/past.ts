import { TRACKED } from '#features/market/contract.ts';

import type { Fence } from '#server/platform/leader.ts';
import type { AlertsContext } from '../context.ts';
import type { CoinReading, Reading } from '../reading.ts';
import { findGates, saveGates } from '../store.ts';
import { judge } from './judge.ts';
import { printsAt, readReturns } from './present.ts';
import { consensusOf, DAY_MS, figuresOf, PAST_DAYS, PAST_METRICS } from './read.ts';

/** How far back the demo's alerts go. */
const SPAN_DAYS = 30;
/** Remembers the last moment of the past that was judged, and with step 1 that all of it was. */
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

/** What was known at an earlier moment. Of its calendar nothing is kept. */
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
    ...figuresOf(view, series, at),
    consensus: consensusOf(analysis, at),
    prints: printsAt(ctx, at),
    events: [],
  };
}

/** Metrics stand at one time of each simulated day, analyses at its midnight. */
function momentsOf(phase: Date, from: number, to: number): Date[] {
  const midnight = Math.floor(from / DAY_MS) * DAY_MS;
  const days = Array.from({ length: Math.ceil((to - midnight) / DAY_MS) + 1 }, (_, i) => midnight + i * DAY_MS);
  const times = days.flatMap((day) => [day, day + (phase.getTime() % DAY_MS)]);
  return [...new Set(times)].filter((time) => time > from && time < to).map((time) => new Date(time));
}

/**
 * Demo only: the alerts of the simulated past, by the rules of the present under a clock that stands at each of its moments in turn.
 * Goes on where it was interrupted. False while that past is not known yet.
 */
export async function writePast(ctx: AlertsContext & { fence?: Fence }, signal: AbortSignal): Promise<boolean> {
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
    saveGates(ctx.db, new Map([[MARK, { step, toldStep: 0, toldAt: at, value: null }]]), at);
  for (const at of momentsOf(through, Math.max(first, mark?.toldAt?.getTime() ?? 0), now.getTime())) {
    if (signal.aborted) return false;
    await judge({ ...ctx, now: () => at }, await readAt(ctx, at));
    await save(at, 0);
  }
  await save(now, 1);
  return true;
}
