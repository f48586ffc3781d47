import type { Severity } from '#features/alerts/contract.ts';
import type { Db } from '#server/platform/db.ts';

import type { Notice } from '../channel.ts';
import { shortTitle } from '../notice.ts';
import { addAnnouncement, withdrawSubjects } from '../store/announce.ts';

export type Announcement = {
  /** The same thing is announced once: `event:12:3:2026-11-20T12:00:00.000Z`. */
  once: string;
  kind: 'EVENT_REMINDER' | 'PRODUCT_NEWS';
  severity: Severity;
  /** Without it, for everyone who wants it. */
  userId?: number;
  /** By this it can be withdrawn. */
  subject?: string;
  notice: Pick<Notice, 'title' | 'body' | 'path' | 'tag'> & Partial<Pick<Notice, 'source' | 'eventDate'>>;
  /** Of reminders: the days before the event, and the nearer ones that it has come into at the same moment. */
  window?: { days: number; covered: readonly number[] };
  /** Not sent from then on. */
  expiresAt?: Date;
};

/** Part of the caller's transaction; the workers wake at its commit. False when it was announced before. */
export async function announce(tx: Db, announcement: Announcement, now: Date): Promise<boolean> {
  const { once, kind, severity, userId, subject, notice, window, expiresAt } = announcement;
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
  const payload = { notice: whole, ...(window ? { window: window.days, covered: window.covered } : {}) };
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

/** What has not been sent of these subjects is not sent any more. Part of the caller's transaction. */
export const withdraw = (
  tx: Db,
  subjects: readonly string[],
  now: Date,
  { note = 'It was withdrawn', except = null }: { note?: string; except?: string | null } = {},
): Promise<void> => withdrawSubjects(tx, subjects, note, now, except);
