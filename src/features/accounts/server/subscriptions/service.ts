import type { Db } from '#kernel/db.ts';
import type { Plan } from '#shared/contract.ts';

import { type Fact, GRACE, newestOf, type Standing, standingAt } from './ledger.ts';
import { entriesOf, factsOf, insertFact, type LedgerEntry, type NewFact } from './store.ts';

export { callsPerDayOf, dayLimitsOf, exportsPerDayOf } from './day-limits.ts';
export { checkMoment } from './moment.ts';
export { countPlans } from './store.ts';
export type { Fact, Standing };
export { GRACE, standingAt };

/** What each account's facts amount to now. */
export async function standingsOf(db: Db, userIds: readonly number[], now: Date): Promise<Map<number, Standing>> {
  const facts = await factsOf(db, userIds);
  return new Map([...facts].map(([id, each]) => [id, standingAt(each, now)]));
}

export async function standingOf(db: Db, userId: number, now: Date): Promise<Standing> {
  const standings = await standingsOf(db, [userId], now);
  return standings.get(userId) as Standing;
}

/** Admin is a role: it outranks every plan and needs no fact. */
export const planOf = (role: 'user' | 'admin', standing: Standing): Plan =>
  role === 'admin' ? 'admin' : standing.plan;

/** Adds a fact to the ledger, within the caller's transaction; nothing is ever changed. */
export const addFact = (db: Db, fact: NewFact): Promise<void> => insertFact(db, fact);

/** The newest fact of each source of an account. */
export async function latestFacts(db: Db, userId: number): Promise<Fact[]> {
  const facts = await factsOf(db, [userId]);
  return newestOf(facts.get(userId) ?? []);
}

export type LedgerView = LedgerEntry & { inForce: boolean };

/** The whole ledger of an account, newest first; of each source only the newest can be in force. */
export async function ledgerOf(db: Db, userId: number, now: Date): Promise<LedgerView[]> {
  const entries = await entriesOf(db, userId);
  const counting = new Set(newestOf(entries).map(({ id }) => id));
  return entries.map((entry) => ({
    ...entry,
    inForce:
      counting.has(entry.id) &&
      entry.plan !== 'free' &&
      entry.startsAt <= now &&
      (entry.endsAt === null || entry.endsAt > now),
  }));
}
