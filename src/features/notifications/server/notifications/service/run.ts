import { wait } from '#kernel/clock.ts';
import type { Listener } from '#kernel/listener.ts';
import { createThrottle, type Throttle } from '#kernel/throttle.ts';

import type { Channel, Queue } from '../channel.ts';
import type { NotificationsContext } from '../context.ts';
import { createRateLimit, nextDue } from '../store/claim.ts';
import { fanPersonal, fanShared } from '../store/fan-out.ts';
import { drain } from './deliver.ts';

/** Creates the deliveries of all pending notices, one transaction per shard; returns how many are new. */
export async function fanOut({ db, channels, now }: NotificationsContext, signal: AbortSignal): Promise<number> {
  let added = 0;
  for (const step of [fanPersonal, fanShared]) {
    while (!signal.aborted) {
      const more = await db.transaction().execute((tx) => step(tx, channels, now()));
      if (more === undefined) break;
      added += more;
    }
  }
  return added;
}

/** Channel name used by the outbox trigger. */
const OUTBOX_CHANNEL = 'notifications';
const TRIGGER_INTERVAL_MS = 50;
const GRACE_MS = 4_000;
const SETTLING_MS = 500;
/** Later deliveries are picked up by the job that runs every minute. */
const PLAN_AHEAD_MS = 60_000;

export type Runner = {
  /** Creates pending deliveries and sends those due; returns how many were claimed. */
  deliver: (signal?: AbortSignal) => Promise<number>;
  /** Delivers on every notification until closed. Only workers call it. */
  listen: (listener: Listener) => Promise<void>;
  close: () => Promise<void>;
};

/** One line of one channel. */
type Lane = { channel: Channel; line: Queue };

const channelLanes = (channel: Channel): Lane[] => [
  { channel, line: 'news' },
  ...(channel.carriesAnnouncements ? [{ channel, line: 'announcements' as const }] : []),
];

/** Each channel runs at its own pace: a slow one does not delay another, and announcements do not delay news. */
export function createRunner(ctx: NotificationsContext): Runner {
  const { db, now, report } = ctx;
  const lanes = ctx.channels.flatMap(channelLanes);
  /** Stops claiming. */
  const closing = new AbortController();
  /** Aborts work in progress. */
  const aborting = new AbortController();
  const running = new Set<Promise<unknown>>();
  const timers = new Map<Lane, NodeJS.Timeout>();
  const opened = new Set<Channel>();

  async function track<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    return work.finally(() => running.delete(work));
  }

  async function sendDue({ channel, line }: Lane, signal: AbortSignal): Promise<number> {
    if (channel.perSecond !== null && !opened.has(channel))
      await createRateLimit(db, channel.name, channel.perSecond, now());
    opened.add(channel);
    return drain(ctx, channel, { claiming: signal, sending: aborting.signal }, line);
  }

  const reportFailure = (error: unknown) => {
    if (!closing.signal.aborted) report('notifications', 'system', 'Failed to deliver notifications', error);
  };

  /** Deferred deliveries, and those over the rate limit, trigger no notification of their own. */
  async function planNext(way: Lane, throttle: Throttle): Promise<void> {
    const { channel, line } = way;
    const next = await nextDue(db, channel.name, new Date(now().getTime() + PLAN_AHEAD_MS), line);
    clearTimeout(timers.get(way));
    if (!next || closing.signal.aborted) return;
    const soonest = channel.perSecond === null ? TRIGGER_INTERVAL_MS : 1000 / Math.min(channel.perSecond, 4);
    const timer = setTimeout(throttle.trigger, Math.max(soonest, next.getTime() - now().getTime()));
    timer.unref();
    timers.set(way, timer);
  }

  const senders = lanes.map((way) => {
    const throttle: Throttle = createThrottle(
      TRIGGER_INTERVAL_MS,
      async () => {
        if (closing.signal.aborted) return;
        await track(sendDue(way, closing.signal));
        await track(planNext(way, throttle));
      },
      reportFailure,
    );
    return throttle;
  });
  const fanOutThrottle = createThrottle(
    TRIGGER_INTERVAL_MS,
    async () => {
      if (closing.signal.aborted) return;
      await track(fanOut(ctx, closing.signal));
      for (const { trigger } of senders) trigger();
    },
    reportFailure,
  );

  return {
    async deliver(signal) {
      if (closing.signal.aborted) return 0;
      const until = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      await track(fanOut(ctx, until));
      const counts = await track(Promise.all(lanes.map((way) => sendDue(way, until))));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    listen: async (listener) =>
      void (await listener.listen(OUTBOX_CHANNEL, fanOutThrottle.trigger, fanOutThrottle.trigger)),
    async close() {
      closing.abort();
      for (const { stop } of [fanOutThrottle, ...senders]) stop();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.race([Promise.allSettled(running), wait(GRACE_MS)]);
      aborting.abort();
      // Aborted deliveries are settled while the database is still connected.
      await Promise.race([Promise.allSettled(running), wait(SETTLING_MS)]);
    },
  };
}
