import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import type { Encode } from '#kernel/encode.ts';
import { createReadModel, type Prepared, type ReadModel } from '#kernel/read-model.ts';
import { BY_CALLER } from '#kernel/shared-cache.ts';
import type { Plan } from '#shared/contract.ts';

/** A plan that nobody has asked for in this time is not kept ready. */
const KEPT_MS = 600_000;
const EVERYONE = '"subscriptionStatus":null';

type Variant = { model: ReadModel<string>; of: string; askedAt: number; preparing: Promise<void> | null };

export type PlanDashboards = {
  /** Draws the buffer of everyone, then those of the plans in use. */
  publish: ReadModel<Dashboard>['publish'];
  current: () => Prepared | null;
  /** The buffer of a plan; null is the visitor's. */
  of: (plan: Plan | null) => Pick<ReadModel<string>, 'current'>;
  /** Undefined when the buffer of the plan stands ready. */
  prepare: (plan: Plan | null) => Promise<Prepared> | undefined;
};

/**
 * `subscriptionStatus` is the only personal part of the payload, and it is the same for everyone on a plan: the text is made once,
 * a plan's own buffer differs in that one field.
 */
export function createPlanDashboards(
  everyone: ReadModel<Dashboard>,
  now: () => Date,
  encode: Encode,
  onError: (error: unknown) => void,
): PlanDashboards {
  const variants = new Map<Plan, Variant>();

  function variantOf(plan: Plan): Variant {
    const known = variants.get(plan);
    if (known) return known;
    const model = createReadModel<string>({
      name: `dashboard of ${plan}`,
      headers: BY_CALLER,
      encode,
      onInvalid: onError,
    });
    const variant: Variant = { model, of: '', askedAt: 0, preparing: null };
    variants.set(plan, variant);
    return variant;
  }

  const isKept = ({ askedAt }: Variant) => now().getTime() - askedAt < KEPT_MS;

  /** Its buffer, if it is kept up with everyone's. */
  function ready(variant: Variant): Prepared | null {
    if (!isKept(variant) || variant.preparing) return null;
    variant.askedAt = now().getTime();
    return variant.model.current();
  }

  async function draw(plan: Plan, variant: Variant): Promise<void> {
    const base = everyone.current();
    if (!base || variant.of === base.etag) return;
    const status = JSON.stringify({ plan, planName: PLAN_NAMES[plan] });
    await variant.model.publish(base.identity.body.toString().replace(EVERYONE, `"subscriptionStatus":${status}`));
    variant.of = base.etag;
  }

  return {
    async publish(value) {
      await everyone.publish(value);
      for (const [plan, variant] of variants) if (isKept(variant)) await draw(plan, variant);
    },
    current: everyone.current,
    of(plan) {
      return plan === null ? everyone : { current: () => ready(variantOf(plan)) };
    },
    prepare(plan) {
      if (plan === null || !everyone.current()) return undefined;
      const variant = variantOf(plan);
      if (ready(variant)) return undefined;
      variant.preparing ??= draw(plan, variant).finally(() => {
        variant.preparing = null;
        variant.askedAt = now().getTime();
      });
      return variant.preparing.then(() => variant.model.current() as Prepared);
    },
  };
}
