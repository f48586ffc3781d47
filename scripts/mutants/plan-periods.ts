import type { Mutant } from '#tests/support/mutant.ts';

const SERVER = 'src/features/payments/server/billing';
const FOLD = { file: `${SERVER}/plan-periods.ts`, tests: [`${SERVER}/plan-periods.test.ts`] };
const FACTS = { file: `${SERVER}/plan-periods.ts`, tests: [`${SERVER}/projection.test.ts`] };
const LEDGER = {
  file: 'src/features/accounts/server/subscriptions/store.ts',
  tests: [`${SERVER}/projection.test.ts`, 'src/features/accounts/server/subscriptions/ledger.test.ts'],
};

/** Errors in how grants become plans. */
export const MUTANTS: Mutant[] = [
  {
    ...FOLD,
    name: 'counts from the last end instead of the anchor',
    from: 'const end = addMonths(run.anchor, counted)',
    to: 'const end = addMonths(run.end, months)',
  },
  { ...FOLD, name: 'no clamp', from: 'Math.min(from.getUTCDate(), lastDay)', to: 'from.getUTCDate()' },
  {
    ...FOLD,
    name: 'the month of another time zone',
    from: 'from.getUTCMonth() + months',
    to: 'new Date(anchor - 8 * 3_600_000).getUTCMonth() + months',
  },
  {
    ...FOLD,
    name: 'duplicates count',
    from: 'if (!bySource.has(grant.source)) bySource.set(grant.source, grant)',
    to: 'bySource.set(grant.source + bySource.size, grant)',
  },
  { ...FOLD, name: 'the order of arrival', from: 'a.goodAt.getTime() - b.goodAt.getTime() ||', to: '' },
  {
    ...FOLD,
    name: 'the order of arrival at one moment',
    from: '(a.source < b.source ? -1 : Number(a.source > b.source))',
    to: '0',
  },
  {
    ...FOLD,
    name: 'a queued Pro is given back a second time',
    from: "plan === 'pro' && cut > at && cut > start",
    to: "plan === 'pro' && end > at",
  },
  {
    ...FOLD,
    name: 'gives back rounded up',
    from: '/ BigInt(end - start)',
    to: '/ BigInt(end - start) + 1n',
  },
  { ...FOLD, name: 'Premium+ does not stop Pro', from: 'period.cut = Math.max(period.start, at)', to: 'period.cut' },
  {
    ...FOLD,
    name: 'a queued Pro is cut before its start',
    from: 'period.cut = Math.max(period.start, at)',
    to: 'period.cut = at',
  },
  { ...FOLD, name: 'Pro goes on after Premium+ took its place', from: 'runs.pro = null;', to: '' },
  { ...FOLD, name: 'Pro does not wait for Premium+', from: 'other && other.end > at ? other.end : at', to: 'at' },
  {
    ...FOLD,
    name: 'a renewal in the grace runs beside the other plan',
    from: ' && !(other && other.end > run.end)',
    to: '',
  },
  { ...FOLD, name: 'no grace for a renewal', from: 'at < run.end + GRACE_MS', to: 'false' },
  { ...FOLD, name: 'a trial has a grace', from: 'ofMonths && !run.isTrial', to: 'ofMonths' },
  { ...FOLD, name: 'days given in the grace are lost', from: 'return ofMonths && ', to: 'return ' },
  { ...FOLD, name: 'four days of grace', from: '3 * 86_400_000', to: '4 * 86_400_000' },
  { ...FOLD, name: 'days do not move the anchor', from: 'days > 0 ? {', to: 'false ? {' },
  {
    ...FOLD,
    name: 'grace after a trial',
    from: 'if (!last || last.isTrial || last.cut !== last.end) return null;',
    to: 'if (!last || last.cut !== last.end) return null;',
  },
  {
    ...FOLD,
    name: 'grace of the first end',
    from: 'b.cut - a.cut ||',
    to: 'a.cut - b.cut ||',
  },
  {
    ...FOLD,
    name: 'asks whether the last period was cut: the one that cut it always ends later',
    from: ' || last.cut !== last.end',
    to: '',
    equivalent: true,
  },
  { ...FACTS, name: 'the whole of a cut period', from: 'plan, start, cut));', to: 'plan, start, start + 1));' },
  { ...FACTS, name: 'no fact of the grace', from: 'if (grace) facts.push', to: 'if (!grace) [].push' },
  { ...FACTS, name: 'what is gone stays', from: "plan !== 'free' && !wanted.has(source)", to: 'false' },
  { ...FACTS, name: 'what is gone is written again and again', from: "plan !== 'free' && ", to: '' },
  { ...FACTS, name: 'every fact is written again', from: '!isSame(bySource.get(target.source), target)', to: 'true' },
  {
    ...FACTS,
    name: 'a moved start is not seen',
    from: 'known.startsAt.getTime() === target.startsAt.getTime()',
    to: 'true',
  },
  {
    ...FACTS,
    name: 'a moved end is not seen',
    from: 'known.endsAt?.getTime() === target.endsAt?.getTime()',
    to: 'true',
  },
  {
    ...FACTS,
    name: 'takes over other sources',
    from: 'present = known.filter(({ source }) => isGrantFact(source))',
    to: 'present = known',
  },
  {
    ...LEDGER,
    name: 'grace hides what runs',
    from: 'Number(a.source === GRACE) - Number(b.source === GRACE)',
    to: 'Number(b.source === GRACE) - Number(a.source === GRACE)',
  },
  { ...LEDGER, name: 'the end of the first period alone', from: 'endOfRun(best, current)', to: 'best.endsAt' },
  {
    ...LEDGER,
    name: 'grace says nothing of renewal',
    from: "status: 'grace',\n      currentPeriodEnd: null,",
    to: "status: 'active',\n      currentPeriodEnd: null,",
  },
];
