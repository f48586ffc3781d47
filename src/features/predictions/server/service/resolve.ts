import { TRACKED } from '#features/market/contract.ts';
import type { BarPrice } from '#features/market/server/service.ts';
import type { Db } from '#server/platform/db.ts';

import type { PredictionsContext } from '../context.ts';
import { outcomeOf } from '../scoring/volatility.ts';
import { type DueCall, dueCalls, saveOutcomes, stillOpen } from '../store/calls.ts';
import { lockLedger } from '../store/ledger.ts';
import { append, type NewEntry } from './append.ts';

const HOUR_MS = 3_600_000;
const BATCH = 2000;
/** How long a finer bar is waited for before a coarser one that ends later is taken. */
const PATIENCE_MS = 3 * HOUR_MS;
/** What has no price by then never gets one. */
const VOID_AFTER_MS = 48 * HOUR_MS;

type Resolution = { call: DueCall; price: BarPrice | null; reason: string | null };

/** Gives every call whose time has come its outcome, or declares it void. Answers how many were settled. */
export async function resolveDue(ctx: PredictionsContext, at: Date = ctx.now()): Promise<number> {
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
function createPrices({ market }: PredictionsContext, at: Date): Prices {
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
    return { call, price: null, reason: 'The volatility was not known when the call was made: no band to judge by' };
  const waitedMs = at.getTime() - Date.parse(call.resolves_at);
  const price = await prices(call);
  if (!price) {
    const reason = 'No price was stored within a day of the moment';
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
  const mine = found.filter(({ call }) => open.has(call.seq));
  const outcomes = mine.map(({ call, price, reason }) => {
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
  return mine.length;
}
