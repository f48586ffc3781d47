import type { ParsedThreshold, Preview } from '#features/alerts/contract/thresholds.ts';
import { AppError } from '#kernel/errors.ts';
import type { ThresholdsContext } from './context.ts';
import { createFeed, type Feed } from './owner/feed.ts';
import { createOwner, type Owner } from './owner/owner.ts';
import { previewRule } from './preview/preview.ts';
import { createHistories, type Histories } from './preview/series-history.ts';

const BURST = 30;
const PER_SECOND = 4;
const MOST_PEOPLE = 10_000;

/** Enough for a hand that drags a value, not for a script. */
function createAllowance(now: () => Date) {
  const people = new Map<number, { left: number; at: number }>();
  return {
    /** Seconds to wait; 0 when it may go on. */
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
export { exportRules, importRules, prepareImport } from './service/transfer.ts';
export { presentValue } from './service/view.ts';

export type Thresholds = {
  ctx: ThresholdsContext;
  /** The stored past of every series. */
  histories: Histories;
  /** The value of every series now. */
  feed: Feed;
  /** What a rule would have done. Throws `rate_limited` for a person who asks too often. */
  preview: (userId: number, rule: ParsedThreshold) => Promise<Preview>;
  /** Judges the rules of every shard that this process gets, until it is stopped. */
  own: () => Promise<Owner>;
};

/** People's own rules. */
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
