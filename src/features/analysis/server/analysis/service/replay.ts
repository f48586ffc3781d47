import { globSync, readFileSync } from 'node:fs';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { gunzipSync, gzipSync } from 'node:zlib';
import { recordTopic } from '#features/analysis/contract/predictions.ts';
import { type Replay, replay as replayContract } from '#features/analysis/contract/replay.ts';
import { sha256 } from '#kernel/canonical-json.ts';
import { AppError } from '#kernel/errors.ts';
import type { AnalysisContext } from '../context.ts';
import { VERSION } from '../local/analyst.ts';
import type { SourcedCandles } from '../local/replay-ledger.ts';
import type { ReplayResult } from '../local/replay-worker.ts';
import { findReplay, replayBasis, replayCandles, saveReplay } from '../store.ts';
import { candlesAt } from './run.ts';

const DAY_MS = 86_400_000;
/** As far back as candles are retained. */
const PAST_DAYS = 4000;
/** With fewer days per coin, hardly any call could be made. */
const FEWEST_DAYS = 250;
const EVERY_DAYS = 7;

const CODE = ['../local/*.ts', '../../predictions/scoring/*.ts', '../../predictions/service/record.ts'];
/** Changes with the code that computes a replay. */
const CODE_VERSION = sha256(
  globSync(CODE, { cwd: import.meta.dirname })
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('\n'),
);

const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** As CSV, one line per coin and day. */
function candlesToCsv(coins: readonly SourcedCandles[]): string {
  const lines = coins.flatMap(({ coin, candles }) =>
    candles.map(({ day, open, high, low, close, source }) =>
      [coin, day * DAY_MS, open, high, low, close, source].join(','),
    ),
  );
  return ['coin,timestamp,open,high,low,close,source', ...lines, ''].join('\n');
}

/**
 * Runs a file of `local/` in a thread and returns its message. Rejects with the thread's error, and when `signal`
 * aborts it.
 */
export function inThread<T>(
  file: string,
  workerData: unknown,
  { signal, resourceLimits }: { signal: AbortSignal; resourceLimits: ResourceLimits },
): Promise<T> {
  signal.throwIfAborted();
  const worker = new Worker(new URL(`../local/${file}`, import.meta.url), { workerData, resourceLimits });
  signal.addEventListener('abort', () => void worker.terminate(), { once: true });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`${file} ended with code ${code}`)));
  });
}

/**
 * Replays the built-in analyst over the stored candles and replaces the previous result. Due once each coin has enough
 * of them, then when the code has changed or a week of candles was added. Live mode only: simulated prices prove
 * nothing.
 */
export async function runReplay(ctx: AnalysisContext, signal: AbortSignal): Promise<void> {
  if (ctx.mode !== 'live') return;
  const [coins, last] = [await candlesAt(ctx, ctx.now(), PAST_DAYS), await replayBasis(ctx.db)];
  const days = coins.flatMap(({ candles }) => candles.map(({ day }) => day));
  const isDue = last?.code_version !== CODE_VERSION || days.length >= last.candle_count + EVERY_DAYS * coins.length;
  if (!isDue || coins.some(({ candles }) => candles.length < FEWEST_DAYS)) return;
  const { entries, head, record } = await inThread<ReplayResult>('replay-worker.ts', coins, {
    signal,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  await saveReplay(ctx.db, {
    made_at: ctx.now().toISOString(),
    model_version: VERSION,
    code_version: CODE_VERSION,
    candle_count: days.length,
    first_day: dayText(days.reduce((first, day) => Math.min(first, day))),
    last_day: dayText(days.reduce((latest, day) => Math.max(latest, day))),
    sources: [...new Set(coins.flatMap(({ candles }) => candles.map(({ source }) => source)))],
    entries,
    head,
    record,
    candles: gzipSync(candlesToCsv(coins)),
  });
  await ctx.live.publish(recordTopic, { at: ctx.now().getTime() });
}

export const hasReplay = async ({ db }: AnalysisContext): Promise<boolean> => (await replayBasis(db)) !== undefined;

/** The newest replay; null without one, and when an earlier version stored one that lacks fields. */
export async function readReplay({ db, sources }: AnalysisContext): Promise<Replay | null> {
  const stored = await findReplay(db);
  const shown = stored && { ...stored, sources: stored.sources.map(sources.nameOf) };
  return replayContract.safeParse(shown).data ?? null;
}

/** The candles of the newest replay as CSV. @throws AppError 404 without one */
export async function candlesAsCsv({ db }: AnalysisContext): Promise<string> {
  const stored = await replayCandles(db);
  if (!stored) throw new AppError('not_found', 'No replay available yet');
  return gunzipSync(stored).toString('utf8');
}
