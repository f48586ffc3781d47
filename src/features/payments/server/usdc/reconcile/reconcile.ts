import { accountTopic } from '#features/accounts/contract/auth.ts';
import { NETWORK_NAMES } from '#features/payments/contract/usdc.ts';
import { lockBillingAccounts } from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import { unitsToUsd } from '#shared/money.ts';

import type { UsdcContext } from '../context.ts';
import type { Rail, Transfer, Window } from '../rail.ts';
import {
  addUnreadable,
  type Deposit,
  depositsFrom,
  findCursor,
  findDepositsByPayment,
  findDepositsByTransaction,
  lockNetwork,
  markOrphaned,
  markRead,
  putDeposits,
  type StoredCursor,
  saveCursor,
} from '../store/deposits.ts';
import { accountsLeft, listPayments, paymentsById, paymentsByRoute, type StoredPayment } from '../store/payments.ts';
import { applyPayment, paidAt } from './apply.ts';
import { bookDeposit, reverseDeposit, settleDebt } from './reversal.ts';

/** Changes a look makes to the stored state. */
type Changes = {
  /** Proven to be no longer on the chain. */
  gone: Deposit[];
  /** New, deeper, or in another block than before. */
  put: Deposit[];
  /** Deposits final by height but neither shown nor proven gone: the cursor does not pass them. */
  missing: Deposit[];
};

type Seen = {
  /** Within the window, not orphaned. */
  stored: readonly Deposit[];
  /** Of the same transactions, in any state. */
  known: readonly Deposit[];
  byRoute: ReadonlyMap<string, StoredPayment>;
  now: Date;
};

const RANK = { orphaned: -1, foreign: 0, seen: 1, confirmed: 2, final: 3 } as const;

const transferKey = ({ tx, idx }: Pick<Transfer, 'tx' | 'idx'>): string => `${tx}:${idx}`;
const lower = (network: Window['network'], token: string) => (network === 'base' ? token.toLowerCase() : token);

/**
 * In another block the logs of a transaction may have other positions: the same position need not be the same money.
 */
const isSameTransfer = (a: Transfer, b: Deposit): boolean =>
  a.units === b.units && a.token === b.token && a.sender === b.sender && (a.route ?? b.route) === (b.route ?? a.route);

function depositState(rail: Rail, { network, safe, final }: Window, transfer: Transfer): Deposit['state'] {
  if (lower(network, transfer.token) !== lower(network, rail.token)) return 'foreign';
  if (transfer.units > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Error(`${rail.network} shows a transfer of ${transfer.units} micro-USDC: ${transfer.tx}`);
  return transfer.block <= final ? 'final' : transfer.block <= safe ? 'confirmed' : 'seen';
}

function orphanedDeposits(deposit: Deposit): never {
  throw new Error(`A final deposit on ${deposit.network} is missing: ${deposit.tx}`);
}

function mergeDeposit(rail: Rail, window: Window, transfer: Transfer, { byRoute, now }: Seen, old?: Deposit): Deposit {
  const state = depositState(rail, window, transfer);
  const { tx, idx, block, blockHash, at, token, sender, units } = transfer;
  const chain = { network: window.network, tx, idx, block, blockHash, at, token, sender, units };
  if (!old || !isSameTransfer(transfer, old)) {
    const generation = old ? old.generation + Number(old.state !== 'orphaned') : 0;
    const paymentId = (transfer.route !== null && byRoute.get(transfer.route)?.id) || null;
    const fresh = { isCredited: false, ownerId: null, seenAt: now };
    return { ...chain, ...fresh, state, route: transfer.route, generation, paymentId };
  }
  // A lagging node does not undo a confirmation by another.
  const isDeeper = old.blockHash === blockHash && RANK[old.state] > RANK[state];
  return { ...old, ...chain, state: isDeeper ? old.state : state };
}

/** Pure; throws when something final has changed. */
function computeChanges(rail: Rail, window: Window, seen: Seen): Changes {
  const transfers = new Map(
    window.transfers.filter(({ units }) => units > 0n).map((each) => [transferKey(each), each]),
  );
  const known = new Map(seen.known.map((each) => [transferKey(each), each]));
  const changes: Changes = { gone: [], put: [], missing: [] };
  for (const deposit of seen.stored) {
    const transfer = transfers.get(transferKey(deposit));
    const isGone = transfer ? !isSameTransfer(transfer, deposit) : window.isLost(deposit);
    if (isGone) {
      if (deposit.state === 'final') orphanedDeposits(deposit);
      changes.gone.push(deposit);
    } else if (!transfer && deposit.block <= window.final && !['final', 'foreign'].includes(deposit.state))
      changes.missing.push(deposit);
  }
  for (const [key, transfer] of transfers) {
    const old = known.get(key);
    if (old?.state === 'final') {
      if (old.blockHash !== transfer.blockHash) orphanedDeposits(old);
      continue;
    }
    const next = mergeDeposit(rail, window, transfer, seen, old);
    if (!old || next.state !== old.state || next.blockHash !== old.blockHash || !isSameTransfer(transfer, old))
      changes.put.push(next);
  }
  return changes;
}

type Outcome = {
  /** False when another process has booked a look since: this one is dropped whole. */
  isBooked: boolean;
  /** For an administrator to review. */
  warnings: string[];
  /** Accounts that got a plan. */
  bought: number[];
};

type OwnerOf = (deposit: Deposit) => number | null;

const unique = <T>(values: Iterable<T>): T[] => [...new Set(values)];

/** Locks the accounts concerned in ascending order, so that two networks cannot deadlock. */
async function lockOwners(tx: Db, { gone, put }: Changes): Promise<{ people: number[]; ownerOf: OwnerOf }> {
  const touched = [...gone, ...put];
  const payments = await paymentsById(tx, unique(touched.flatMap(({ paymentId }) => paymentId ?? [])));
  const ownerOf: OwnerOf = ({ ownerId, paymentId }) =>
    ownerId ?? (paymentId === null ? null : (payments.get(paymentId)?.userId ?? null));
  const people = unique(touched.flatMap((deposit) => ownerOf(deposit) ?? [])).toSorted((a, b) => a - b);
  await lockBillingAccounts(tx, people);
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

/**
 * Applies payments that this money may buy, and those of the same accounts that a reorg had revoked, newest first.
 * Returns the buyers.
 */
async function applyAll(
  ctx: UsdcContext,
  tx: Db,
  people: readonly number[],
  credited: readonly Deposit[],
  at: Date,
): Promise<number[]> {
  const bought: number[] = [];
  const paid = new Set(credited.map(({ paymentId }) => paymentId));
  const waiting = (await listPayments(tx, people)).filter(
    ({ id, appliedAt, applications }) => appliedAt === null && (applications > 0 || paid.has(id)),
  );
  const deposits = await findDepositsByPayment(
    tx,
    waiting.map(({ id }) => id),
  );
  for (const payment of waiting) {
    const own = deposits.filter(({ paymentId }) => paymentId === payment.id);
    const goodAt = paidAt(payment, own, at);
    if (goodAt && (await applyPayment(ctx, tx, payment, { goodAt, at }))) bought.push(payment.userId);
  }
  return unique(bought);
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
 * Books the result of one look in one transaction: lost and new deposits, their owners, purchases, and the scan
 * position. Safe to repeat, to interrupt and to run late. `cursor` is where the look began: an outdated look is
 * dropped.
 */
export function reconcile(ctx: UsdcContext, rail: Rail, window: Window, cursor: StoredCursor | null): Promise<Outcome> {
  const at = ctx.now();
  const { network } = rail;
  return ctx.db.transaction().execute(async (tx) => {
    await lockNetwork(tx, network);
    const old = await findCursor(tx, network);
    if ((old?.looks ?? 0) !== (cursor?.looks ?? 0)) return { isBooked: false, warnings: [], bought: [] };
    const routes = unique(window.transfers.flatMap(({ route }) => route ?? []));
    const txs = unique(window.transfers.map((transfer) => transfer.tx));
    const changes = computeChanges(rail, window, {
      stored: await depositsFrom(tx, network, window.from),
      known: await findDepositsByTransaction(tx, network, txs),
      byRoute: await paymentsByRoute(tx, network, routes),
      now: at,
    });
    const { people, ownerOf } = await lockOwners(tx, changes);
    const left = await accountsLeft(tx, people);
    const { reversed, credited } = await bookChanges(tx, changes, ownerOf, at);
    const warnings = changes.missing.map((each) => `${NETWORK_NAMES[network]} does not show a deposit: ${each.tx}`);
    await markRead(tx, network, window.readAfterAll ?? [], at);
    for (const { tx: name, reason } of await addUnreadable(tx, network, window.unreadable ?? [], at))
      warnings.push(`${NETWORK_NAMES[network]}: transaction ${name} cannot be read and was not booked: ${reason}`);
    for (const userId of unique(reversed.flatMap((deposit) => ownerOf(deposit) ?? []))) {
      const gone = reversed.filter((deposit) => ownerOf(deposit) === userId);
      const lost = await settleDebt(ctx, tx, userId, { gone, isLeft: left.has(userId), at });
      if (lost > 0n)
        warnings.push(
          `${unitsToUsd(lost)} USDC of account ${userId} lost: the chain reversed a deposit that was already spent`,
        );
    }
    const present = people.filter((userId) => left.has(userId));
    const bought = credited.length > 0 ? await applyAll(ctx, tx, present, credited, at) : [];
    await saveCursor(tx, network, nextCursor(window, old, changes.missing), at);
    const frames = present.map((userId) => ({ userId, data: { changed: ['payments' as const] } }));
    await ctx.live.publishEach(tx, accountTopic, frames);
    return { isBooked: true, warnings, bought };
  });
}
