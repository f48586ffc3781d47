import { wait } from '#kernel/clock.ts';
import type { Db } from '#kernel/db.ts';

import {
  type Count,
  currentTransactionId,
  type KeyUse,
  type Settled,
  settleCounts,
  transactionStatus,
} from './store/days.ts';

export const DAY_MS = 86_400_000;

/** Usage of one account on one UTC day, as known to this process. */
export type AccountDay = {
  userId: number;
  /** Days since 1970. */
  dayNumber: number;
  /** Calls per day; null is unlimited. */
  limit: number | null;
  /** Leased, not spent. */
  units: number;
  /** Spent from a lease, not settled. */
  pending: number;
  /** Spent without a lease, not settled; negative when settled calls were refunded. */
  free: number;
  /** Leased and no longer needed, not settled. */
  returned: number;
  refused: number;
  uses: Map<number, KeyUse>;
  /** Total calls as last read, and the part of the above that is being written. */
  known: number;
  writing: number;
  /** The last call, by the process clock. */
  lastCallAt: number;
  /** Calls waiting for a lease. */
  waiters: number;
  /** Size of the next lease, and when the last one was taken, by the process clock. */
  leaseSize: number;
  leasedAt: number;
  /** Threshold for requesting the next lease; 0 near the limit, where units are taken one at a time. */
  prefetchThreshold: number;
  leasing: Promise<void> | null;
  /** No units are left until then, by the process clock. */
  emptyUntil: number;
};

const MIN_LEASE = 8;
const MAX_LEASE = 1024;
/** A lease spent faster is followed by a larger one. */
const SLOW_LEASE_MS = 500;

export const newAccountDay = (userId: number, dayNumber: number, limit: number | null): AccountDay => ({
  userId,
  dayNumber,
  limit,
  units: 0,
  pending: 0,
  free: 0,
  returned: 0,
  refused: 0,
  uses: new Map(),
  known: 0,
  writing: 0,
  lastCallAt: performance.now(),
  waiters: 0,
  leaseSize: MIN_LEASE,
  leasedAt: Number.NEGATIVE_INFINITY,
  prefetchThreshold: 0,
  leasing: null,
  emptyUntil: Number.NEGATIVE_INFINITY,
});

export const accountDay = (account: AccountDay): string => isoDay(account.dayNumber);
export const isoDay = (dayNumber: number): string => new Date(dayNumber * DAY_MS).toISOString().slice(0, 10);

/** Minimum number of units leased by this process. */
export const leasedUnits = ({ units, pending, returned }: AccountDay): number => units + pending + returned;

/** Calls left today as known here; null when unlimited. */
export const remainingCalls = ({ limit, known, writing, pending, free }: AccountDay): number | null =>
  limit === null ? null : Math.max(0, limit - known - writing - pending - free);

function countUse(account: AccountDay, keyId: number, calls: number, at: number | null): void {
  const use = account.uses.get(keyId);
  if (!use) account.uses.set(keyId, { keyId, calls, lastMs: at });
  else {
    use.calls += calls;
    if (at !== null && at > (use.lastMs ?? 0)) use.lastMs = at;
  }
}

/** Spends a call; false when a lease is needed first. */
export function spend(account: AccountDay, keyId: number, nowMs: number): boolean {
  if (account.limit === null) account.free += 1;
  else if (account.units === 0) return false;
  else {
    account.units -= 1;
    account.pending += 1;
  }
  account.lastCallAt = performance.now();
  countUse(account, keyId, 1, nowMs);
  return true;
}

/** Refunds a spent call. Which one does not matter: all calls are equal. */
export function refund(account: AccountDay, keyId: number): void {
  if (account.pending > 0) {
    account.pending -= 1;
    account.units += 1;
  } else account.free -= 1;
  countUse(account, keyId, -1, null);
}

/** Size of the next lease. */
export function nextLeaseSize(account: AccountDay, now: number): number {
  const isSoon = now - account.leasedAt < SLOW_LEASE_MS;
  account.leaseSize = isSoon ? Math.min(MAX_LEASE, account.leaseSize * 2) : Math.max(MIN_LEASE, account.leaseSize >> 1);
  return Math.max(account.leaseSize, account.waiters);
}

export const returnUnits = (account: AccountDay): void => {
  account.returned += account.units;
  account.units = 0;
};

type Taken = { account: AccountDay; count: Count; uses: KeyUse[] };

/** The counts to write for an account; null for none. They are removed from the account here. */
export function takeCounts(account: AccountDay): Taken | null {
  const { userId, pending, free, returned, refused, uses } = account;
  const count = { userId, day: accountDay(account), spent: pending + free, released: pending + returned, refused };
  if (count.spent === 0 && count.released === 0 && refused === 0 && uses.size === 0) return null;
  account.pending = 0;
  account.free = 0;
  account.returned = 0;
  account.refused = 0;
  account.uses = new Map();
  account.writing = count.spent;
  return { account, count, uses: [...uses.values()] };
}

type Batch = { taken: readonly Taken[]; transaction: string | null };

export type Settling = {
  /** Writes unconfirmed counts, then those from `take`. Failed writes are retained for the next time. */
  settle: (take: () => Taken[]) => Promise<void>;
};

const IN_PROGRESS_MS = 100;

function sumUses(taken: readonly Taken[]): KeyUse[] {
  const byKey = new Map<number, KeyUse>();
  for (const use of taken.flatMap(({ uses }) => uses)) {
    const sum = byKey.get(use.keyId);
    if (!sum) byKey.set(use.keyId, { ...use });
    else {
      sum.calls += use.calls;
      sum.lastMs = Math.max(sum.lastMs ?? 0, use.lastMs ?? 0) || null;
    }
  }
  return [...byKey.values()];
}

/**
 * Writes counts exactly once. When the response to a commit is lost, the status of its transaction is checked before
 * writing again.
 */
export function createSettling(db: Db, onSettled: (settled: Settled, limit: number | null) => void): Settling {
  let batch: Batch | null = null;

  function finish({ taken }: Batch, settled: readonly Settled[]): void {
    for (const { account, count } of taken) {
      account.known += count.spent;
      account.writing = 0;
    }
    batch = null;
    const days = new Map(taken.map((each) => [`${each.count.userId} ${each.count.day}`, each.account]));
    for (const each of settled) {
      const account = days.get(`${each.userId} ${each.day}`);
      if (!account) continue;
      account.known = each.spent;
      onSettled(each, account.limit);
    }
  }

  async function write(current: Batch): Promise<void> {
    current.transaction = null;
    const settled = await db.transaction().execute(async (tx) => {
      current.transaction = await currentTransactionId(tx);
      return settleCounts(
        tx,
        current.taken.map(({ count }) => count),
        sumUses(current.taken),
      );
    });
    finish(current, settled);
  }

  async function writeAgain(current: Batch): Promise<void> {
    if (current.transaction === null) return write(current);
    let status = await transactionStatus(db, current.transaction);
    while (status === 'in progress') {
      await wait(IN_PROGRESS_MS);
      status = await transactionStatus(db, current.transaction);
    }
    return status === 'committed' ? finish(current, []) : write(current);
  }

  return {
    async settle(take) {
      if (batch) await writeAgain(batch);
      const taken = take();
      if (taken.length === 0) return;
      batch = { taken, transaction: null };
      await write(batch);
    },
  };
}
