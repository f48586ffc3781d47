import type { EventCategory, EventImpact, UpcomingEvent } from '#features/events/contract.ts';
import { cx } from '#ui/cx.ts';

export const CATEGORY_WORDS: Record<EventCategory, string> = {
  fed: 'Federal Reserve',
  monetary_policy: 'Monetary Policy',
  crypto: 'Cryptocurrency',
  inflation: 'Inflation',
  regulation: 'Regulation',
  earnings: 'Earnings',
  employment: 'Employment',
  other: 'Other',
};

const IMPACT_WORDS: Record<EventImpact, string> = { high: 'High', medium: 'Medium', low: 'Low' };

export const eventTitle = ({ title }: Pick<UpcomingEvent, 'title'>): string => title?.trim() || 'Untitled Event';
/** Id of the title, which describes the elements that belong to it. */
export const titleId = ({ id }: Pick<UpcomingEvent, 'id'>): string => `event-${id}`;
export const eventSource = ({ source }: Pick<UpcomingEvent, 'source'>): string => source?.trim() || 'Unknown source';

const LEVELS: Record<EventImpact, readonly [bars: number, tone: string]> = {
  high: [3, 'bg-down'],
  medium: [2, 'bg-warn'],
  low: [1, 'bg-ink-3'],
};
const HEIGHTS = [6, 9, 12];

/** One to three bars: readable without colour. */
export function Impact({ level }: { level: EventImpact }) {
  const [bars, tone] = LEVELS[level];
  return (
    <span className="inline-flex items-center gap-1.5 text-2xs font-medium whitespace-nowrap text-ink-2">
      <span className="flex items-end gap-[2px]" aria-hidden="true">
        {HEIGHTS.map((height, i) => (
          <span
            key={height}
            style={{ height }}
            className={cx('w-[3px] rounded-[2px]', i < bars ? tone : 'bg-line-strong')}
          />
        ))}
      </span>
      {IMPACT_WORDS[level]}
      <span className="sr-only"> impact</span>
    </span>
  );
}
