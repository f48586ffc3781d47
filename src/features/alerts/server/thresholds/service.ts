import type { ParsedThreshold, Preview, ThresholdInput } from '#features/alerts/contract/thresholds.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { watchedOf } from '#shared/watched.ts';
import type { ThresholdsContext } from './context.ts';
import { createFeed, type Feed } from './owner/feed.ts';
import { createOwner, type Owner } from './owner/owner.ts';
import { previewRule } from './preview/preview.ts';
import { createHistories, type Histories } from './preview/series-history.ts';
import { changeListIn, type Keeper, prepare, taken, type Who } from './service/lists.ts';
import { type Entry, entryOf, meaningOf, placeOf, saysTheSame, valueOf } from './service/refuse.ts';
import { rulesOf, type StoredRule } from './store/rules.ts';

/** The list in portable form, without ids and states, for import into any account. */
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

type Imported = { added: number; removed: number; kept: number };

/**
 * Appends rules to a user's list, or replaces it with them, in the caller's transaction. A rule that already exists
 * with the same name and meaning keeps its state. Rules beyond the plan, and invalid ones, are refused by number.
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

/** Removes the matching existing rule from those that are left. */
function takeSame(left: StoredRule[], { name, meaning }: Entry): StoredRule | undefined {
  const place = left.findIndex((rule) => rule.name === name && saysTheSame(meaningOf(rule), meaning));
  return place < 0 ? undefined : left.splice(place, 1)[0];
}

const BURST = 30;
const PER_SECOND = 4;
const MOST_PEOPLE = 10_000;

/** Enough for dragging a value, not for a script. */
function createAllowance(now: () => Date) {
  const people = new Map<number, { left: number; at: number }>();
  return {
    /** Seconds to wait; 0 when allowed. */
    take(userId: number): number {
      const at = now().getTime();
      const before = people.get(userId) ?? { left: BURST, at };
      const left = Math.min(BURST, before.left + (Math.max(0, at - before.at) / 1000) * PER_SECOND);
      people.delete(userId);
      if (people.size >= MOST_PEOPLE) people.delete(people.keys().next().value as number);
      people.set(userId, { left: left < 1 ? left : left - 1, at });
      return left < 1 ? Math.ceil((1 - left) / PER_SECOND) : 0;
    },
  };
}

export type { ThresholdsContext } from './context.ts';
export { addRule, listRules } from './service/lists.ts';

export { presentValue } from './service/view.ts';

export type Thresholds = {
  ctx: ThresholdsContext;
  /** Stored history of every series. */
  histories: Histories;
  /** Current value of every series. */
  feed: Feed;
  /** Backtests a rule. Throws `rate_limited` for a user with too many requests. */
  preview: (userId: number, rule: ParsedThreshold) => Promise<Preview>;
  /** Evaluates the rules of every shard this process gets, until stopped. */
  own: () => Promise<Owner>;
};

/** Users' own rules. */
export function createThresholds(ctx: ThresholdsContext): Thresholds {
  const histories = createHistories(ctx);
  const feed = createFeed(ctx, histories);
  const allowance = createAllowance(ctx.now);

  async function preview(userId: number, rule: ParsedThreshold): Promise<Preview> {
    const seconds = allowance.take(userId);
    if (seconds > 0)
      throw new AppError('rate_limited', 'Too many previews in a row. Try again in a few seconds.', {
        retryAfterSeconds: seconds,
      });
    return previewRule(ctx, rule, { histories });
  }

  return { ctx, histories, feed, preview, own: () => createOwner(ctx, feed) };
}
