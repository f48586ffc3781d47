import { type Generated, sql } from 'kysely';

import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import type { Db } from '#kernel/db.ts';
import type { Plan } from '#shared/contract.ts';

type EntitlementsTable = {
  id: Generated<number>;
  user_id: number;
  /** Origin of the fact, such as 'admin'. The newest fact of a source replaces its older ones. */
  source: string;
  plan: 'free' | 'pro' | 'premium';
  starts_at: string;
  ends_at: string | null;
  created_at: string;
  created_by: number | null;
  note: Generated<string>;
};

declare module '#kernel/db.ts' {
  interface Tables {
    entitlements: EntitlementsTable;
  }
}

export async function readFacts(db: Db, userIds: readonly number[]): Promise<Map<number, Fact[]>> {
  const facts = new Map<number, Fact[]>(userIds.map((id) => [id, []]));
  if (userIds.length === 0) return facts;
  const rows = await db
    .selectFrom('entitlements')
    .select(['id', 'user_id', 'source', 'plan', 'starts_at', 'ends_at'])
    .where('user_id', 'in', userIds)
    .orderBy('id')
    .execute();
  for (const row of rows)
    facts.get(row.user_id)?.push({
      id: row.id,
      source: row.source,
      plan: row.plan,
      startsAt: new Date(row.starts_at),
      endsAt: row.ends_at === null ? null : new Date(row.ends_at),
    });
  return facts;
}

export type LedgerEntry = Fact & { at: Date; createdBy: number | null; note: string };

/** Every fact of an account, newest first. */
export async function readLedger(db: Db, userId: number): Promise<LedgerEntry[]> {
  const rows = await db
    .selectFrom('entitlements')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    source: row.source,
    plan: row.plan,
    startsAt: new Date(row.starts_at),
    endsAt: row.ends_at === null ? null : new Date(row.ends_at),
    at: new Date(row.created_at),
    createdBy: row.created_by,
    note: row.note,
  }));
}

export type NewFact = Omit<Fact, 'id'> & { userId: number; at: Date; createdBy: number | null; note: string };

export async function insertFact(db: Db, fact: NewFact): Promise<void> {
  await db
    .insertInto('entitlements')
    .values({
      user_id: fact.userId,
      source: fact.source,
      plan: fact.plan,
      starts_at: fact.startsAt.toISOString(),
      ends_at: fact.endsAt?.toISOString() ?? null,
      created_at: fact.at.toISOString(),
      created_by: fact.createdBy,
      note: fact.note,
    })
    .execute();
}

/** Number of accounts per current plan, consistent with the ledger of each. */
export async function countPlans(db: Db, now: Date): Promise<Record<Plan, number>> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await sql<{ plan: Plan; count: number }>`
    with newest as (
      select distinct on (user_id, source) user_id, plan, starts_at, ends_at from entitlements
      order by user_id, source, id desc),
    paid as (
      select bool_or(plan = 'premium') as premium from newest
      where plan <> 'free' and starts_at <= ${at} and (ends_at is null or ends_at > ${at})
        and user_id not in (select id from users where role = 'admin') group by user_id)
    select case when premium then 'premium' else 'pro' end as plan, count(*)::int as count from paid group by 1
    union all select 'admin', count(*)::int from users where role = 'admin'
    union all select 'free', count(*)::int from users`.execute(db);
  const counts = { free: 0, pro: 0, premium: 0, admin: 0 };
  for (const { plan, count } of rows) counts[plan] = count;
  return { ...counts, free: counts.free - counts.pro - counts.premium - counts.admin };
}

export type Fact = {
  id: number;
  source: string;
  plan: 'free' | 'pro' | 'premium';
  startsAt: Date;
  endsAt: Date | null;
};

export type PlanStatus = {
  plan: Fact['plan'];
  status: Subscription['status'];
  /** End of the current paid period; null when there is none. */
  currentPeriodEnd: Date | null;
  /** When the last paid period ended, while none is running. */
  expiredAt: Date | null;
  daysUntilExpiry: number | null;
  needsRenewal: boolean;
  /** When this standing changes if no fact is added. */
  holdsUntil: Date | null;
};

/** Source of the fact that extends a plan for a few days after its paid period. */
export const GRACE = 'grace';
/** Prefix of trial sources: trials end automatically, and renewal is offered only in their last days. */
const TRIAL = 'grant:trial:';

const PLAN_RANK = { free: 0, pro: 1, premium: 2 } as const;
const DAY_MS = 86_400_000;
const RENEWAL_DAYS = 7;
const LAST_DAYS_OF_TRIAL = 2;

/**
 * Standing of an account at a moment. The newest fact of each source counts; of those in force the best plan wins, and
 * the longest among equals. Independent of arrival order.
 */
export function planStatusAt(facts: readonly Fact[], now: Date): PlanStatus {
  const at = now.getTime();
  const current = newestPerSource(facts);
  const running = current.filter(
    ({ plan, startsAt, endsAt }) => plan !== 'free' && startsAt.getTime() <= at && endTime(endsAt) > at,
  );
  const changes = current
    .flatMap(({ startsAt, endsAt }) => [startsAt.getTime(), endTime(endsAt)])
    .filter((time) => time > at && Number.isFinite(time));
  const holdsUntil = changes.length > 0 ? new Date(Math.min(...changes)) : null;
  const best = running.toSorted(
    (a, b) =>
      PLAN_RANK[b.plan] - PLAN_RANK[a.plan] ||
      Number(a.source === GRACE) - Number(b.source === GRACE) ||
      compareTimes(endTime(b.endsAt), endTime(a.endsAt)),
  )[0];
  if (best?.source === GRACE)
    return {
      plan: best.plan,
      status: 'grace',
      currentPeriodEnd: null,
      expiredAt: best.startsAt,
      daysUntilExpiry: null,
      needsRenewal: true,
      holdsUntil,
    };
  if (best) {
    const end = endOfRun(best, current);
    const days = end && Math.ceil((end.getTime() - at) / DAY_MS);
    return {
      plan: best.plan,
      status: 'active',
      currentPeriodEnd: end,
      expiredAt: null,
      daysUntilExpiry: days,
      needsRenewal: days !== null && days <= (isTrial(best) ? LAST_DAYS_OF_TRIAL : RENEWAL_DAYS),
      holdsUntil,
    };
  }
  const ended = current
    .filter((fact) => fact.source !== GRACE && !isTrial(fact) && fact.plan !== 'free' && endTime(fact.endsAt) <= at)
    .map(({ endsAt }) => endTime(endsAt));
  const expiredAt = ended.length > 0 ? new Date(Math.max(...ended)) : null;
  return {
    plan: 'free',
    status: expiredAt ? 'expired' : 'none',
    currentPeriodEnd: null,
    expiredAt,
    daysUntilExpiry: null,
    needsRenewal: expiredAt !== null,
    holdsUntil,
  };
}

const isTrial = ({ source }: Fact) => source.startsWith(TRIAL);

/** The newest fact of each source. */
export function newestPerSource(facts: readonly Fact[]): Fact[] {
  const newest = new Map<string, Fact>();
  for (const fact of facts) if (fact.id > (newest.get(fact.source)?.id ?? -1)) newest.set(fact.source, fact);
  return [...newest.values()];
}

/** End of a plan without a gap: consecutive periods count as one. */
function endOfRun(first: Fact, current: readonly Fact[]): Date | null {
  let end = first.endsAt;
  const later = current
    .filter(({ source, plan }) => source !== GRACE && plan === first.plan)
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  for (const { startsAt, endsAt } of later) if (end && startsAt <= end && endTime(endsAt) > end.getTime()) end = endsAt;
  return end;
}

const endTime = (endsAt: Date | null) => endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
const compareTimes = (a: number, b: number) => (a === b ? 0 : a - b);
