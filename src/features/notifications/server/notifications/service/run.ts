import { wait } from '#kernel/clock.ts';
import type { Listener } from '#kernel/listener.ts';
import { createThrottle, type Throttle } from '#kernel/throttle.ts';

import type { Channel, Line } from '../channel.ts';
import type { NotificationsContext } from '../context.ts';
import { nextDue, openPace } from '../store/claim.ts';
import { fanPersonal, fanShared } from '../store/fan.ts';
import { drain } from './deliver.ts';

/** Makes the deliveries of everything that waits, each shard in a transaction of its own; gives how many are new. */
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

/** As the trigger of the outbox calls it. */
const NEWS = 'notifications';
const POKE_MS = 50;
const GRACE_MS = 4_000;
const SETTLING_MS = 500;
/** After that the job of each minute has looked. */
const AHEAD_MS = 60_000;

export type Runner = {
  /** Makes deliveries of what waits and sends what is due; how many were claimed. */
  deliver: (signal?: AbortSignal) => Promise<number>;
  /** Delivers at every news, until closed. Only workers call it. */
  listen: (listener: Listener) => Promise<void>;
  close: () => Promise<void>;
};

/** One line of one channel. */
type Way = { channel: Channel; line: Line };

const waysOf = (channel: Channel): Way[] => [
  { channel, line: 'news' },
  ...(channel.announces ? [{ channel, line: 'announcements' as const }] : []),
];

/** Each channel goes at its own pace: a slow one holds up no other, and announcements hold up no news. */
export function createRunner(ctx: NotificationsContext): Runner {
  const { db, now, report } = ctx;
  const ways = ctx.channels.flatMap(waysOf);
  /** Nothing more is claimed. */
  const closing = new AbortController();
  /** What is under way is broken off. */
  const breaking = new AbortController();
  const running = new Set<Promise<unknown>>();
  const timers = new Map<Way, NodeJS.Timeout>();
  const opened = new Set<Channel>();

  async function track<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    return work.finally(() => running.delete(work));
  }

  async function sendDue({ channel, line }: Way, signal: AbortSignal): Promise<number> {
    if (channel.perSecond !== null && !opened.has(channel)) await openPace(db, channel.name, channel.perSecond, now());
    opened.add(channel);
    return drain(ctx, channel, { claiming: signal, sending: breaking.signal }, line);
  }

  const failed = (error: unknown) => {
    if (!closing.signal.aborted) report('notifications', 'system', 'Failed to deliver notifications', error);
  };

  /** What was put off, or exceeds the pace, has no news of its own. */
  async function planNext(way: Way, throttle: Throttle): Promise<void> {
    const { channel, line } = way;
    const next = await nextDue(db, channel.name, new Date(now().getTime() + AHEAD_MS), line);
    clearTimeout(timers.get(way));
    if (!next || closing.signal.aborted) return;
    const soonest = channel.perSecond === null ? POKE_MS : 1000 / Math.min(channel.perSecond, 4);
    const timer = setTimeout(throttle.poke, Math.max(soonest, next.getTime() - now().getTime()));
    timer.unref();
    timers.set(way, timer);
  }

  const senders = ways.map((way) => {
    const throttle: Throttle = createThrottle(
      POKE_MS,
      async () => {
        if (closing.signal.aborted) return;
        await track(sendDue(way, closing.signal));
        await track(planNext(way, throttle));
      },
      failed,
    );
    return throttle;
  });
  const fan = createThrottle(
    POKE_MS,
    async () => {
      if (closing.signal.aborted) return;
      await track(fanOut(ctx, closing.signal));
      for (const { poke } of senders) poke();
    },
    failed,
  );

  return {
    async deliver(signal) {
      if (closing.signal.aborted) return 0;
      const until = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      await track(fanOut(ctx, until));
      const counts = await track(Promise.all(ways.map((way) => sendDue(way, until))));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    listen: async (listener) => void (await listener.listen(NEWS, fan.poke, fan.poke)),
    async close() {
      closing.abort();
      for (const { stop } of [fan, ...senders]) stop();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.race([Promise.allSettled(running), wait(GRACE_MS)]);
      breaking.abort();
      // What was broken off is settled while the database is there.
      await Promise.race([Promise.allSettled(running), wait(SETTLING_MS)]);
    },
  };
}
