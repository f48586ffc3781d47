import type { Indicator } from '#features/inflation/contract.ts';
import type { Method } from '#shared/provenance.ts';

/** A current value with its provenance. */
export type Known = { value: number; source: string; method: Method; sourceAt: Date; receivedAt: Date };

/**
 * `value` is the price in USD, `change` the log change over 24 hours, `returns` the daily log returns of the last 30
 * closed days.
 */
export type CoinReading = Known & {
  id: string;
  name: string;
  change: number;
  returns: ReadonlyMap<string, number>;
};

/** `past`: a value a day before this one, oldest first. */
export type WithHistory = Known & { past: readonly number[] };

/** A monthly change in percent as first released, and its reference. */
export type ReleaseReading = Known & {
  type: Indicator;
  period: string;
  expected: number;
  basis: 'consensus' | 'nowcast' | 'previous';
};

/**
 * The fields of a calendar event that alerts need. Declared here because the calendar depends on notifications, which
 * depend on alerts.
 */
export type CalendarEvent = {
  id: number;
  title: string | null;
  date: string;
  allDay: boolean;
  dateEstimated: boolean;
  daysUntil: number;
  status: 'upcoming' | 'past';
  impact: 'high' | 'medium' | 'low';
  source: string | null;
  checkedAt: string;
};

/** `window`: the smallest reminder window it has entered and not left; null for none. */
export type EventReading = Pick<CalendarEvent, 'id' | 'title' | 'date' | 'allDay' | 'dateEstimated' | 'daysUntil'> & {
  window: number | null;
  source: string;
  method: Method;
  sourceAt: Date;
};

/** Input of the market alerts at one moment. Absent or stale values are null or omitted and trigger nothing. */
export type Reading = {
  at: Date;
  /** Bitcoin first. */
  coins: readonly CoinReading[];
  flows: Readonly<Record<'btc' | 'eth', WithHistory | null>>;
  /** USD. */
  stablecoins: (Known & { weekAgo: number }) | null;
  /** Percent and points. */
  dominance: (Known & { change: number }) | null;
  ssr: Known | null;
  /** Percent per 8 hours. */
  funding: Known | null;
  /** USD. */
  liquidations: WithHistory | null;
  fearGreed: Known | null;
  /** `value` is the confidence in percent. */
  consensus: (Known & { direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH'; opinions: number }) | null;
  /** The latest release of each; null without one in the last two days. */
  prints: Readonly<Record<Indicator, ReleaseReading | null>> | null;
  /** Upcoming ones of high impact. */
  events: readonly EventReading[];
};
