import type { Db } from '#server/platform/db.ts';

import type { PredictionsContext } from './context.ts';
import { freeze, type Ground, groundAt, type Submission } from './service/freeze.ts';
import { resolveDue } from './service/resolve.ts';
import { type Verification, verifyLedger } from './service/verify.ts';
import { publishRoots } from './store/ledger.ts';

export type { Absence, Ground, Statement, Submission } from './service/freeze.ts';
export type { Verification } from './service/verify.ts';
export { climatologyOf, type WindowOutcomes, windowsOf } from './service/windows.ts';
export { brier } from './scoring/scores.ts';

export type Predictions = {
  ctx: PredictionsContext;
  /** Prices, volatility and baselines at a moment, of every asset that has a price. */
  groundAt: (at: Date) => Promise<Ground>;
  /** Stores calls in the caller's transaction. Throws `conflict` for calls that are not of now. */
  freeze: (tx: Db, submission: Submission, ground: Ground, now?: Date) => Promise<void>;
  /** Settles every call whose time has come; answers how many. */
  resolve: (at?: Date) => Promise<number>;
  publishRoots: (at?: Date) => Promise<void>;
  /** Reads the whole ledger; a reading of the last minute serves again, and one that runs is joined. */
  verify: () => Promise<Verification & { verified_at: string }>;
};

/** The ledger of every call, its outcomes and what they amount to. */
export function createPredictions(ctx: PredictionsContext): Predictions {
  return {
    ctx,
    groundAt: (at) => groundAt(ctx, at),
    freeze: (tx, submission, ground, now = ctx.now()) =>
      freeze(tx, submission, ground, now),
    resolve: (at = ctx.now()) => resolveDue(ctx, at),
    publishRoots: (at = ctx.now()) => publishRoots(ctx.db, at),
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
