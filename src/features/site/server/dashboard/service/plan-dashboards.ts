import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { type Prepared, prepare, type ReadModel } from '#kernel/read-model.ts';
import { BY_CALLER } from '#kernel/shared-cache.ts';
import type { Plan } from '#shared/contract.ts';

const EVERYONE = '"subscriptionStatus":null';

export type PlanDashboards = {
  publish: ReadModel<Dashboard>['publish'];
  /** The payload for a plan; null is the visitor's. */
  of: (plan: Plan | null) => Pick<ReadModel<Dashboard>, 'current' | 'ready'>;
};

/**
 * `subscriptionStatus` is the only personal part of the payload, and it is the same for everyone on a plan: the text of a plan
 * is that of everyone with this one field replaced, made for its first reader.
 */
export function createPlanDashboards(everyone: ReadModel<Dashboard>): PlanDashboards {
  const newest = new Map<Plan, { of: string; prepared: Prepared }>();

  function forPlan(plan: Plan, base: Prepared | null): Prepared | null {
    if (!base) return null;
    const known = newest.get(plan);
    if (known?.of === base.etag) return known.prepared;
    const status = JSON.stringify({ plan, planName: PLAN_NAMES[plan] });
    const text = base.identity.body.toString().replace(EVERYONE, `"subscriptionStatus":${status}`);
    const prepared = prepare(text, { headers: BY_CALLER });
    newest.set(plan, { of: base.etag, prepared });
    return prepared;
  }

  return {
    publish: everyone.publish,
    of(plan) {
      if (plan === null) return everyone;
      return {
        current: () => forPlan(plan, everyone.current()),
        ready: async () => forPlan(plan, await everyone.ready()),
      };
    },
  };
}
