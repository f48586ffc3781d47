import type { EventCategory, EventImpact, UpcomingEvent } from '#features/events/contract.ts';

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

export const IMPACT_WORDS: Record<EventImpact, string> = { high: 'High', medium: 'Medium', low: 'Low' };

export const titleOf = ({ title }: Pick<UpcomingEvent, 'title'>): string => title?.trim() || 'Untitled Event';
/** Where the title stands: what belongs to it is described by it. */
export const titleId = ({ id }: Pick<UpcomingEvent, 'id'>): string => `event-${id}`;
export const sourceOf = ({ source }: Pick<UpcomingEvent, 'source'>): string => source?.trim() || 'Unknown source';
