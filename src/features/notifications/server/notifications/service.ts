import { alertsTopic, type Severity } from '#features/alerts/contract/alerts.ts';
import type { Db } from '#kernel/db.ts';
import { createThrottle } from '#kernel/throttle.ts';
import type { Delivery, Notice, Settle } from './channel.ts';
import type { NotificationsContext } from './context.ts';
import { shortTitle } from './notice.ts';
import { createSettle, skipReason, toDelivery } from './service/deliver.ts';
import { createLatency } from './service/log.ts';
import { createRunner, type Runner } from './service/run.ts';
import { addAnnouncement, findActiveAnnouncements, withdrawAnnouncements } from './store/announce.ts';
import { peopleWithDigest, readGathered, type Settled, settleDeliveries } from './store/claim.ts';
import { addHandings } from './store/log.ts';

export type Announcement = {
  /** Idempotency key: `event:12:3:2026-11-20T12:00:00.000Z`. */
  once: string;
  kind: 'EVENT_REMINDER' | 'PRODUCT_NEWS' | 'BOT_ANNOUNCEMENT';
  severity: Severity;
  /** Absent: everyone who has enabled it. */
  userId?: number;
  /** Key for withdrawing it. */
  subject?: string;
  notice: Pick<Notice, 'title' | 'body' | 'path' | 'tag'> & Partial<Pick<Notice, 'source' | 'eventDate' | 'allDay'>>;
  /** For reminders: days before the event, and the nearer windows it entered at the same moment. */
  window?: { days: number; covered: readonly number[] };
  /** Audience of a `BOT_ANNOUNCEMENT`. */
  audience?: 'all' | 'free' | 'pro' | 'premium';
  /** Not sent after this time. */
  expiresAt?: Date;
};

/** Runs in the caller's transaction; the workers wake at its commit. False when it was already announced. */
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

/** The announcements that exist and are not withdrawn. */
export const announced = (db: Db, onces: readonly string[]): Promise<Set<string>> => findActiveAnnouncements(db, onces);

/**
 * Stops unsent deliveries of a subject, or of a kind except those named. Runs in the caller's transaction. Announced
 * again, it is sent to those it had not reached.
 */
export const withdraw = (
  tx: Db,
  which: { subject: string } | { kind: Announcement['kind']; except: readonly string[] },
  now: Date,
): Promise<void> => withdrawAnnouncements(tx, which, now);

const WRITE_MS = 1_000;
/** An alert older than a day was backfilled, as in the demo: it is not news, and its latency is not measured. */
const NEWS_MS = 86_400_000;

type InApp = { close: () => Promise<void> };

/**
 * Measures the latency of alerts to the open pages of this process: until the frame is written to all of their streams.
 */
function measureInApp({ db, live, now, report }: NotificationsContext): InApp {
  let streamsAfterMs = new Map<number, number>();

  async function write(): Promise<void> {
    if (streamsAfterMs.size === 0) return;
    const measured = streamsAfterMs;
    streamsAfterMs = new Map();
    await addHandings(db, now(), measured);
  }

  const failed = (error: unknown) => report('notifications', 'system', 'Failed to save in-app delivery times', error);
  const writing = createThrottle(WRITE_MS, write, failed);

  live.afterDelivery(alertsTopic, ({ alerts }, streams) => {
    const at = now().getTime();
    for (const { receipt } of alerts) {
      const ms = Math.max(0, at - Date.parse(receipt.queuedAt));
      if (ms > NEWS_MS) continue;
      streamsAfterMs.set(ms, (streamsAfterMs.get(ms) ?? 0) + streams);
    }
    writing.trigger();
  });

  return {
    async close() {
      await writing.flush();
      writing.stop();
    },
  };
}

/**
 * A user's digest deliveries that are due, oldest first. They become `handed` in the caller's transaction, which queues
 * the email; `settle` reports the outcome of each later. Deliveries no longer wanted are dropped; may be empty.
 */
async function takeDigest(tx: Db, userId: number, now: Date): Promise<Delivery[]> {
  const rows = await readGathered(tx, userId, now);
  const settled = rows.map((row): Settled => {
    const refusal = skipReason(row) ?? { state: 'handed' as const, note: null };
    return { id: row.id, tries: row.tries, dueAt: null, ...refusal };
  });
  await settleDeliveries(tx, settled, now);
  return rows.filter((row) => skipReason(row) === null).map(toDelivery);
}

export { eventEnd } from './channel.ts';
export type { NotificationsContext } from './context.ts';
export { shortTitle } from './notice.ts';

export { createSettle } from './service/deliver.ts';
export { listDeliveries } from './service/log.ts';
export { checkPreferences, putPreferences } from './service/preferences.ts';
export { findReaders, readProgress } from './store/audience.ts';
export { dropPending } from './store/claim.ts';
export { readPreferences as findPreferences } from './store/preferences.ts';

export type Notifications = Runner & {
  ctx: NotificationsContext;
  latency: ReturnType<typeof createLatency>;
  settle: Settle;
  /** Users whose digest is due. */
  digestDue: (db: Db, now: Date) => Promise<number[]>;
  /** Takes a user's digest deliveries in the transaction that queues the email; empty when nothing is left to send. */
  takeDigest: (tx: Db, userId: number) => Promise<Delivery[]>;
};

/** Routes notifications to users and channels, and records the results. */
export function createNotifications(ctx: NotificationsContext): Notifications {
  const runner = createRunner(ctx);
  const inApp = measureInApp(ctx);
  return {
    ...runner,
    close: async () => void (await Promise.all([runner.close(), inApp.close()])),
    ctx,
    latency: createLatency(ctx),
    settle: createSettle(ctx.now),
    digestDue: peopleWithDigest,
    takeDigest: (tx, userId) => takeDigest(tx, userId, ctx.now()),
  };
}
