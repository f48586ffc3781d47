import { accountTopic } from '#features/auth/contract.ts';
import { lockBillingOf } from '#features/billing/server/service.ts';
import { NETWORK_NAMES } from '#features/usdc/contract.ts';
import type { Db } from '#server/platform/db.ts';
import { usdOf } from '#shared/money.ts';
import type { UsdcContext } from '../context.ts';
import type { Rail, Window } from '../rail.ts';
import { findCursor, lockNetwork, type StoredCursor, saveCursor } from '../store/cursors.ts';
import {
  type Deposit,
  depositsFrom,
  depositsOfPayments,
  depositsOfTransactions,
  markOrphaned,
  putDeposits,
} from '../store/deposits.ts';
import { accountsLeft, paymentsById, paymentsByRoute, paymentsOf } from '../store/payments.ts';
import { applyPayment, goodAtOf } from './apply.ts';
import { type Changes, changesOf } from './changes.ts';
import { bookDeposit, reverseDeposit, settleDebt } from './take-back.ts';

type Outcome = {
  /** False when somebody else has booked a look meanwhile: this one is dropped whole. */
  isBooked: boolean;
  /** For a human to look at. */
  warnings: string[];
  /** Who has a plan by it. */
  bought: number[];
};

type OwnerOf = (deposit: Deposit) => number | null;

const uniqueOf = <T>(values: Iterable<T>): T[] => [...new Set(values)];

/** Those the changes concern, locked in ascending order, so that two networks never wait for each other. */
async function lockPeople(tx: Db, { gone, put }: Changes): Promise<{ people: number[]; ownerOf: OwnerOf }> {
  const touched = [...gone, ...put];
  const payments = await paymentsById(tx, uniqueOf(touched.flatMap(({ paymentId }) => paymentId ?? [])));
  const ownerOf: OwnerOf = ({ ownerId, paymentId }) =>
    ownerId ?? (paymentId === null ? null : (payments.get(paymentId)?.userId ?? null));
  const people = uniqueOf(touched.flatMap((deposit) => ownerOf(deposit) ?? [])).toSorted((a, b) => a - b);
  await lockBillingOf(tx, people);
  return { people, ownerOf };
}

async function bookChanges(
  tx: Db,
  { gone, put }: Changes,
  ownerOf: OwnerOf,
  at: Date,
): Promise<{ reversed: Deposit[]; credited: Deposit[] }> {
  const reversed = gone.filter(({ isCredited }) => isCredited);
  for (const deposit of gone) {
    if (deposit.isCredited) await reverseDeposit(tx, deposit, ownerOf(deposit), at);
    await markOrphaned(tx, deposit);
  }
  const counts = ({ state }: Deposit) => state === 'confirmed' || state === 'final';
  const credited = put.filter((deposit) => !deposit.isCredited && counts(deposit));
  for (const deposit of credited) await bookDeposit(tx, deposit, ownerOf(deposit), at);
  const known = put.map((deposit) => ({ ...deposit, isCredited: deposit.isCredited || counts(deposit) }));
  await putDeposits(tx, known);
  return { reversed, credited };
}

/** Payments that this money may buy, and those of the same people that a reorganised chain had taken back; the newest first. Who bought. */
async function applyAll(
  ctx: UsdcContext,
  tx: Db,
  people: readonly number[],
  credited: readonly Deposit[],
  at: Date,
): Promise<number[]> {
  const bought: number[] = [];
  const paid = new Set(credited.map(({ paymentId }) => paymentId));
  const waiting = (await paymentsOf(tx, people)).filter(
    ({ id, appliedAt, applications }) => appliedAt === null && (applications > 0 || paid.has(id)),
  );
  const deposits = await depositsOfPayments(
    tx,
    waiting.map(({ id }) => id),
  );
  for (const payment of waiting) {
    const own = deposits.filter(({ paymentId }) => paymentId === payment.id);
    const goodAt = goodAtOf(payment, own, at);
    if (goodAt && (await applyPayment(ctx, tx, payment, { goodAt, at }))) bought.push(payment.userId);
  }
  return uniqueOf(bought);
}

function nextCursor(window: Window, old: StoredCursor | null, missing: readonly Deposit[]): StoredCursor {
  const reached = Math.min(window.final, ...missing.map(({ block }) => block - 1));
  const scanned = Math.max(old?.scanned ?? window.from - 1, reached);
  const hasMoved = missing.length === 0 && window.final >= (old?.scanned ?? Number.NEGATIVE_INFINITY);
  return {
    scanned,
    head: window.head,
    mark: hasMoved ? (window.mark ?? null) : (old?.mark ?? null),
    looks: (old?.looks ?? 0) + 1,
    firstBlock: old?.firstBlock ?? window.from,
  };
}

/**
 * Books what one look has seen, in one transaction: what is gone, what is new, whose money it is, what it buys, and how far was looked.
 * Repeating, crashing in between and coming late are all the same. `cursor` is what the look began from: an older look is dropped.
 */
export function reconcile(ctx: UsdcContext, rail: Rail, window: Window, cursor: StoredCursor | null): Promise<Outcome> {
  const at = ctx.now();
  const { network } = rail;
  return ctx.db.transaction().execute(async (tx) => {
    await lockNetwork(tx, network);
    const old = await findCursor(tx, network);
    if ((old?.looks ?? 0) !== (cursor?.looks ?? 0)) return { isBooked: false, warnings: [], bought: [] };
    const routes = uniqueOf(window.transfers.flatMap(({ route }) => route ?? []));
    const txs = uniqueOf(window.transfers.map((transfer) => transfer.tx));
    const changes = changesOf(rail, window, {
      stored: await depositsFrom(tx, network, window.from),
      known: await depositsOfTransactions(tx, network, txs),
      byRoute: await paymentsByRoute(tx, network, routes),
      now: at,
    });
    const { people, ownerOf } = await lockPeople(tx, changes);
    const left = await accountsLeft(tx, people);
    const { reversed, credited } = await bookChanges(tx, changes, ownerOf, at);
    const warnings = changes.missing.map((each) => `${NETWORK_NAMES[network]} does not show a deposit: ${each.tx}`);
    for (const userId of uniqueOf(reversed.flatMap((deposit) => ownerOf(deposit) ?? []))) {
      const gone = reversed.filter((deposit) => ownerOf(deposit) === userId);
      const lost = await settleDebt(ctx, tx, userId, { gone, isLeft: left.has(userId), at });
      if (lost > 0n)
        warnings.push(`${usdOf(lost)} USDC of account ${userId} are lost: the chain took back what was spent`);
    }
    const present = people.filter((userId) => left.has(userId));
    const bought = credited.length > 0 ? await applyAll(ctx, tx, present, credited, at) : [];
    await saveCursor(tx, network, nextCursor(window, old, changes.missing), at);
    const frames = present.map((userId) => ({ userId, data: { changed: ['payments' as const] } }));
    await ctx.live.publishEach(tx, accountTopic, frames);
    return { isBooked: true, warnings, bought };
  });
}
