import { PLAN_LIMITS, PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Plan } from '#shared/contract.ts';

import type { LegState } from '../engine/types.ts';
import {
  deleteRules,
  pauseRules,
  type Rewound,
  rewindRules,
  type Shown,
  type StoredRule,
  showRules,
  type Written,
  writeRules,
} from '../store/rules.ts';
import { type Entry, type Meaning, meaningOf, saysTheSame } from './refuse.ts';

type Standing = { now: Date; plan: Plan };
/** The state for the current value. */
export type Beginning = (meaning: Meaning) => { first: LegState; second: LegState };

const unknownRule = (id: number) =>
  new AppError('not_found', `Alert ${id} is not in your list. Reload to see your alerts.`);

/** The stored rule for each entry; refuses duplicates and rules of other users. */
function matched(stored: readonly StoredRule[], entries: readonly Entry[]): (StoredRule | undefined)[] {
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
export const isNews = (entry: Entry, rule: StoredRule | undefined): boolean =>
  !rule || !saysTheSame(entry.meaning, meaningOf(rule));

const looksTheSame = (a: Shown, b: Shown): boolean =>
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
  { now, plan, begin }: Standing & { begin: Beginning },
): Promise<{ list: boolean; states: boolean }> {
  const rules = matched(stored, entries);
  checkCount(stored, entries, plan);
  const { alertRules } = PLAN_LIMITS[plan];
  const written: Written[] = [];
  const shown: Shown[] = [];
  const rewound: Rewound[] = [];
  const paused: number[] = [];
  for (const [i, entry] of entries.entries()) {
    const { name, description, icon, meaning } = entry;
    const rule = rules[i];
    const isBeyond = i >= alertRules;
    const look = { position: i, name, description, icon };
    if (!rule || isNews(entry, rule)) {
      written.push({ ...look, ...meaning, ...begin(meaning), id: rule?.id ?? null, paused: isBeyond ? 'plan' : null });
      continue;
    }
    if (!looksTheSame({ ...look, id: rule.id }, rule)) shown.push({ ...look, id: rule.id });
    if (isBeyond && rule.paused !== 'plan') paused.push(rule.id);
    if (!isBeyond && (entry.isFresh || rule.paused === 'plan')) rewound.push({ id: rule.id, ...begin(meaning) });
  }
  const kept = new Set(rules.map((rule) => rule?.id));
  const gone = stored.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  await deleteRules(tx, gone);
  await writeRules(tx, userId, written, now);
  await showRules(tx, shown);
  await rewindRules(tx, rewound, now);
  await pauseRules(tx, paused, now);
  return { list: written.length + shown.length + gone.length > 0, states: rewound.length + paused.length > 0 };
}
