import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Replay } from '#features/analysis/contract/replay.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { AnalysisContext } from '../context.ts';
import { VERSION } from '../local/analyst.ts';
import type { ReplayResult, SourcedCandles } from '../local/replay-ledger.ts';
import { findReplay, replayCandles, saveReplay } from '../store.ts';

const DAY_MS = 86_400_000;
/** As far back as candles are kept. */
const PAST_DAYS = 4000;
/** With fewer days of each coin, hardly a call could be made. */
const FEWEST_DAYS = 250;
const EVERY_DAYS = 7;

const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Daily candles of completed days with their sources. */
async function candlesOf({ market, now }: AnalysisContext): Promise<SourcedCandles[]> {
  const at = now();
  const ids = TRACKED.map(({ id }) => id);
  const stored = await market.dailyCandles(ids, new Date(at.getTime() - PAST_DAYS * DAY_MS), at);
  return TRACKED.map(({ id, symbol }) => ({
    coin: symbol,
    candles: (stored.get(id) ?? [])
      .map(({ day, open, high, low, close, source }) => {
        return { day: Date.parse(`${day}T00:00:00Z`) / DAY_MS, open, high, low, close, source };
      })
      .filter(({ day }) => (day + 1) * DAY_MS <= at.getTime()),
  }));
}

const isEnough = (coins: readonly SourcedCandles[]) => coins.every(({ candles }) => candles.length >= FEWEST_DAYS);

/** Live mode only: a replay of simulated prices would say nothing. Weekly, and after each change of the model. */
export async function isReplayDue(ctx: AnalysisContext): Promise<boolean> {
  if (ctx.mode !== 'live') return false;
  const last = await findReplay(ctx.db);
  if (!last) return isEnough(await candlesOf(ctx));
  const ageDays = (ctx.now().getTime() - Date.parse(last.last_day)) / DAY_MS;
  return last.model_version !== VERSION || ageDays > EVERY_DAYS + 1;
}

/** As CSV, a line for each coin and day. */
function csvOf(coins: readonly SourcedCandles[]): string {
  const lines = coins.flatMap(({ coin, candles }) =>
    candles.map(({ day, open, high, low, close, source }) =>
      [coin, day * DAY_MS, open, high, low, close, source].join(','),
    ),
  );
  return ['coin,timestamp,open,high,low,close,source', ...lines, ''].join('\n');
}

/** Replays the built-in analyst over the stored past in a thread of its own, and keeps the result in place of the last. */
export async function runReplay(ctx: AnalysisContext, signal: AbortSignal): Promise<void> {
  const coins = await candlesOf(ctx);
  if (ctx.mode !== 'live' || !isEnough(coins)) return;
  const worker = new Worker(new URL('../local/replay-worker.ts', import.meta.url), { workerData: coins });
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [{ entries, head, record }] = (await once(worker, 'message', { signal })) as [ReplayResult];
    const days = coins.flatMap(({ candles }) => candles.map(({ day }) => day));
    const sources = [...new Set(coins.flatMap(({ candles }) => candles.map(({ source }) => source)))];
    await saveReplay(ctx.db, {
      made_at: ctx.now().toISOString(),
      model_version: VERSION,
      first_day: dayText(days.reduce((first, day) => Math.min(first, day))),
      last_day: dayText(days.reduce((last, day) => Math.max(last, day))),
      sources,
      entries,
      head,
      record,
      candles: gzipSync(csvOf(coins)),
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export const replayOf = async ({ db, sources }: AnalysisContext): Promise<Replay | null> => {
  const stored = await findReplay(db);
  return stored ? { ...stored, sources: stored.sources.map(sources.nameOf) } : null;
};

/** The candles of the newest replay as CSV; empty without one. */
export async function* candlesAsCsv({ db }: AnalysisContext): AsyncGenerator<string> {
  const stored = await replayCandles(db);
  yield stored ? gunzipSync(stored).toString('utf8') : '';
}
