import type { Db } from '#server/platform/db.ts';

import type { Delivery, Settle } from './channel.ts';
import type { NotificationsContext } from './context.ts';
import { takeDigest } from './service/digests.ts';
import { measureInApp } from './service/in-app.ts';
import { createLatency } from './service/log.ts';
import { createRunner, type Runner } from './service/run.ts';
import { settleWith } from './service/settle.ts';
import { peopleWithDigest } from './store/digests.ts';

export type { NotificationsContext } from './context.ts';
export { shortTitle } from './notice.ts';
export { type Announcement, announce, announced, withdraw } from './service/announce.ts';
export { listDeliveries } from './service/log.ts';
export { checkPreferences, putPreferences } from './service/preferences.ts';
export { settleWith } from './service/settle.ts';
export { progressOf, readersOf } from './store/audience.ts';
export { preferencesOf as findPreferences } from './store/preferences.ts';
export { dropWaiting } from './store/settle.ts';

export type Notifications = Runner & {
  ctx: NotificationsContext;
  latency: ReturnType<typeof createLatency>;
  settle: Settle;
  /** Whose digest is due. */
  digestDue: (db: Db, now: Date) => Promise<number[]>;
  /** Takes what was gathered for a person, in the transaction that posts the mail; empty when nothing is left to tell. */
  takeDigest: (tx: Db, userId: number) => Promise<Delivery[]>;
};

/** Who is told of what by which channel, and whether it arrived. */
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
