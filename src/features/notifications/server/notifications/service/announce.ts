import type { Severity } from '#features/alerts/contract/alerts.ts';
import type { Db } from '#kernel/db.ts';

import type { Notice } from '../channel.ts';
import { shortTitle } from '../notice.ts';
import { addAnnouncement, standingAnnouncements, withdrawAnnouncements } from '../store/announce.ts';

export type Announcement = {
  /** The same thing is announced once: `event:12:3:2026-11-20T12:00:00.000Z`. */
  once: string;
  kind: 'EVENT_REMINDER' | 'PRODUCT_NEWS' | 'BOT_ANNOUNCEMENT';
  severity: Severity;
  /** Without it, for everyone who wants it. */
  userId?: number;
  /** By this it can be withdrawn. */
  subject?: string;
  notice: Pick<Notice, 'title' | 'body' | 'path' | 'tag'> & Partial<Pick<Notice, 'source' | 'eventDate' | 'allDay'>>;
  /** Of reminders: the days before the event, and the nearer ones that it has come into at the same moment. */
  window?: { days: number; covered: readonly number[] };
  /** Of `BOT_ANNOUNCEMENT`: whom it is for. */
  audience?: 'all' | 'free' | 'pro' | 'premium';
  /** Not sent from then on. */
  expiresAt?: Date;
};

/** Part of the caller's transaction; the workers wake at its commit. False when it was announced before. */
export async function announce(tx: Db, announcement: Announcement, now: Date): Promise<boolean> {
  const { once, kind, severity, userId, subject, notice, window, audience, expiresAt } = announcement;
  const { source = null, eventDate = null, title, ...rest } = notice;
  const whole: Omit<Notice, 'kind' | 'category' | 'severity'> = {
    ...rest,
    title: shortTitle(title),
    asset: null,
    metric: null,
    value: null,
    at: now.toISOString(),
    source,
    eventDate,
  };
  const payload = {
    notice: whole,
    ...(window ? { window: window.days, covered: window.covered } : {}),
    ...(audience ? { audience } : {}),
  };
  return addAnnouncement(tx, {
    once,
    kind,
    severity,
    userId: userId ?? null,
    subject: subject ?? null,
    payload,
    createdAt: now,
    expiresAt: expiresAt ?? null,
  });
}

/** Those of the announcements that were written and not withdrawn. */
export const announced = (db: Db, onces: readonly string[]): Promise<Set<string>> => standingAnnouncements(db, onces);

/**
 * What has not been sent of a subject, or of a kind but for those that are named, is not sent any more. Part of the caller's transaction.
 * Announced again, it reaches those whom it had not reached.
 */
export const withdraw = (
  tx: Db,
  which: { subject: string } | { kind: Announcement['kind']; except: readonly string[] },
  now: Date,
): Promise<void> => withdrawAnnouncements(tx, which, now);
