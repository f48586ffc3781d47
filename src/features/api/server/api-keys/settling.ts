import { wait } from '#kernel/clock.ts';
import type { Db } from '#kernel/db.ts';

import type { Taken } from './account-day.ts';
import { type KeyUse, type Settled, settleCounts, statusOf, transactionOf } from './store/days.ts';

type Batch = { taken: readonly Taken[]; transaction: string | null };

export type Settling = {
  /** Writes what is not known to be written, then what `take` finds. What fails is kept for the next time. */
  settle: (take: () => Taken[]) => Promise<void>;
};

const IN_PROGRESS_MS = 100;

function sumOf(taken: readonly Taken[]): KeyUse[] {
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
 * Writes counts exactly once. When a commit's answer is lost, its transaction is asked for before anything is written
 * again.
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
      current.transaction = await transactionOf(tx);
      return settleCounts(
        tx,
        current.taken.map(({ count }) => count),
        sumOf(current.taken),
      );
    });
    finish(current, settled);
  }

  async function writeAgain(current: Batch): Promise<void> {
    if (current.transaction === null) return write(current);
    let status = await statusOf(db, current.transaction);
    while (status === 'in progress') {
      await wait(IN_PROGRESS_MS);
      status = await statusOf(db, current.transaction);
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
