import type { Subscription } from '../contract.ts';

export type Fact = {
  id: number;
  source: string;
  plan: 'free' | 'pro' | 'premium';
  startsAt: Date;
  endsAt: Date | null;
};

export type Standing = {
  plan: Fact['plan'];
  status: Subscription['status'];
  /** End of the paid time that is running; null when it has none. */
  currentPeriodEnd: Date | null;
  /** When the last paid time ended, while none is running. */
  expiredAt: Date | null;
  daysUntilExpiry: number | null;
  needsRenewal: boolean;
  /** Until when this standing holds if no fact is added. */
  holdsUntil: Date | null;
};

const RANK = { free: 0, pro: 1, premium: 2 } as const;
const DAY_MS = 86_400_000;
const RENEWAL_DAYS = 7;

/**
 * What the facts of one account amount to at a moment. The newest fact of each source counts; of those in force the best plan wins,
 * and the one that lasts longest among equals. The order in which facts arrive does not matter.
 */
export function standingAt(facts: readonly Fact[], now: Date): Standing {
  const at = now.getTime();
  const newest = new Map<string, Fact>();
  for (const fact of facts) if (fact.id > (newest.get(fact.source)?.id ?? -1)) newest.set(fact.source, fact);
  const counting = [...newest.values()];
  const running = counting.filter(
    ({ plan, startsAt, endsAt }) => plan !== 'free' && startsAt.getTime() <= at && endOf(endsAt) > at,
  );
  const changes = counting
    .flatMap(({ startsAt, endsAt }) => [startsAt.getTime(), endOf(endsAt)])
    .filter((time) => time > at && Number.isFinite(time));
  const holdsUntil = changes.length > 0 ? new Date(Math.min(...changes)) : null;
  const best = running.toSorted((a, b) => RANK[b.plan] - RANK[a.plan] || compare(endOf(b.endsAt), endOf(a.endsAt)))[0];
  if (best) {
    const end = best.endsAt;
    const days = end && Math.ceil((end.getTime() - at) / DAY_MS);
    return {
      plan: best.plan,
      status: 'active',
      currentPeriodEnd: end,
      expiredAt: null,
      daysUntilExpiry: days,
      needsRenewal: days !== null && days <= RENEWAL_DAYS,
      holdsUntil,
    };
  }
  const ended = counting
    .filter(({ plan, endsAt }) => plan !== 'free' && endOf(endsAt) <= at)
    .map((f) => endOf(f.endsAt));
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

const endOf = (endsAt: Date | null) => endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
const compare = (a: number, b: number) => (a === b ? 0 : a - b);
