import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { type Prepared, prepare, type ReadModel } from '#kernel/read-model.ts';
import { BY_CALLER } from '#kernel/shared-cache.ts';
import type { Plan } from '#shared/contract.ts';

const EVERYONE = '"subscriptionStatus":null';

export type PlanDashboards = {
  publish: ReadModel<Dashboard>['publish'];
  /** The payload of a plan; null is the visitor's. */
  of: (plan: Plan | null) => Pick<ReadModel<Dashboard>, 'current' | 'ready'>;
};

/**
 * `subscriptionStatus` is the only personal part of the payload and the same for everyone on a plan: a plan's text is
 * the common one with this field replaced, created for its first reader.
 */
export function createPlanDashboards(everyone: ReadModel<Dashboard>): PlanDashboards {
  const models = new Map<Plan, ReturnType<PlanDashboards['of']>>();

  function planModel(plan: Plan): ReturnType<PlanDashboards['of']> {
    const status = JSON.stringify({ plan, planName: PLAN_NAMES[plan] });
    let base: Prepared | null = null;
    let shown: Prepared | null = null;
    function follow(newest: Prepared | null): Prepared | null {
      if (newest === base) return shown;
      base = newest;
      const text = newest?.identity.body.toString().replace(EVERYONE, `"subscriptionStatus":${status}`);
      shown = text === undefined ? null : prepare(text, { headers: BY_CALLER });
      return shown;
    }
    return { current: () => follow(everyone.current()), ready: async () => follow(await everyone.ready()) };
  }

  return {
    publish: everyone.publish,
    of(plan) {
      if (plan === null) return everyone;
      const model = models.get(plan) ?? planModel(plan);
      models.set(plan, model);
      return model;
    },
  };
}
