import type { ParsedThreshold, ThresholdInput } from '#features/alerts/contract/thresholds.ts';
import type { Db } from '#kernel/db.ts';
import { watchedOf } from '#shared/watched.ts';

import type { ThresholdsContext } from '../context.ts';
import { rulesOf, type StoredRule } from '../store/rules.ts';
import { changeListIn, type Keeper, prepare, taken, type Who } from './lists.ts';
import { type Entry, entryOf, meaningOf, placeOf, saysTheSame, valueOf } from './refuse.ts';

/** The list in portable form, for import into any account: without ids and states. */
export async function exportRules({ db }: Pick<ThresholdsContext, 'db'>, userId: number): Promise<ThresholdInput[]> {
  const rules = await rulesOf(db, userId);
  return rules
    .filter(({ metric }) => watchedOf(metric) !== undefined)
    .map((rule) => ({
      name: rule.name,
      description: rule.description,
      metric: rule.metric,
      condition: rule.condition,
      value: valueOf(rule.metric, rule.value),
      enabled: rule.enabled,
      ...(rule.icon === null ? {} : { icon: rule.icon }),
      options: meaningOf(rule).options,
    }));
}

/** Before the transaction of `importRules`. */
export const prepareImport = (keeper: Keeper, userId: number, rules: readonly ParsedThreshold[]): Promise<void> =>
  prepare(keeper, userId, rules);

export type Imported = { added: number; removed: number; kept: number };

/**
 * Adds rules without numbers to the end of a person's list, or makes them the list, in the caller's transaction. One that is there already, by name and
 * meaning, is kept with its state. What is beyond the plan is refused, as are rules that make no sense, by their number.
 */
export async function importRules(
  keeper: Keeper,
  tx: Db,
  who: Who,
  rules: readonly ParsedThreshold[],
  mode: 'add' | 'replace',
): Promise<Imported> {
  let counts: Imported = { added: 0, removed: 0, kept: 0 };
  await changeListIn(keeper, tx, who, undefined, (stored) => {
    const left = [...stored];
    const entries = rules.map((rule, place): Entry => {
      const same = takeSame(left, entryOf(rule));
      return same ? { ...entryOf(rule), id: same.id } : taken(keeper, stored, rule, place);
    });
    const isNew = ({ id }: Entry) => id === null;
    const added = entries.filter(isNew).length;
    const list = mode === 'add' ? [...stored.map(placeOf), ...entries.filter(isNew)] : entries;
    const kept = list.length - added;
    counts = { added, removed: stored.length - kept, kept };
    return list;
  });
  return counts;
}

/** Takes the rule that is there already out of those that are left. */
function takeSame(left: StoredRule[], { name, meaning }: Entry): StoredRule | undefined {
  const place = left.findIndex((rule) => rule.name === name && saysTheSame(meaningOf(rule), meaning));
  return place < 0 ? undefined : left.splice(place, 1)[0];
}
