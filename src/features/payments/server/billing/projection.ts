import { type Fact, GRACE } from '#features/accounts/server/subscriptions/service.ts';

import { graceOf, type Period } from './plan-periods.ts';

export type Target = Pick<Fact, 'source' | 'plan' | 'startsAt' | 'endsAt'>;

export const isOfGrants = (source: string): boolean => source === GRACE || source.startsWith('grant:');

/** The facts that the periods of an account amount to, by their source. */
export function factsOf(periods: readonly Period[]): Map<string, Target> {
  const facts = periods
    .filter(({ start, cut }) => cut > start)
    .map(({ source, plan, start, cut }) => factOf(`grant:${source}`, plan, start, cut));
  const grace = graceOf(periods);
  if (grace) facts.push(factOf(GRACE, grace.plan, grace.start, grace.end));
  return new Map(facts.map((fact) => [fact.source, fact]));
}

/** What has to be added to the newest facts of an account so that they say what is wanted: only what differs. */
export function changesOf(known: readonly Target[], wanted: ReadonlyMap<string, Target>, at: Date): Target[] {
  const present = known.filter(({ source }) => isOfGrants(source));
  const gone = present.filter(({ source, plan }) => plan !== 'free' && !wanted.has(source));
  const bySource = new Map(present.map((fact) => [fact.source, fact]));
  return [
    ...gone.map(({ source }) => factOf(source, 'free', at.getTime(), at.getTime())),
    ...[...wanted.values()].filter((target) => !isSame(bySource.get(target.source), target)),
  ];
}

const factOf = (source: string, plan: Target['plan'], start: number, end: number): Target => ({
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
