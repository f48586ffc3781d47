import type { Subscription } from '#features/accounts/contract/subscriptions.ts';

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

/** Source of the fact that lets a plan work on for some days after its paid end. */
export const GRACE = 'grace';
/** Prefix of trial sources: trials end automatically, and renewal is offered only in their last days. */
const TRIAL = 'grant:trial:';

const RANK = { free: 0, pro: 1, premium: 2 } as const;
const DAY_MS = 86_400_000;
const RENEWAL_DAYS = 7;
const LAST_DAYS_OF_TRIAL = 2;

/**
 * What the facts of one account amount to at a moment. The newest fact of each source counts; of those in force the best plan wins,
 * and the one that lasts longest among equals. The order in which facts arrive does not matter.
 */
export function standingAt(facts: readonly Fact[], now: Date): Standing {
  const at = now.getTime();
  const counting = newestOf(facts);
  const running = counting.filter(
    ({ plan, startsAt, endsAt }) => plan !== 'free' && startsAt.getTime() <= at && endOf(endsAt) > at,
  );
  const changes = counting
    .flatMap(({ startsAt, endsAt }) => [startsAt.getTime(), endOf(endsAt)])
    .filter((time) => time > at && Number.isFinite(time));
  const holdsUntil = changes.length > 0 ? new Date(Math.min(...changes)) : null;
  const best = running.toSorted(
    (a, b) =>
      RANK[b.plan] - RANK[a.plan] ||
      Number(a.source === GRACE) - Number(b.source === GRACE) ||
      compare(endOf(b.endsAt), endOf(a.endsAt)),
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
    const end = endOfRow(best, counting);
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
  const ended = counting
    .filter((fact) => fact.source !== GRACE && !isTrial(fact) && fact.plan !== 'free' && endOf(fact.endsAt) <= at)
    .map(({ endsAt }) => endOf(endsAt));
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
export function newestOf(facts: readonly Fact[]): Fact[] {
  const newest = new Map<string, Fact>();
  for (const fact of facts) if (fact.id > (newest.get(fact.source)?.id ?? -1)) newest.set(fact.source, fact);
  return [...newest.values()];
}

/** Until when a plan goes on without a gap: times bought one after the other are one. */
function endOfRow(first: Fact, counting: readonly Fact[]): Date | null {
  let end = first.endsAt;
  const later = counting
    .filter(({ source, plan }) => source !== GRACE && plan === first.plan)
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  for (const { startsAt, endsAt } of later) if (end && startsAt <= end && endOf(endsAt) > end.getTime()) end = endsAt;
  return end;
}

const endOf = (endsAt: Date | null) => endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
const compare = (a: number, b: number) => (a === b ? 0 : a - b);
