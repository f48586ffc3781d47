import { Worker } from 'node:worker_threads';
import { exportsTopic } from '#features/exports/contract/exports.ts';
import { type Db, isUnreachable } from '#kernel/db.ts';
import { WRITER_LIMITS } from '#kernel/files/table.ts';

import type { ExportsContext } from '../context.ts';
import { beat, type ExportRow, type File, fail, finish, releaseClaim } from '../store/exports.ts';
import { FAILED } from '../words.ts';
import { readBranding } from './branding.ts';
import { attemptFile, filePath, makeFolder, removeFiles } from './files.ts';
import type { Order, ThreadMessage } from './order.ts';
import { computeProgress } from './read.ts';

const DAY_MS = 86_400_000;
const BEAT_MS = 1000;
/** An export that crashes its process each time is not retried forever. */
const ATTEMPTS = 3;
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT']);
const NO_ROOM = 'We ran out of storage for this file and have been alerted. Please try again later.';

/** 'again': waits for the next worker. */
export type Outcome = { state: 'done' | 'failed' | 'again'; row: ExportRow } | { state: 'cancelled' };
type End =
  | { why: 'made'; file: File }
  | { why: 'cancelled' | 'stopping' | 'died' }
  | { why: 'failed'; code: string; message: string };

/** A concurrency slot of this process. */
export type Semaphore = { take: () => Promise<() => void> };

/** Writes the file of an export claimed by this process, in a thread, and settles it. */
export async function runExport(ctx: ExportsContext, row: ExportRow, places?: Semaphore): Promise<Outcome> {
  let end!: (end: End) => void;
  const ending = new Promise<End>((resolve) => (end = resolve));
  const progress = { done: 0, expected: row.rows_expected, told: -1 };
  const running = run(ctx, row, { ending, end, progress, places });
  ctx.making.set(row.id, { end: (why) => end({ why }), ended: running.catch(() => undefined) });
  try {
    return await running;
  } finally {
    ctx.making.delete(row.id);
  }
}

type Under = {
  ending: Promise<End>;
  end: (end: End) => void;
  progress: { done: number; expected: number; told: number };
  places: Semaphore | undefined;
};

async function run(ctx: ExportsContext, row: ExportRow, { ending, end, progress, places }: Under): Promise<Outcome> {
  const timer = setInterval(() => {
    void reportProgress(ctx, row, progress).then(
      (wanted) => !wanted && end({ why: 'cancelled' }),
      () => undefined,
    );
  }, BEAT_MS);
  const taking = places?.take();
  let thread: Worker | undefined;
  try {
    const early = await Promise.race([taking?.then(() => undefined), ending]);
    for (let attempt = 1; attempt < row.attempt; attempt++) await removeFiles(ctx.config, { ...row, attempt });
    if (row.attempt > ATTEMPTS)
      end({ why: 'failed', code: '', message: 'The export did not complete after three attempts' });
    else if (!early)
      thread = await begin(ctx, row, progress, end).catch((error: NodeJS.ErrnoException) => {
        end({ why: 'failed', code: error.code ?? '', message: error.message });
        return undefined;
      });
    const how = await ending;
    await thread?.terminate();
    return await settle(ctx, row, how);
  } finally {
    clearInterval(timer);
    void taking?.then((leave) => leave());
  }
}

async function begin(
  ctx: ExportsContext,
  row: ExportRow,
  progress: Under['progress'],
  end: Under['end'],
): Promise<Worker> {
  await makeFolder(ctx.config);
  const order: Order = {
    connections: await ctx.reads.connections(),
    row,
    mode: ctx.mode,
    at: ctx.now().toISOString(),
    minuteDays: ctx.config.MINUTE_CANDLE_DAYS,
    look: await readBranding(ctx, row.user_id),
    part: attemptFile(ctx.config, row),
    file: filePath(ctx.config, row),
  };
  const thread = new Worker(new URL('../export-worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: WRITER_LIMITS,
  });
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind === 'progress') Object.assign(progress, { done: message.done, expected: message.expected });
    else if (message.kind === 'elsewhere')
      ctx.reads.failed(Object.assign(new Error(message.message), { code: message.code }));
    else end(message.kind === 'made' ? { why: 'made', file: message.file } : { why: 'failed', ...message });
  });
  thread.on('error', (error) => {
    ctx.report('exports', 'system', 'An export thread failed', error);
    end({ why: 'died' });
  });
  thread.on('exit', () => end({ why: 'died' }));
  return thread;
}

const publish = (ctx: ExportsContext, tx: Db, row: ExportRow) =>
  ctx.live.publishTo(tx, row.user_id, exportsTopic, { id: row.id, state: row.state, progress: computeProgress(row) });

/** False when the file is no longer wanted. */
async function reportProgress(ctx: ExportsContext, row: ExportRow, progress: Under['progress']): Promise<boolean> {
  const { done, expected } = progress;
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await beat(tx, row, done, expected))) return false;
    if (progress.told !== done) await publish(ctx, tx, { ...row, rows_done: done, rows_expected: expected });
    progress.told = done;
    return true;
  });
}

async function settle(ctx: ExportsContext, row: ExportRow, end: End): Promise<Outcome> {
  if (end.why !== 'made') await removeFiles(ctx.config, row);
  if (end.why === 'cancelled') return { state: 'cancelled' };
  const at = ctx.now();
  const unwell = end.why === 'failed' && isUnreachable(Object.assign(new Error(end.message), { code: end.code }));
  const again = end.why === 'stopping' || ((end.why === 'died' || unwell) && row.attempt < ATTEMPTS);
  if (end.why === 'failed' || end.why === 'died')
    ctx.report('exports', 'system', 'An export failed', { id: row.id, ...end });
  const expires = new Date(at.getTime() + ctx.config.EXPORT_DAYS_KEPT * DAY_MS);
  const settled = await ctx.db.transaction().execute(async (tx) => {
    const sentence = end.why === 'failed' && NO_SPACE.has(end.code) ? NO_ROOM : FAILED;
    const next = again
      ? await releaseClaim(tx, row)
      : end.why === 'made'
        ? await finish(tx, row, end.file, at, expires)
        : await fail(tx, row, sentence, at);
    if (!next) return undefined;
    if (!again) for (const listener of ctx.made) await listener(next, tx);
    await publish(ctx, tx, next);
    return next;
  });
  if (settled) return { state: again ? 'again' : settled.state === 'done' ? 'done' : 'failed', row: settled };
  await removeFiles(ctx.config, row);
  return { state: 'cancelled' };
}
