import { AppError } from '#server/platform/errors.ts';

import type { ParsedThreshold, Preview } from '../contract.ts';
import type { ThresholdsContext } from './context.ts';
import { createFeed, type Feed } from './owner/feed.ts';
import { createOwner } from './owner/owner.ts';
import { createAllowance } from './preview/allowance.ts';
import { previewRule } from './preview/preview.ts';
import { createHistories, type Histories } from './preview/series-history.ts';

export type { ThresholdsContext } from './context.ts';
export { addRule, listRules } from './service/lists.ts';
export { presentValue } from './service/present.ts';
export { exportRules, importRules, prepareImport } from './service/transfer.ts';

export type Thresholds = {
  ctx: ThresholdsContext;
  /** The stored past of every series. */
  histories: Histories;
  /** The value of every series now. */
  feed: Feed;
  /** What a rule would have done. Throws `rate_limited` for a person who asks too often. */
  preview: (userId: number, rule: ParsedThreshold) => Promise<Preview>;
  /** Judges the rules of every shard that this process gets, until it is stopped. */
  own: () => Promise<{ stop: () => Promise<void> }>;
};

/** People's own rules. */
export function createThresholds(ctx: ThresholdsContext): Thresholds {
  const histories = createHistories(ctx);
  const feed = createFeed(ctx, histories);
  const allowance = createAllowance(ctx.now);

  async function preview(userId: number, rule: ParsedThreshold): Promise<Preview> {
    const seconds = allowance.take(userId);
    if (seconds > 0)
      throw new AppError('rate_limited', 'That was quick. The preview goes on in a moment.', {
        retryAfterSeconds: seconds,
      });
    return previewRule(ctx, rule, { histories });
  }

  return { ctx, histories, feed, preview, own: () => createOwner(ctx, feed) };
}
