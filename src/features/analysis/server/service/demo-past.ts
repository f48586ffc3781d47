import { createAnalysts } from '../analysts.ts';
import type { AnalysisContext } from '../context.ts';
import { type Asking, analyse, readyAt } from './run.ts';

const DAY_MS = 86_400_000;
/** Enough dates for a word about a day's calls, and for some outcomes of every distance. */
const PAST_DAYS = 240;

/**
 * Demo only: writes the record of the simulated past, one analysis a day at midnight, in time order, by the code that writes
 * the present, under a clock that stands at each day. Goes on where it was interrupted. False while the past is not known yet.
 */
export async function writeDemoPast(
  ctx: AnalysisContext,
  fitsAt: Asking['fitsAt'],
  signal: AbortSignal,
): Promise<boolean> {
  if (ctx.mode !== 'demo' || !ctx.openPast) return true;
  const today = Math.floor(ctx.now().getTime() / DAY_MS) * DAY_MS;
  const newest = await ctx.predictions.newestEntryAt();
  const first = Math.max(today - PAST_DAYS * DAY_MS, newest ? Math.floor(newest.getTime() / DAY_MS + 1) * DAY_MS : 0);
  if (first > today) return true;
  if (!(await readyAt(ctx, new Date(first)))) return false;
  const world = await ctx.openPast();
  try {
    for (let moment = first; moment <= today && !signal.aborted; moment += DAY_MS) {
      const at = new Date(moment);
      await world.moveTo(at);
      const then: AnalysisContext = { ...ctx, config: world.config, now: () => at };
      const clientOf = (source: string) => ctx.sources.clientAt(source, world.config, at);
      const analysts = createAnalysts({ config: world.config, now: then.now, clientOf });
      await ctx.predictions.resolve(at);
      await analyse(then, { analysts, fitsAt }, signal, at);
    }
  } finally {
    await world.close();
  }
  await ctx.predictions.publishRoots();
  await ctx.predictions.score();
  return !signal.aborted;
}
