import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Plan } from '#shared/contract.ts';

import type { LegState } from '../engine/types.ts';
import {
  deleteRules,
  pauseRules,
  type ResetRule,
  type RuleAppearance,
  type RuleWrite,
  resetRules,
  type StoredRule,
  updateAppearance,
  writeRules,
} from '../store/rules.ts';
import { type Entry, hasSameMeaning, type Meaning, toMeaning } from './validate.ts';

type ListLimits = { now: Date; plan: Plan };
/** The state for the current value. */
export type InitialState = (meaning: Meaning) => { first: LegState; second: LegState };

const unknownRule = (id: number) =>
  new AppError('not_found', `Alert ${id} is not in your list. Reload to see your alerts.`);

/** The stored rule for each entry; refuses duplicates and rules of other users. */
function matchRules(stored: readonly StoredRule[], entries: readonly Entry[]): (StoredRule | undefined)[] {
  const free = new Map(stored.map((rule) => [rule.id, rule]));
  return entries.map(({ id }) => {
    if (id === null) return undefined;
    const rule = free.get(id);
    if (rule) {
      free.delete(id);
      return rule;
    }
    if (stored.some((each) => each.id === id)) throw new AppError('bad_request', `The list contains alert ${id} twice`);
    throw unknownRule(id);
  });
}

/** A list from before a downgrade may be saved again, but not grow. */
function checkCount(stored: readonly StoredRule[], entries: readonly Entry[], plan: Plan): void {
  const { alertRules } = PLAN_LIMITS[plan];
  if (entries.length <= Math.max(alertRules, stored.length)) return;
  throw new AppError(
    'upgrade_required',
    `${PLAN_NAMES[plan]} includes up to ${alertRules} custom alerts; this list has ${entries.length}`,
  );
}

/** True for a rule that needs validation: new, or with another meaning. */
export const needsValidation = (entry: Entry, rule: StoredRule | undefined): boolean =>
  !rule || !hasSameMeaning(entry.meaning, toMeaning(rule));

const hasSameAppearance = (a: RuleAppearance, b: RuleAppearance): boolean =>
  a.position === b.position && a.name === b.name && a.description === b.description && a.icon === b.icon;

/**
 * Makes the entries the whole list of a user, whose rows are locked. A rule with the same meaning keeps its state;
 * those beyond the plan are paused, and those back within it restart. Returns whether the list changed, and whether the
 * state of a retained rule did.
 */
export async function applyList(
  tx: Db,
  userId: number,
  stored: readonly StoredRule[],
  entries: readonly Entry[],
  { now, plan, begin: initialState }: ListLimits & { begin: InitialState },
): Promise<{ list: boolean; states: boolean }> {
  const rules = matchRules(stored, entries);
  checkCount(stored, entries, plan);
  const { alertRules } = PLAN_LIMITS[plan];
  const toWrite: RuleWrite[] = [];
  const toUpdate: RuleAppearance[] = [];
  const toReset: ResetRule[] = [];
  const paused: number[] = [];
  for (const [i, entry] of entries.entries()) {
    const { name, description, icon, meaning } = entry;
    const rule = rules[i];
    const isBeyond = i >= alertRules;
    const look = { position: i, name, description, icon };
    if (!rule || needsValidation(entry, rule)) {
      toWrite.push({
        ...look,
        ...meaning,
        ...initialState(meaning),
        id: rule?.id ?? null,
        paused: isBeyond ? 'plan' : null,
      });
      continue;
    }
    if (!hasSameAppearance({ ...look, id: rule.id }, rule)) toUpdate.push({ ...look, id: rule.id });
    if (isBeyond && rule.paused !== 'plan') paused.push(rule.id);
    if (!isBeyond && (entry.isFresh || rule.paused === 'plan')) toReset.push({ id: rule.id, ...initialState(meaning) });
  }
  const keptIds = new Set(rules.map((rule) => rule?.id));
  const removedIds = stored.filter(({ id }) => !keptIds.has(id)).map(({ id }) => id);
  await deleteRules(tx, removedIds);
  await writeRules(tx, userId, toWrite, now);
  await updateAppearance(tx, toUpdate);
  await resetRules(tx, toReset, now);
  await pauseRules(tx, paused, now);
  return { list: toWrite.length + toUpdate.length + removedIds.length > 0, states: toReset.length + paused.length > 0 };
}
