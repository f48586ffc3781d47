import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Plan } from '#shared/contract.ts';
import type { DayLimits } from '#shared/day-limits.ts';

import {
  type Fact,
  GRACE,
  insertFact,
  type LedgerEntry,
  type NewFact,
  newestPerSource,
  type PlanStatus,
  planStatusAt,
  readFacts,
  readLedger,
} from './store.ts';

export { countPlans } from './store.ts';
export type { Fact, PlanStatus };
export { GRACE, planStatusAt };

/** Current standing of each account, from its facts. */
export async function readPlanStatuses(
  db: Db,
  userIds: readonly number[],
  now: Date,
): Promise<Map<number, PlanStatus>> {
  const facts = await readFacts(db, userIds);
  return new Map([...facts].map(([id, each]) => [id, planStatusAt(each, now)]));
}

export async function readPlanStatus(db: Db, userId: number, now: Date): Promise<PlanStatus> {
  const standings = await readPlanStatuses(db, [userId], now);
  return standings.get(userId) as PlanStatus;
}

/** Admin is a role: it outranks every plan and needs no fact. */
export const resolvePlan = (role: 'user' | 'admin', standing: PlanStatus): Plan =>
  role === 'admin' ? 'admin' : standing.plan;

/** Appends a fact to the ledger, within the caller's transaction; facts are never modified. */
export const addFact = (db: Db, fact: NewFact): Promise<void> => insertFact(db, fact);

/** The newest fact of each source of an account. */
export async function latestFacts(db: Db, userId: number): Promise<Fact[]> {
  const facts = await readFacts(db, [userId]);
  return newestPerSource(facts.get(userId) ?? []);
}

export type LedgerView = LedgerEntry & { inForce: boolean };

/** The full ledger of an account, newest first; of each source only the newest can be in force. */
export async function readLedgerView(db: Db, userId: number, now: Date): Promise<LedgerView[]> {
  const entries = await readLedger(db, userId);
  const counting = new Set(newestPerSource(entries).map(({ id }) => id));
  return entries.map((entry) => ({
    ...entry,
    inForce:
      counting.has(entry.id) &&
      entry.plan !== 'free' &&
      entry.startsAt <= now &&
      (entry.endsAt === null || entry.endsAt > now),
  }));
}

const DAY_MS = 86_400_000;

/** A past moment may be shown within the plan's history; a future one never. */
export function checkMoment(moment: Date, now: Date, plan: Plan | null): void {
  const ageMs = now.getTime() - moment.getTime();
  const days = PLAN_LIMITS[plan ?? 'free'].historyDays;
  if (ageMs < 0) throw new AppError('bad_request', 'This time is in the future');
  if (days !== null && ageMs > days * DAY_MS)
    throw new AppError('upgrade_required', `Your plan includes the last ${days} days. Pro includes full history.`);
}

type CallLimitConfig = Pick<Config, 'API_CALLS_PER_DAY_PRO' | 'API_CALLS_PER_DAY_PREMIUM'>;
type ExportLimitConfig = Pick<Config, 'EXPORTS_PER_DAY'>;

/** Public API calls per UTC day; null is unlimited. */
export function apiCallsPerDay(config: CallLimitConfig, plan: Plan): number | null {
  if (plan === 'admin') return null;
  if (plan === 'free') return 0;
  return (plan === 'pro' ? config.API_CALLS_PER_DAY_PRO : config.API_CALLS_PER_DAY_PREMIUM) || null;
}

/** Exports per UTC day; null is unlimited. */
export function exportsPerDay(config: ExportLimitConfig, plan: Plan): number | null {
  if (plan === 'free') return 0;
  return plan === 'pro' ? config.EXPORTS_PER_DAY : null;
}

/** As currently enforced: settings change at runtime. */
export const dailyLimits = (config: CallLimitConfig & ExportLimitConfig, plan: Plan): DayLimits => ({
  exportsPerDay: exportsPerDay(config, plan),
  apiCallsPerDay: apiCallsPerDay(config, plan),
});
