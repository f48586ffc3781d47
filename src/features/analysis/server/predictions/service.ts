import { type Backtest, type BacktestSummary, backtest, recordTopic } from '#features/analysis/contract/predictions.ts';
import { TRACKED } from '#features/market/contract/market.ts';
import type { BarPrice } from '#features/market/server/market/service.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { createTopicCache } from '#kernel/shared-cache.ts';

import type { PredictionsContext } from './context.ts';
import { outcomeOf } from './scoring/volatility.ts';
import { append, freeze, type Ground, type NewEntry, readGround, type Submission } from './service/freeze.ts';
import { type Submitted, submitForecasts } from './service/league.ts';
import { composeRecord, poolsOf } from './service/record.ts';
import { score } from './service/score.ts';
import { type Progress, type Verification, verifyLedger } from './service/verify.ts';
import { type DueCall, dueCalls, iterateCalls, saveOutcomes, stillOpen } from './store/calls.ts';
import { lastEntry, lockLedger, publishRoots } from './store/ledger.ts';
import { findRecord, findRecordAt, thinRecords } from './store/record.ts';

const HOUR_MS = 3_600_000;
const BATCH = 2000;
/** How long to wait for a finer bar before using a coarser one that ends later. */
const PATIENCE_MS = 3 * HOUR_MS;
/** A call without a price by then is void. */
const VOID_AFTER_MS = 48 * HOUR_MS;

type Resolution = { call: DueCall; price: BarPrice | null; reason: string | null };

/** Grades every call that is due, or declares it void. Returns how many were settled. */
async function resolveDue(ctx: Pick<PredictionsContext, 'db' | 'market'>, at: Date): Promise<number> {
  let settled = 0;
  const due = await dueCalls(ctx.db, at, Number.MAX_SAFE_INTEGER);
  const prices = createPrices(ctx, at);
  for (let i = 0; i < due.length; i += BATCH) {
    const found: Resolution[] = [];
    for (const call of due.slice(i, i + BATCH)) {
      const resolution = await judge(call, prices, at);
      if (resolution) found.push(resolution);
    }
    if (found.length > 0) settled += await ctx.db.transaction().execute((tx) => settle(tx, found, at));
  }
  return settled;
}

type Prices = (call: DueCall) => Promise<BarPrice | undefined>;

/** Many calls end at the same moment: each price is looked up once. */
function createPrices({ market }: Pick<PredictionsContext, 'market'>, at: Date): Prices {
  const known = new Map<string, Promise<BarPrice | undefined>>();
  return ({ asset, resolves_at }) => {
    const key = `${asset} ${resolves_at}`;
    const id = TRACKED.find(({ symbol }) => symbol === asset)?.id ?? '';
    const found = known.get(key) ?? market.priceAfter(id, new Date(resolves_at), at);
    known.set(key, found);
    return found;
  };
}

/** null: not yet. */
async function judge(call: DueCall, prices: Prices, at: Date): Promise<Resolution | null> {
  if (call.band === null)
    return {
      call,
      price: null,
      reason: 'Volatility was unavailable when the call was issued, so there is no band to grade against',
    };
  const waitedMs = at.getTime() - Date.parse(call.resolves_at);
  const price = await prices(call);
  if (!price) {
    const reason = 'No price was stored within a day of that time';
    return waitedMs >= VOID_AFTER_MS ? { call, price: null, reason } : null;
  }
  const isFinal = price.bar === 'minute' || price.at === call.resolves_at || waitedMs >= PATIENCE_MS;
  return isFinal ? { call, price, reason: null } : null;
}

async function settle(tx: Db, found: readonly Resolution[], at: Date): Promise<number> {
  // Another process may be settling the same calls.
  await lockLedger(tx);
  const open = await stillOpen(
    tx,
    found.map(({ call }) => call.seq),
  );
  const openCalls = found.filter(({ call }) => open.has(call.seq));
  const outcomes = openCalls.map(({ call, price, reason }) => {
    if (!price) return { call: call.seq, outcome: 'void' as const, realised: null, reason, price: null };
    const realised = Math.log(price.usd / call.price);
    return { call: call.seq, outcome: outcomeOf(realised, call.band ?? 0), realised, reason: null, price };
  });
  const entries = await append(
    tx,
    outcomes.map(({ call, outcome, realised, reason, price }): NewEntry => {
      if (!price) return { kind: 'void', body: { call, reason } };
      const { at: priceAt, bar, source, usd } = price;
      return { kind: 'outcome', body: { call, outcome, price: { at: priceAt, bar, source, usd }, realised } };
    }),
    at,
  );
  await saveOutcomes(
    tx,
    outcomes.map(({ call, outcome, realised }, i) => ({
      call,
      outcome,
      realised,
      seq: entries[i]?.seq ?? 0,
      at: at.toISOString(),
    })),
  );
  return openCalls.length;
}

export { FEWEST_WINDOWS } from './scoring/compare.ts';
export { blockBootstrap } from './scoring/intervals.ts';
export { dispersion, linearPool } from './scoring/pool.ts';
export { readCalls, toSummary } from './service/calls.ts';
export type { AssetGround, Ground, Statement, Submission } from './service/freeze.ts';
export { readForecaster, readLeague } from './service/league.ts';
export type { Verification } from './service/verify.ts';
export type { StoredCall } from './store/calls.ts';

/** The pool of all analysts: frozen and graded like an analyst, but counted separately. */
export const CONSENSUS = 'consensus';

export type Predictions = {
  ctx: PredictionsContext;
  start: () => Promise<void>;
  reload: () => Promise<void>;
  onChange: (handler: () => void) => void;
  /** The record as last scored. */
  record: () => Backtest;
  /** Equal weights compared with weights by past losses at a moment, from the calls in the ledger. */
  poolsAt: (at: Date) => Promise<Backtest['pools']>;
  /** The dashboard's version at a moment; undefined when no scoring from then is stored. */
  recordAt: (moment: Date) => Promise<BacktestSummary | undefined>;
  /** Prices, volatility and base rates at a moment, for every asset with a price. */
  groundAt: (at: Date, market?: PredictionsContext['market']) => Promise<Ground>;
  /** Stores calls in the caller's transaction. Throws `conflict` for calls not issued now. */
  freeze: (tx: Db, submission: Submission, ground: Ground, now?: Date) => Promise<void>;
  /** The demo's past is still being written: current entries must come after it. */
  isCatchingUp: () => Promise<boolean>;
  /** Settles every call that is due; returns how many. Current ones are skipped while the past is being written. */
  resolve: (at?: Date, market?: PredictionsContext['market']) => Promise<number>;
  /** Recomputes all scores and publishes them to every process. */
  score: () => Promise<void>;
  /** Freezes an account's forecasts in the open league. */
  submit: (userId: number, submitted: Submitted) => ReturnType<typeof submitForecasts>;
  /** Scores league forecasters with new outcomes. */
  scoreLeague: () => Promise<void>;
  /** When the newest entry was recorded; null while the ledger is empty. */
  newestEntryAt: () => Promise<Date | null>;
  publishRoots: (at?: Date) => Promise<void>;
  /** For days more than a week ago only the last record is retained. */
  thinRecords: () => Promise<void>;
  /** Reads the whole ledger; a result of the last minute is reused, and a running check is joined. */
  /** Verifies entries added since the last time, and everything once per hour or on request. */
  verify: (how?: { whole?: boolean }) => Promise<Verification & { verified_at: string }>;
};

/** The demo's past advances in steps of a day. */
const CAUGHT_UP_MS = 26 * 3_600_000;
const KEEP_ALL_MS = 7 * 24 * 3_600_000;

/** The ledger of calls and outcomes, and the record scored from it. */
export function createPredictions(ctx: PredictionsContext): Predictions {
  const { db, now, live } = ctx;
  const record = createTopicCache<Backtest>({
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
      // A record stored by an earlier version may lack fields of this one.
      if (stored && !backtest.safeParse(stored).success) await score(ctx, CONSENSUS);
      await record.start();
    },
    reload: record.reload,
    onChange: record.onChange,
    record: record.get,
    poolsAt: async (at) => poolsOf(await iterateCalls(db), { at, consensus: CONSENSUS }),
    recordAt: (moment) => findRecordAt(db, moment),
    groundAt: (at, market = ctx.market) => readGround({ market }, at),
    freeze: (tx, submission, ground, at = now()) => freeze(tx, submission, ground, at),
    async resolve(at, market = ctx.market) {
      return at === undefined && (await isCatchingUp()) ? 0 : resolveDue({ db, market }, at ?? now());
    },
    isCatchingUp,
    async score() {
      await score(ctx, CONSENSUS);
      await live.publish(recordTopic, { at: now().getTime() });
    },
    async submit(userId, submitted) {
      if (await isCatchingUp())
        throw new AppError('unavailable', 'The demo history is still being prepared', { retryAfterSeconds: 60 });
      return submitForecasts(ctx, userId, submitted);
    },
    scoreLeague: () => score(ctx, CONSENSUS, true),
    newestEntryAt,
    publishRoots: (at = now()) => publishRoots(db, at),
    thinRecords: () => thinRecords(db, new Date(now().getTime() - KEEP_ALL_MS)),
    verify: createVerifying(ctx),
  };
}

const KEEP_MS = 60_000;
/** An earlier entry may be changed too, so the whole ledger is re-read at this interval. */
const WHOLE_EVERY_MS = 3_600_000;

/** One run at a time: concurrent callers get its result. Cached for a minute from its end. */
function createVerifying({ db, now }: PredictionsContext): Predictions['verify'] {
  let running: ReturnType<Predictions['verify']> | null = null;
  let cached: { endedAt: number; result: Awaited<ReturnType<Predictions['verify']>> } | null = null;
  let progress: Progress | null = null;
  let wholeAt = -Infinity;

  async function run(whole: boolean): ReturnType<Predictions['verify']> {
    const at = now();
    const isWhole = whole || progress === null || at.getTime() - wholeAt >= WHOLE_EVERY_MS;
    const checked = await verifyLedger(db, isWhole ? undefined : (progress ?? undefined));
    ({ progress } = checked);
    if (isWhole) wholeAt = at.getTime();
    const result = { ...checked.found, verified_at: at.toISOString() };
    cached = { endedAt: now().getTime(), result };
    return result;
  }

  return async ({ whole = false } = {}) => {
    if (!whole && cached && now().getTime() - cached.endedAt < KEEP_MS) return cached.result;
    if (whole) return run(whole);
    running ??= run(false).finally(() => {
      running = null;
    });
    return running;
  };
}
