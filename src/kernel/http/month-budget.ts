import { grouped } from '#shared/format.ts';
import { SourceError } from './source-error.ts';

const DAY_MS = 86_400_000;

/** What a plan allows in a calendar month (UTC), and how much of it is kept for the calls that cannot wait. */
export type MonthLimit = { calls: number; keptPerDay: number };

type Deps = {
  name: string;
  limit: MonthLimit;
  now: () => Date;
  /** Calls that were made since then, before this process began to count. */
  usedSince: (from: Date) => Promise<number>;
};

export type MonthBudget = {
  /** Counts one call, or throws. A spare call is one that may wait for another month. */
  take: (spare: boolean) => Promise<void>;
};

/** Keeps the calls to one source within its month. */
export function createMonthBudget({ name, limit, now, usedSince }: Deps): MonthBudget {
  let month: { start: number; used: Promise<number>; taken: number } | undefined;

  return {
    async take(spare) {
      const at = now();
      const start = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
      const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
      if (month?.start !== start) month = { start, used: usedSince(new Date(start)), taken: 0 };
      const current = month;
      const used =
        (await current.used.catch((error: unknown) => {
          month = undefined;
          throw error;
        })) + current.taken;
      const leftMs = end - at.getTime();
      const all = `this month’s ${grouped(limit.calls)} calls`;
      if (used >= limit.calls) throw new SourceError('spent', `${name}: ${all} are used up`);
      if (spare && used + (limit.keptPerDay * leftMs) / DAY_MS >= limit.calls)
        throw new SourceError('resting', `${name}: the rest of ${all} is reserved for the price list`);
      current.taken += 1;
    },
  };
}
