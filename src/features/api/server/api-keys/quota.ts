import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { wait } from '#kernel/clock.ts';
import type { Db } from '#kernel/db.ts';
import { createThrottle } from '#kernel/throttle.ts';

import {
  type AccountDay,
  accountDay,
  createSettling,
  DAY_MS,
  leasedUnits,
  newAccountDay,
  nextLeaseSize,
  refund,
  returnUnits,
  spend,
  takeCounts,
} from './account-day.ts';
import type { ApiKeysContext } from './context.ts';
import { type Settled, takeLease } from './store/days.ts';

/** Asks every process to return unneeded units of a day. */
const UNITS_CHANNEL = 'api_units';

const wish = z.object({ user: z.number(), day: z.string(), from: z.string() });
/** `from` is the requesting process. */
type LeaseRequest = z.infer<typeof wish>;

export async function requestUnits(db: Db, asked: LeaseRequest): Promise<void> {
  await sql`select pg_notify(${UNITS_CHANNEL}, ${JSON.stringify(asked)})`.execute(db);
}

const parseLeaseRequest = (payload: string): LeaseRequest => wish.parse(JSON.parse(payload));

const SETTLE_INTERVAL_MS = 1000;
/** Longest wait for units that other processes hold. */
const WAIT_MS = 2000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 160];
/**
 * How long to wait before retrying once nothing is left; longer while another process holds units and does not respond.
 */
const [DRY_MS, UNANSWERED_MS] = [1000, 10_000];
/** The next lease is prefetched only where its threshold is at least this many units: for frequent callers. */
const MIN_PREFETCH_UNITS = 32;
const STOP_TRIES = 4;

export type Quota = {
  /** Today's usage of the account. */
  accountOf: (userId: number, limit: number | null, nowMs: number) => AccountDay;
  /** Spends a call; false when `lease` must be awaited first. */
  spend: (account: AccountDay, keyId: number, nowMs: number) => boolean;
  /** Obtains units, or determines that none is left. */
  lease: (account: AccountDay) => Promise<void>;
  isDry: (account: AccountDay) => boolean;
  refuse: (account: AccountDay) => void;
  giveBack: (account: AccountDay, keyId: number) => void;
  /** Writes all pending counts. */
  settle: () => Promise<void>;
  start: () => Promise<void>;
  stop: () => Promise<void>;
};

type Hooks = { onSettled: (settled: Settled, limit: number | null) => void; onTick: () => void };

/**
 * Counts calls in memory. A process leases units of a day from the database, which never grants more than the limit.
 */
export function createQuota(ctx: ApiKeysContext, { onSettled, onTick }: Hooks): Quota {
  const me = randomUUID();
  const today = new Map<number, AccountDay>();
  /** Accounts with counts to write or units to return. */
  const open = new Set<AccountDay>();
  const settling = createSettling(ctx.db, onSettled);
  let isStopping = false;
  let isFailing = false;

  const isCurrent = (account: AccountDay) => today.get(account.userId) === account;

  function take() {
    const idleSince = performance.now() - SETTLE_INTERVAL_MS;
    const taken = [];
    for (const account of open) {
      const isIdle = account.lastCallAt <= idleSince;
      if (isStopping || isIdle || !isCurrent(account)) returnUnits(account);
      const counts = takeCounts(account);
      if (counts) taken.push(counts);
      if (!isIdle || account.leasing || leasedUnits(account) > 0) continue;
      open.delete(account);
      if (isCurrent(account)) today.delete(account.userId);
    }
    return taken;
  }

  const throttle = createThrottle(
    SETTLE_INTERVAL_MS,
    async () => {
      onTick();
      await settling.settle(take);
      isFailing = false;
      if (open.size > 0) throttle.trigger();
    },
    (error) => {
      if (!isFailing) ctx.report('api', 'system', 'Failed to store API call counts; retrying later', error);
      isFailing = true;
      throttle.trigger();
    },
  );

  function touch(account: AccountDay): void {
    open.add(account);
    throttle.trigger();
  }

  /** Without `isAhead` a caller is waiting: ends with units, or once none are left. */
  async function leaseInTurn(account: AccountDay, isAhead: boolean): Promise<void> {
    const { limit } = account;
    if (limit === null) return;
    const deadline = performance.now() + WAIT_MS;
    let pause = FIRST_PAUSE_MS;
    for (let round = 0; ; round++) {
      const before = account.pending;
      const want = nextLeaseSize(account, performance.now());
      const { taken, spent, leased } = await takeLease(ctx.db, account.userId, accountDay(account), limit, want);
      touch(account);
      account.units += taken;
      account.known = spent;
      // Leased under another limit.
      if (account.limit !== limit) return returnUnits(account);
      account.leasedAt = performance.now();
      account.prefetchThreshold = taken === want ? taken >> 1 : 0;
      if (taken > 0 || isAhead) return;
      // Besides the units spent here, others hold some, or this process is returning some: when in doubt, ask again.
      const others = leased - Math.min(before, account.pending);
      if (others <= 0 || performance.now() > deadline) {
        account.emptyUntil = performance.now() + (others <= 0 ? DRY_MS : UNANSWERED_MS);
        return;
      }
      if (round % 4 === 0) {
        await requestUnits(ctx.db, { user: account.userId, day: accountDay(account), from: me });
        await throttle.flush();
      }
      await wait(pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  function leaseAhead(account: AccountDay): void {
    account.leasing = leaseInTurn(account, true)
      .catch(() => {
        account.prefetchThreshold = 0;
      })
      .finally(() => {
        account.leasing = null;
      });
  }

  function onLeaseRequest(payload: string): void {
    const { user, day, from } = parseLeaseRequest(payload);
    const account = today.get(user);
    if (from === me || !account || accountDay(account) !== day) return;
    returnUnits(account);
    touch(account);
    void throttle.flush();
  }

  return {
    accountOf(userId, limit, nowMs) {
      const dayNumber = Math.floor(nowMs / DAY_MS);
      let account = today.get(userId);
      if (!account || account.dayNumber !== dayNumber) {
        // The previous day is settled as is.
        account = newAccountDay(userId, dayNumber, limit);
        today.set(userId, account);
      } else if (account.limit !== limit) {
        returnUnits(account);
        account.limit = limit;
        account.emptyUntil = Number.NEGATIVE_INFINITY;
      }
      return account;
    },
    spend(account, keyId, nowMs) {
      if (!spend(account, keyId, nowMs)) return false;
      touch(account);
      if (
        account.units < account.prefetchThreshold &&
        account.prefetchThreshold >= MIN_PREFETCH_UNITS &&
        !account.leasing
      )
        leaseAhead(account);
      return true;
    },
    async lease(account) {
      account.waiters += 1;
      account.leasing ??= leaseInTurn(account, false).finally(() => {
        account.leasing = null;
      });
      await account.leasing.finally(() => {
        account.waiters -= 1;
      });
    },
    isDry: (account) => account.units === 0 && account.emptyUntil > performance.now(),
    refuse(account) {
      account.refused += 1;
      account.lastCallAt = performance.now();
      touch(account);
    },
    giveBack(account, keyId) {
      refund(account, keyId);
      touch(account);
    },
    settle: throttle.flush,
    async start() {
      await ctx.listener.listen(UNITS_CHANNEL, onLeaseRequest, () => undefined);
    },
    async stop() {
      isStopping = true;
      throttle.stop();
      for (let left = STOP_TRIES; left > 0; left--) {
        await throttle.flush();
        if (!isFailing) return;
        await wait(SETTLE_INTERVAL_MS / 4);
      }
    },
  };
}
