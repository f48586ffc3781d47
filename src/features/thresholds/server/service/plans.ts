import { PLAN_LIMITS } from '#features/subscriptions/contract.ts';
import { planOf, type Standing, standingsOf } from '#features/subscriptions/server/service.ts';

import { countsAfter } from '../store/rules.ts';
import { changeList, type Keeper } from './lists.ts';
import { placeOf } from './meaning.ts';

const PEOPLE_AT_ONCE = 500;

/** Pauses what is beyond each person's plan of now and brings back what is within it; the first of the list stay. */
export async function fitPlans(keeper: Keeper, signal: AbortSignal): Promise<void> {
  const { ctx } = keeper;
  const now = ctx.now();
  for (let after = 0; !signal.aborted; ) {
    const people = await countsAfter(ctx.db, after, PEOPLE_AT_ONCE);
    const ids = people.map(({ user_id }) => user_id);
    const standings = await standingsOf(ctx.db, ids, now);
    for (const { user_id: userId, role, rules, paused } of people) {
      const plan = planOf(role, standings.get(userId) as Standing);
      const isFitting = paused === Math.max(0, rules - PLAN_LIMITS[plan].alertRules);
      if (!isFitting) await changeList(keeper, { userId, plan }, undefined, (stored) => stored.map(placeOf));
    }
    after = ids.at(-1) ?? 0;
    if (people.length < PEOPLE_AT_ONCE) return;
  }
}
