import { type Fact, GRACE } from '#features/accounts/server/subscriptions/service.ts';
import type { Units } from '#shared/money.ts';

export type PaidPlan = 'pro' | 'premium';

/** A fact: this much of a plan was bought or granted. `days` are added after `months`. */
export type Grant = {
  source: string;
  plan: PaidPlan;
  months: number;
  days: number;
  /** When the payment became valid, not when we learned of it. */
  goodAt: Date;
  /** Price paid; 0 for a gift. */
  units: Units;
};

/**
 * The period covered by one grant. It counts from `start` to `cut`: an upgrade cuts it before its `end`. Times in ms.
 */
export type Period = {
  source: string;
  plan: PaidPlan;
  start: number;
  end: number;
  cut: number;
  units: Units;
  isTrial: boolean;
};

export const GRACE_MS = 3 * 86_400_000;
const DAY_MS = 86_400_000;

/** UTC, always counted from the anchor: 31 January gives 28 February, then 31 March. */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor);
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const moved = new Date(anchor);
  moved.setUTCDate(1);
  moved.setUTCMonth(month);
  moved.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return moved.getTime();
}

type PlanRun = { anchor: number; months: number; end: number; isTrial: boolean };

const compareGrants = (a: Grant, b: Grant) =>
  a.goodAt.getTime() - b.goodAt.getTime() || (a.source < b.source ? -1 : Number(a.source > b.source));

/**
 * Folds the grants of one account into periods: pure, and independent of arrival order and duplicates. A renewal before
 * the end, or one of months within the grace period, continues from the old end; Pro bought while Premium+ runs waits
 * for its end; Premium+ bought while Pro runs cuts Pro there.
 */
export function computePeriods(grants: Iterable<Grant>): Period[] {
  const bySource = new Map<string, Grant>();
  for (const grant of grants) if (!bySource.has(grant.source)) bySource.set(grant.source, grant);
  const periods: Period[] = [];
  const runs: Record<PaidPlan, PlanRun | null> = { pro: null, premium: null };
  for (const { source, plan, months, days, goodAt, units } of [...bySource.values()].toSorted(compareGrants)) {
    const at = goodAt.getTime();
    const other = runs[plan === 'pro' ? 'premium' : 'pro'];
    let run = runs[plan];
    if (!run || !continuesRun(run, other, at, months > 0)) {
      const anchor = plan === 'pro' && other && other.end > at ? other.end : at;
      run = { anchor, months: 0, end: anchor, isTrial: false };
    }
    if (plan === 'premium' && other && other.end > at) {
      for (const period of periods)
        if (period.plan === 'pro' && period.cut > at) period.cut = Math.max(period.start, at);
      runs.pro = null;
    }
    const start = run.end;
    const isTrial = months === 0;
    const counted = run.months + months;
    const end = addMonths(run.anchor, counted) + days * DAY_MS;
    // Days move the anchor: later months are counted from there.
    runs[plan] = days > 0 ? { anchor: end, months: 0, end, isTrial } : { ...run, months: counted, end, isTrial };
    periods.push({ source, plan, start, end, cut: end, units, isTrial });
  }
  return periods;
}

/** A trial has no grace period, and a few days backdated to the old end could be over before they start. */
function continuesRun(run: PlanRun, other: PlanRun | null, at: number, ofMonths: boolean): boolean {
  if (at < run.end) return true;
  return ofMonths && !run.isTrial && at < run.end + GRACE_MS && !(other && other.end > run.end);
}

/** Value of the unused part of a period, rounded down so that it never exceeds what was paid. */
export function unusedValue({ units, start, end }: Period, at: number): Units {
  const from = BigInt(Math.min(Math.max(at, start), end));
  return (units * (BigInt(end) - from)) / BigInt(end - start);
}

/** The Pro credit due when Premium+ is bought at a given moment. */
export const prorationCredit = (periods: readonly Period[], at: number): Units =>
  periods
    .filter(({ plan, start, cut }) => plan === 'pro' && cut > at && cut > start)
    .reduce((sum, period) => sum + unusedValue(period, at), 0n);

/** Whether anything was ever paid for. A reversed payment (refund, dispute, reorg) counts as never made. */
export const hasPaid = (periods: readonly Period[]): boolean => periods.some(({ units }) => units > 0n);

/** The grace period after the last paid end; null when the last period was a trial or there is none. */
export function gracePeriod(periods: readonly Period[]): { plan: PaidPlan; start: number; end: number } | null {
  const active = periods.filter(({ start, cut }) => cut > start);
  const last = active.toSorted(
    (a, b) => b.cut - a.cut || Number(b.plan === 'premium') - Number(a.plan === 'premium'),
  )[0];
  if (!last || last.isTrial || last.cut !== last.end) return null;
  return { plan: last.plan, start: last.end, end: last.end + GRACE_MS };
}

export type Target = Pick<Fact, 'source' | 'plan' | 'startsAt' | 'endsAt'>;

export const isGrantFact = (source: string): boolean => source === GRACE || source.startsWith('grant:');

/** The entitlement facts derived from an account's periods, by source. */
export function deriveFacts(periods: readonly Period[]): Map<string, Target> {
  const facts = periods
    .filter(({ start, cut }) => cut > start)
    .map(({ source, plan, start, cut }) => createFact(`grant:${source}`, plan, start, cut));
  const grace = gracePeriod(periods);
  if (grace) facts.push(createFact(GRACE, grace.plan, grace.start, grace.end));
  return new Map(facts.map((fact) => [fact.source, fact]));
}

/** The differences to append to the latest facts of an account so that they match the wanted state. */
export function diffFacts(known: readonly Target[], wanted: ReadonlyMap<string, Target>, at: Date): Target[] {
  const present = known.filter(({ source }) => isGrantFact(source));
  const removed = present.filter(({ source, plan }) => plan !== 'free' && !wanted.has(source));
  const bySource = new Map(present.map((fact) => [fact.source, fact]));
  return [
    ...removed.map(({ source }) => createFact(source, 'free', at.getTime(), at.getTime())),
    ...[...wanted.values()].filter((target) => !isSame(bySource.get(target.source), target)),
  ];
}

const createFact = (source: string, plan: Target['plan'], start: number, end: number): Target => ({
  source,
  plan,
  startsAt: new Date(start),
  endsAt: new Date(end),
});

const isSame = (known: Target | undefined, target: Target): boolean =>
  known !== undefined &&
  known.plan === target.plan &&
  known.startsAt.getTime() === target.startsAt.getTime() &&
  known.endsAt?.getTime() === target.endsAt?.getTime();
