import type { RawBuilder } from 'kysely';

import type { Severity } from '#features/alerts/contract/alerts.ts';
import type { Category, ChannelName } from '#features/notifications/contract/notifications.ts';
import type { Db } from '#kernel/db.ts';

/** A notice, the same for every channel, which formats it. */
export type Notice = {
  /** `CUSTOM_THRESHOLD`, `PRICE_BULLISH_MOVE`, `EVENT_REMINDER`, … */
  kind: string;
  category: Category | 'events' | 'announcements';
  severity: Severity;
  /** One line, at most 80 characters. */
  title: string;
  /** One or two sentences. */
  body: string;
  /** Where it leads, as `/app/alerts`. */
  path: string;
  /** The same for news that replace one another on a device; at most 32 characters of base64url. */
  tag: string;
  /** Symbol such as BTC; null where it is about no single asset. */
  asset: string | null;
  metric: string | null;
  value: number | null;
  /** When it was so, by its source. */
  at: string;
  source: string | null;
  eventDate: string | null;
  /** The event lasts all day (UTC). */
  allDay?: boolean;
};

const DAY_MS = 86_400_000;

/** Time in ms until which an event is news: its beginning or, when it lasts all day, the end of that day (UTC). Null without an event. */
export function eventEnd({ eventDate, allDay }: Pick<Notice, 'eventDate' | 'allDay'>): number | null {
  if (eventDate === null) return null;
  const at = Date.parse(eventDate);
  return allDay ? (Math.floor(at / DAY_MS) + 1) * DAY_MS : at;
}

/** One notice on its way to one person by one channel. The id is the same for every try. */
export type Delivery = {
  id: number;
  userId: number;
  eventId: number;
  channel: ChannelName;
  /** The one under way, from 1. */
  tries: number;
  queuedAt: string;
  /** When it was retried after it had failed: earlier outcomes no longer count. */
  restartedAt: string | null;
  notice: Notice;
};

export type Outcome =
  /** The channel has it. `note` is shown in the person's log: "to 2 browsers". */
  | { state: 'sent'; note?: string }
  /** A queue of the channel's own has it, which settles it later by `Settle`. */
  | { state: 'handed' }
  | { state: 'later'; note: string; afterMs?: number }
  /** For good. */
  | { state: 'failed'; note: string }
  /** The recipient is gone: a deleted address, a blocked chat. Not a failure. */
  | { state: 'dropped'; note: string };

/** Settles what was `handed`, in the caller's transaction. Of a delivery that was settled before nothing changes. */
export type Settle = (tx: Db, deliveryId: number, outcome: Exclude<Outcome, { state: 'handed' }>) => Promise<void>;

/** What is sent in its own order: an announcement to many never stands in the way of news. */
export type Line = 'news' | 'announcements';

export type Channel = {
  name: ChannelName;
  /** A query of the column `user_id`: whom it can reach now, whatever they have chosen. A person may be named twice. */
  reach: RawBuilder<{ user_id: number }>;
  /** At most this many a second by all processes together; null without limit. */
  perSecond: number | null;
  /** Announcements go by it too: behind all news, and with what the pace leaves over. */
  announces?: true;
  /** A batch with one event reminder of a person includes all their due reminders, so that one message carries them. */
  gathersReminders?: true;
  /** Deliveries that are claimed at once, and settled together. */
  batch: number;
  /** One outcome each, in their order. Rejects only when none of them was tried. */
  send: (deliveries: readonly Delivery[], signal: AbortSignal) => Promise<Outcome[]>;
};
