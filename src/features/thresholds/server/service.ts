import type { ThresholdsContext } from './context.ts';
import { createFeed, type Feed } from './owner/feed.ts';
import { createOwner } from './owner/owner.ts';
import { createHistories, type Histories } from './preview/series-history.ts';

export type { ThresholdsContext } from './context.ts';
export { presentValue } from './service/present.ts';
export { exportRules, importRules, prepareImport } from './service/transfer.ts';

export type Thresholds = {
  ctx: ThresholdsContext;
  /** The stored past of every series. */
  histories: Histories;
  /** The value of every series now. */
  feed: Feed;
  /** Judges the rules of every shard that this process gets, until it is stopped. */
  own: () => Promise<{ stop: () => Promise<void> }>;
};

/** People's own rules. */
export function createThresholds(ctx: ThresholdsContext): Thresholds {
  const histories = createHistories(ctx);
  const feed = createFeed(ctx, histories);
  return { ctx, histories, feed, own: () => createOwner(ctx, feed) };
}
