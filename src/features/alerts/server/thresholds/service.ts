import type { ParsedThreshold, Preview, ThresholdInput } from '#features/alerts/contract/thresholds.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { findWatched } from '#shared/watched.ts';
import type { ThresholdsContext } from './context.ts';
import { createFeed, type Feed } from './owner/feed.ts';
import { createOwner, type Owner } from './owner/owner.ts';
import { previewRule } from './preview/preview.ts';
import { createHistories, type Histories } from './preview/series-history.ts';
import { changeListIn, prepare, type RuleListContext, type RuleOwner, toValidEntry } from './service/lists.ts';
import { type Entry, hasSameMeaning, parseEntry, toEntry, toMeaning, toThresholdValue } from './service/validate.ts';
import { readRules, type StoredRule } from './store/rules.ts';

/** The list in portable form, without ids and states, for import into any account. */
export async function exportRules({ db }: Pick<ThresholdsContext, 'db'>, userId: number): Promise<ThresholdInput[]> {
  const rules = await readRules(db, userId);
  return rules
    .filter(({ metric }) => findWatched(metric) !== undefined)
    .map((rule) => ({
      name: rule.name,
      description: rule.description,
      metric: rule.metric,
      condition: rule.condition,
      value: toThresholdValue(rule.metric, rule.value),
      enabled: rule.enabled,
      ...(rule.icon === null ? {} : { icon: rule.icon }),
      options: toMeaning(rule).options,
    }));
}

/** Before the transaction of `importRules`. */
export const prepareImport = (
  context: RuleListContext,
  userId: number,
  rules: readonly ParsedThreshold[],
): Promise<void> => prepare(context, userId, rules);

type Imported = { added: number; removed: number; kept: number };

/**
 * Appends rules to a user's list, or replaces it with them, in the caller's transaction. A rule that already exists
 * with the same name and meaning keeps its state. Rules beyond the plan, and invalid ones, are refused by number.
 */
export async function importRules(
  context: RuleListContext,
  tx: Db,
  owner: RuleOwner,
  rules: readonly ParsedThreshold[],
  mode: 'add' | 'replace',
): Promise<Imported> {
  let counts: Imported = { added: 0, removed: 0, kept: 0 };
  await changeListIn(context, tx, owner, undefined, (stored) => {
    const left = [...stored];
    const entries = rules.map((rule, place): Entry => {
      const same = takeMatching(left, parseEntry(rule));
      return same ? { ...parseEntry(rule), id: same.id } : toValidEntry(context, stored, rule, place);
    });
    const isNew = ({ id }: Entry) => id === null;
    const added = entries.filter(isNew).length;
    const list = mode === 'add' ? [...stored.map(toEntry), ...entries.filter(isNew)] : entries;
    const existing = list.length - added;
    counts = { added, removed: stored.length - existing, kept: existing };
    return list;
  });
  return counts;
}

/** Removes the matching existing rule from those that are left. */
function takeMatching(left: StoredRule[], { name, meaning }: Entry): StoredRule | undefined {
  const place = left.findIndex((rule) => rule.name === name && hasSameMeaning(toMeaning(rule), meaning));
  return place < 0 ? undefined : left.splice(place, 1)[0];
}

const BURST = 30;
const PER_SECOND = 4;
const MAX_TRACKED_USERS = 10_000;

/** Enough for dragging a value, not for a script. */
function createPreviewLimit(now: () => Date) {
  const buckets = new Map<number, { left: number; at: number }>();
  return {
    /** Seconds to wait; 0 when allowed. */
    take(userId: number): number {
      const at = now().getTime();
      const before = buckets.get(userId) ?? { left: BURST, at };
      const left = Math.min(BURST, before.left + (Math.max(0, at - before.at) / 1000) * PER_SECOND);
      buckets.delete(userId);
      if (buckets.size >= MAX_TRACKED_USERS) buckets.delete(buckets.keys().next().value as number);
      buckets.set(userId, { left: left < 1 ? left : left - 1, at });
      return left < 1 ? Math.ceil((1 - left) / PER_SECOND) : 0;
    },
  };
}

export type { ThresholdsContext } from './context.ts';
export { addRule, listRules } from './service/lists.ts';

export { currentValue } from './service/view.ts';

export type Thresholds = {
  ctx: ThresholdsContext;
  /** Stored history of every series. */
  histories: Histories;
  /** Current value of every series. */
  feed: Feed;
  /** Backtests a rule. Throws `rate_limited` for a user with too many requests. */
  preview: (userId: number, rule: ParsedThreshold) => Promise<Preview>;
  /** Evaluates the rules of every shard this process gets, until stopped. */
  startOwner: () => Promise<Owner>;
};

/** Users' own rules. */
export function createThresholds(ctx: ThresholdsContext): Thresholds {
  const histories = createHistories(ctx);
  const feed = createFeed(ctx, histories);
  const previewLimit = createPreviewLimit(ctx.now);

  async function preview(userId: number, rule: ParsedThreshold): Promise<Preview> {
    const seconds = previewLimit.take(userId);
    if (seconds > 0)
      throw new AppError('rate_limited', 'Too many previews in a row. Try again in a few seconds.', {
        retryAfterSeconds: seconds,
      });
    return previewRule(ctx, rule, { histories });
  }

  return { ctx, histories, feed, preview, startOwner: () => createOwner(ctx, feed) };
}
