import { demoHistoryTopic } from '#features/analysis/contract/analysis.ts';
import type { PoolComparison } from '#features/analysis/contract/predictions.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { BarPrice, Market } from '#features/market/server/market/service.ts';

import { createAnalysts } from '../analysts.ts';
import type { AnalysisContext } from '../context.ts';
import { createForecaster } from '../local/volatility-model.ts';
import { lastIssuedAt, newestAnalysis } from '../store.ts';
import { SPANS } from './input.ts';
import { candlesAt, PAST_DAYS, prepare, readyAt, store } from './run.ts';

const DAY_MS = 86_400_000;
/** The last days of the record have one analysis each, the weeks before one a week, so that the demo is ready sooner. */
const DAILY_DAYS = 90;
/** Days between updates of the consensus weights. */
const RELEARN_DAYS = 28;
const PUBLISH_EVERY_MS = 1000;

const floorToDay = (at: Date) => Math.floor(at.getTime() / DAY_MS) * DAY_MS;

/** The midnights from `first` to `today` that get an analysis, oldest first. */
export function analysisMoments(first: number, today: number): number[] {
  const daily = today - DAILY_DAYS * DAY_MS;
  return Array.from({ length: (today - first) / DAY_MS + 1 }, (_, day) => first + day * DAY_MS).filter(
    (moment) => moment >= daily || ((moment - first) / DAY_MS) % 7 === 0,
  );
}

/** Percent of the analyses of `writeDemoPast` written so far; null in live mode and once complete. */
export async function demoPastWritten(ctx: AnalysisContext): Promise<number | null> {
  const { mode, openPast, now, config, db, predictions } = ctx;
  if (mode !== 'demo' || !openPast) return null;
  const newest = await lastIssuedAt(db);
  if (!newest || !(await predictions.newestEntryAt())) return 0;
  if (!(await predictions.isCatchingUp())) return null;
  const today = floorToDay(now());
  const moments = analysisMoments(today - config.DEMO_RECORD_DAYS * DAY_MS, today);
  const written = moments.filter((moment) => moment <= newest.getTime()).length;
  return Math.min(99, Math.floor((100 * written) / moments.length));
}

/**
 * Demo only: writes the record of the simulated past in time order, with the live code and the clock set to each
 * moment; calls are graded every midnight. Resumes after an interruption. False while the past is not available yet.
 */
export async function writeDemoPast(ctx: AnalysisContext, signal: AbortSignal): Promise<boolean> {
  if (ctx.mode !== 'demo' || !ctx.openPast) return true;
  const today = floorToDay(ctx.now());
  const [newest, analysed] = await Promise.all([ctx.predictions.newestEntryAt(), lastIssuedAt(ctx.db)]);
  const next = analysed ? Math.floor(analysed.getTime() / DAY_MS + 1) * DAY_MS : 0;
  // A day that was started is already in the ledger, and days before its newest entry can no longer be written.
  const free = Math.ceil((newest?.getTime() ?? 0) / DAY_MS) * DAY_MS;
  const first = Math.max(today - ctx.config.DEMO_RECORD_DAYS * DAY_MS, next, free);
  if (first > today) return true;
  if (!(await readyAt(ctx, new Date(first)))) return false;
  const market = await loadPrices(ctx.market, first, today);
  // Today's calendar was not known then.
  const past: AnalysisContext = { ...ctx, market, eventsForModels: async () => [] };
  const candles = await candlesAt(past, new Date(today), PAST_DAYS + (today - first) / DAY_MS);
  const forecaster = createForecaster(candles);
  const world = await ctx.openPast();

  async function prepareAt(moment: number) {
    const at = new Date(moment);
    await world.moveTo(at);
    const dated: AnalysisContext = { ...past, config: world.config, now: () => at };
    const pastClient = (source: string) => ctx.sources.clientAt(source, world.config, at);
    const analysts = createAnalysts({ config: world.config, mode: ctx.mode, now: dated.now, clientOf: pastClient });
    const day = moment / DAY_MS;
    const known = candles.map(({ coin, candles: all }) => ({
      coin,
      candles: all.filter((candle) => candle.day < day && candle.day >= day - PAST_DAYS),
    }));
    return { dated, prepared: await prepare(dated, analysts, signal, at, { candles: known, forecaster }) };
  }

  let pools: readonly PoolComparison[] = [];
  let publishedAt = -Infinity;
  const publish = () => ctx.live.publish(demoHistoryTopic, { at: ctx.now().getTime() });
  let before = await newestAnalysis(ctx.db);
  const moments = analysisMoments(first, today);
  let coming = prepareAt(first);
  try {
    for (const [i, moment] of moments.entries()) {
      if (signal.aborted) break;
      const { dated, prepared } = await coming;
      const next = moments[i + 1];
      // The analysts run for the next moment while this one is stored.
      if (next !== undefined) coming = prepareAt(next);
      // Its error counts when it is awaited.
      coming.catch(() => undefined);
      if (performance.now() - publishedAt > PUBLISH_EVERY_MS) {
        publishedAt = performance.now();
        await publish();
      }
      await ctx.predictions.resolve(prepared.at, market);
      if (((moment - first) / DAY_MS) % RELEARN_DAYS === 0) pools = await ctx.predictions.poolsAt(prepared.at);
      before = await store(dated, prepared, before, pools);
      // Another process is writing the same past.
      if (before === null) return false;
      for (let day = moment + DAY_MS; day < (next ?? today); day += DAY_MS)
        await ctx.predictions.resolve(new Date(day), market);
    }
  } finally {
    await coming.catch(() => undefined);
    await world.close();
  }
  await ctx.predictions.publishRoots();
  await ctx.predictions.score();
  await publish();
  return !signal.aborted;
}

/** A market that serves the tracked coins at the midnights of a span from memory; other queries use the database. */
async function loadPrices(market: Market, first: number, last: number): Promise<Market> {
  const ids = TRACKED.map(({ id }) => id);
  const from = new Date(first - (PAST_DAYS + 1) * DAY_MS);
  const midnights = Array.from({ length: (last - first) / DAY_MS + 1 }, (_, i) => first + i * DAY_MS);
  const times = [0, ...Object.values(SPANS)].flatMap((span) => midnights.map((moment) => moment - span));
  const moments = [...new Set(times)].map((time) => new Date(time));
  const graded = midnights.map((time) => ({ at: new Date(time), now: new Date(time) }));
  const candles = await market.dailyCandles(ids, from, new Date(last));
  const before = new Map<string, BarPrice | undefined>();
  const after = new Map<string, BarPrice | undefined>();
  for (const id of ids) {
    const [earlier, later] = await Promise.all([market.pricesBefore(id, moments), market.pricesAfter(id, graded)]);
    for (const [i, moment] of moments.entries()) before.set(`${id} ${moment.getTime()}`, earlier[i]);
    for (const [i, { at }] of graded.entries()) after.set(`${id} ${at.getTime()}`, later[i]);
  }
  return {
    ...market,
    async dailyCandles(wanted, since, until) {
      if (since < from || wanted.some((id) => !candles.has(id))) return market.dailyCandles(wanted, since, until);
      const [oldest, newest] = [since, until].map((time) => time.toISOString().slice(0, 10)) as [string, string];
      const within = (id: string) => (candles.get(id) ?? []).filter(({ day }) => day >= oldest && day <= newest);
      return new Map(wanted.map((id) => [id, within(id)]));
    },
    async priceBefore(id, moment) {
      const key = `${id} ${moment.getTime()}`;
      return before.has(key) ? before.get(key) : market.priceBefore(id, moment);
    },
    async priceAfter(id, moment, now) {
      const key = `${id} ${moment.getTime()}`;
      return moment.getTime() === now.getTime() && after.has(key) ? after.get(key) : market.priceAfter(id, moment, now);
    },
  };
}
