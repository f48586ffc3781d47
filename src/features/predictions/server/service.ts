import { type Backtest, type BacktestSummary, backtest, recordTopic } from '#features/predictions/contract.ts';
import type { Db } from '#server/platform/db.ts';
import { createKept } from '#server/platform/kept.ts';

import type { PredictionsContext } from './context.ts';
import { freeze, type Ground, groundAt, type Submission } from './service/freeze.ts';
import { composeRecord } from './service/record.ts';
import { resolveDue } from './service/resolve.ts';
import { score } from './service/score.ts';
import { type Verification, verifyLedger } from './service/verify.ts';
import { lastEntry, publishRoots } from './store/ledger.ts';
import { findRecord, findRecordAt, thinRecords } from './store/record.ts';

export { blockBootstrap } from './scoring/intervals.ts';
export { dispersion, linearPool } from './scoring/pool.ts';
export { brier } from './scoring/scores.ts';
export { FEWEST_WINDOWS } from './scoring/verdict.ts';
export { readCalls } from './service/calls.ts';
export type { AssetGround, Ground, Statement, Submission } from './service/freeze.ts';
export { summaryOf } from './service/summary.ts';
export type { Verification } from './service/verify.ts';
export { climatologyOf, type WindowOutcomes, windowsOf } from './service/windows.ts';

/** The pool of all analysts: frozen and graded like one of them, counted beside them. */
export const CONSENSUS = 'consensus';

export type Predictions = {
  ctx: PredictionsContext;
  start: () => Promise<void>;
  reload: () => Promise<void>;
  onChange: (handler: () => void) => void;
  /** What the calls amount to, as last scored. */
  record: () => Backtest;
  /** What the dashboard showed of them at a moment; undefined where no scoring of then is kept. */
  recordAt: (moment: Date) => Promise<BacktestSummary | undefined>;
  /** Prices, volatility and baselines at a moment, of every asset that has a price. */
  groundAt: (at: Date) => Promise<Ground>;
  /** Stores calls in the caller's transaction. Throws `conflict` for calls that are not of now. */
  freeze: (tx: Db, submission: Submission, ground: Ground, now?: Date) => Promise<void>;
  /** The demo's past is still being written: nothing of the present may stand before it. */
  isCatchingUp: () => Promise<boolean>;
  /** Settles every call whose time has come; answers how many. Of the present none while the past is being written. */
  resolve: (at?: Date) => Promise<number>;
  /** Scores everything anew and tells every process. */
  score: () => Promise<void>;
  /** When the newest entry was recorded; null while the ledger is empty. */
  newestEntryAt: () => Promise<Date | null>;
  publishRoots: (at?: Date) => Promise<void>;
  /** Of days more than a week ago the last record stays. */
  thinRecords: () => Promise<void>;
  /** Reads the whole ledger; a reading of the last minute serves again, and one that runs is joined. */
  verify: () => Promise<Verification & { verified_at: string }>;
};

/** The demo's past goes in steps of a day. */
const CAUGHT_UP_MS = 26 * 3_600_000;
const KEEP_ALL_MS = 7 * 24 * 3_600_000;

/** The ledger of every call, its outcomes and what they amount to. */
export function createPredictions(ctx: PredictionsContext): Predictions {
  const { db, now, live } = ctx;
  const record = createKept<Backtest>({
    live,
    topic: recordTopic,
    first: composeRecord([], new Map(), { at: now(), consensus: CONSENSUS }),
    read: async (last) => (await findRecord(db)) ?? last,
  });

  async function newestEntryAt(): Promise<Date | null> {
    const newest = await lastEntry(db);
    return newest ? new Date(newest.recorded_at) : null;
  }
  async function isCatchingUp(): Promise<boolean> {
    const newest = ctx.mode === 'demo' ? await newestEntryAt() : null;
    return newest !== null && now().getTime() - newest.getTime() > CAUGHT_UP_MS;
  }

  return {
    ctx,
    async start() {
      const stored = await findRecord(db);
      // A record that an earlier version stored may say less than this one publishes.
      if (stored && !backtest.safeParse(stored).success) await score(ctx, CONSENSUS);
      await record.start();
    },
    reload: record.reload,
    onChange: record.onChange,
    record: record.get,
    recordAt: (moment) => findRecordAt(db, moment),
    groundAt: (at) => groundAt(ctx, at),
    freeze: (tx, submission, ground, at = now()) => freeze(tx, submission, ground, at),
    async resolve(at) {
      return at === undefined && (await isCatchingUp()) ? 0 : resolveDue(ctx, at ?? now());
    },
    isCatchingUp,
    async score() {
      await score(ctx, CONSENSUS);
      await live.publish(recordTopic, { at: now().getTime() });
    },
    newestEntryAt,
    publishRoots: (at = now()) => publishRoots(db, at),
    thinRecords: () => thinRecords(db, new Date(now().getTime() - KEEP_ALL_MS)),
    verify: createVerifying(ctx),
  };
}

const KEEP_MS = 60_000;

function createVerifying({ db, now }: PredictionsContext): Predictions['verify'] {
  let kept: { at: number; result: ReturnType<Predictions['verify']> } | null = null;
  return () => {
    const at = now();
    if (kept && at.getTime() - kept.at < KEEP_MS) return kept.result;
    const result = verifyLedger(db).then((found) => ({ ...found, verified_at: at.toISOString() }));
    kept = { at: at.getTime(), result };
    result.catch(() => (kept = null));
    return result;
  };
}
