import { alertsTopic, type Severity } from '#features/alerts/contract/alerts.ts';
import type { Db } from '#kernel/db.ts';
import { createThrottle } from '#kernel/throttle.ts';
import type { Delivery, Notice, Settle } from './channel.ts';
import type { NotificationsContext } from './context.ts';
import { shortTitle } from './notice.ts';
import { refusalOf, settleWith, toDelivery } from './service/deliver.ts';
import { createLatency } from './service/log.ts';
import { createRunner, type Runner } from './service/run.ts';
import { addAnnouncement, standingAnnouncements, withdrawAnnouncements } from './store/announce.ts';
import { gatheredOf, peopleWithDigest, type Settled, settleDeliveries } from './store/claim.ts';
import { addHandings } from './store/log.ts';

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

const WRITE_MS = 1_000;
/** An alert that is older than a day was written for the past, as that of the demo: it is no news, and its way is not measured. */
const NEWS_MS = 86_400_000;

type InApp = { close: () => Promise<void> };

/** Measures how long alerts take to the open pages of this process: until the frame was written to all of their streams. */
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

  live.afterHanded(alertsTopic, ({ alerts }, streams) => {
    const at = now().getTime();
    for (const { receipt } of alerts) {
      const ms = Math.max(0, at - Date.parse(receipt.queuedAt));
      if (ms > NEWS_MS) continue;
      streamsAfterMs.set(ms, (streamsAfterMs.get(ms) ?? 0) + streams);
    }
    writing.poke();
  });

  return {
    async close() {
      await writing.flush();
      writing.stop();
    },
  };
}

/**
 * What was gathered for a person and is due now, oldest first. It is `handed` with the caller's transaction, which posts the mail; `settle`
 * says later what became of each. What is no longer wished for is dropped; may be empty.
 */
async function takeDigest(tx: Db, userId: number, now: Date): Promise<Delivery[]> {
  const rows = await gatheredOf(tx, userId, now);
  const settled = rows.map((row): Settled => {
    const refusal = refusalOf(row) ?? { state: 'handed' as const, note: null };
    return { id: row.id, tries: row.tries, dueAt: null, ...refusal };
  });
  await settleDeliveries(tx, settled, now);
  return rows.filter((row) => refusalOf(row) === null).map(toDelivery);
}

export { eventEnd } from './channel.ts';
export type { NotificationsContext } from './context.ts';
export { shortTitle } from './notice.ts';

export { settleWith } from './service/deliver.ts';
export { listDeliveries } from './service/log.ts';
export { checkPreferences, putPreferences } from './service/preferences.ts';
export { progressOf, readersOf } from './store/audience.ts';
export { dropWaiting } from './store/claim.ts';
export { preferencesOf as findPreferences } from './store/preferences.ts';

export type Notifications = Runner & {
  ctx: NotificationsContext;
  latency: ReturnType<typeof createLatency>;
  settle: Settle;
  /** Whose digest is due. */
  digestDue: (db: Db, now: Date) => Promise<number[]>;
  /** Takes what was gathered for a person, in the transaction that posts the mail; empty when nothing is left to tell. */
  takeDigest: (tx: Db, userId: number) => Promise<Delivery[]>;
};

/** Who receives what by which channel, and the results. */
export function createNotifications(ctx: NotificationsContext): Notifications {
  const runner = createRunner(ctx);
  const inApp = measureInApp(ctx);
  return {
    ...runner,
    close: async () => void (await Promise.all([runner.close(), inApp.close()])),
    ctx,
    latency: createLatency(ctx),
    settle: settleWith(ctx.now),
    digestDue: peopleWithDigest,
    takeDigest: (tx, userId) => takeDigest(tx, userId, ctx.now()),
  };
}
