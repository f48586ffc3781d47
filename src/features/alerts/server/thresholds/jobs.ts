import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { type PlanStatus, readPlanStatuses, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';
import { changeList, type RuleListContext } from './service/lists.ts';
import { toEntry } from './service/validate.ts';
import type { Thresholds } from './service.ts';
import { countsAfter } from './store/rules.ts';

const PEOPLE_AT_ONCE = 500;

/** Pauses rules beyond each user's current plan and resumes those within it, in list order. */
async function applyPlanLimits(context: RuleListContext, signal: AbortSignal): Promise<void> {
  const { ctx } = context;
  const now = ctx.now();
  for (let after = 0; !signal.aborted; ) {
    const people = await countsAfter(ctx.db, after, PEOPLE_AT_ONCE);
    const ids = people.map(({ user_id }) => user_id);
    const standings = await readPlanStatuses(ctx.db, ids, now);
    for (const { user_id: userId, role, rules, paused } of people) {
      const plan = resolvePlan(role, standings.get(userId) as PlanStatus);
      const isFitting = paused === Math.max(0, rules - PLAN_LIMITS[plan].alertRules);
      if (!isFitting) await changeList(context, { userId, plan }, undefined, (stored) => stored.map(toEntry));
    }
    after = ids.at(-1) ?? 0;
    if (people.length < PEOPLE_AT_ONCE) return;
  }
}

export function thresholdsJobs(thresholds: Thresholds): Job[] {
  return [
    defineJob({
      name: 'alerts.plans',
      about: 'Pauses custom alerts beyond the plan limit and resumes those within it',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      payload: noPayload,
      run: (_, signal) => applyPlanLimits(thresholds, signal),
    }),
  ];
}
