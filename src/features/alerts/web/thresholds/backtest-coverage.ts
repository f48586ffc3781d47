import type { Preview } from '#features/alerts/contract/thresholds.ts';
import { findWatched } from '#shared/watched.ts';
import { isPrice } from './labels.ts';

const isCollected = (metric: string) => findWatched(metric)?.cadence.startsWith('with every collection') === true;

/** What a rule on these metrics was backtested on, and how that differs from live evaluation. */
export function backtestCoverage({ tried, days }: Pick<Preview, 'tried' | 'days'>, metrics: readonly string[]): string {
  const whole = Math.round(days);
  const past = [...new Set(tried.map(({ source, grain }) => `${grain} from ${source}`))].join(' and ');
  const hasGaps = tried.some(({ grain }) => grain.startsWith('hourly') || grain.startsWith('daily'));
  const each = metrics.some(isPrice) ? 'price' : hasGaps && metrics.some(isCollected) ? 'collection' : null;
  const live = each ? `on every ${each}, so it may fire more often` : 'on the same values as they are published';
  return `Backtested on ${past}, ${whole} ${whole === 1 ? 'day' : 'days'}; evaluated live ${live}.`;
}
