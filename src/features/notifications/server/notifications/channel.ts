import type { RawBuilder } from 'kysely';

import type { Severity } from '#features/alerts/contract/alerts.ts';
import type { Category, ChannelName } from '#features/notifications/contract/notifications.ts';
import type { Db } from '#kernel/db.ts';

/** A channel-independent notice; each channel formats it. */
export type Notice = {
  /** `CUSTOM_THRESHOLD`, `PRICE_BULLISH_MOVE`, `EVENT_REMINDER`, … */
  kind: string;
  category: Category | 'events' | 'announcements';
  severity: Severity;
  /** One line, at most 80 characters. */
  title: string;
  /** One or two sentences. */
  body: string;
  /** Where it links to, such as `/app/alerts`. */
  path: string;
  /** Notices with the same tag replace each other on a device; at most 32 characters of base64url. */
  tag: string;
  /** Symbol such as BTC; null when it is not about a single asset. */
  asset: string | null;
  metric: string | null;
  value: number | null;
  /** Time of the value, according to its source. */
  at: string;
  source: string | null;
  eventDate: string | null;
  /** The event lasts all day (UTC). */
  allDay?: boolean;
};

const DAY_MS = 86_400_000;

/**
 * Time in ms until which an event is current: its start or, for an all-day event, the end of that day (UTC). Null
 * without an event.
 */
export function eventEnd({ eventDate, allDay }: Pick<Notice, 'eventDate' | 'allDay'>): number | null {
  if (eventDate === null) return null;
  const at = Date.parse(eventDate);
  return allDay ? (Math.floor(at / DAY_MS) + 1) * DAY_MS : at;
}

/** One notice for one user on one channel. The id is the same for every attempt. */
export type Delivery = {
  id: number;
  userId: number;
  eventId: number;
  channel: ChannelName;
  /** Number of the current attempt, from 1. */
  tries: number;
  queuedAt: string;
  /** When it was restarted after a failure: earlier outcomes no longer count. */
  restartedAt: string | null;
  notice: Notice;
};

export type Outcome =
  /** Accepted by the channel. `note` is shown in the user's log: "to 2 browsers". */
  | { state: 'sent'; note?: string }
  /** Accepted by a queue of the channel, which settles it later through `Settle`. */
  | { state: 'handed' }
  | { state: 'later'; note: string; afterMs?: number }
  /** Permanently. */
  | { state: 'failed'; note: string }
  /** The recipient is gone: a deleted address, a blocked chat. Not a failure. */
  | { state: 'dropped'; note: string };

/** Settles a `handed` delivery in the caller's transaction. A delivery that is already settled does not change. */
export type Settle = (tx: Db, deliveryId: number, outcome: Exclude<Outcome, { state: 'handed' }>) => Promise<void>;

/** Separate queues, so that an announcement to many never delays news. */
export type Queue = 'news' | 'announcements';

export type Channel = {
  name: ChannelName;
  /**
   * A query of the column `user_id`: users it can currently reach, regardless of their settings. May contain
   * duplicates.
   */
  reach: RawBuilder<{ user_id: number }>;
  /** Rate limit per second across all processes; null for none. */
  perSecond: number | null;
  /** Also carries announcements: after all news, with the remaining rate. */
  carriesAnnouncements?: true;
  /** A batch with one event reminder of a user includes all their due reminders, so that one message carries them. */
  gathersReminders?: true;
  /** Deliveries claimed and settled together. */
  batch: number;
  /** One outcome each, in order. Rejects only when none of them was attempted. */
  send: (deliveries: readonly Delivery[], signal: AbortSignal) => Promise<Outcome[]>;
};
