import { sql } from 'kysely';

import type { Topic, TopicData } from '#shared/contract.ts';

import type { Db } from '../db.ts';
import { errorMessage } from '../errors.ts';
import type { Listener } from '../listener.ts';
import { createHub, type Frame, type Hub, type HubOptions } from './hub.ts';

const CHANNEL = 'live';

export type Live = {
  hub: Hub;
  /** Stores the frame in the ring and wakes every process; subscribers of all processes get it in the same order. */
  publish: <T extends Topic>(topic: T, data: TopicData<T>) => Promise<void>;
  /** Like `publish`, as part of the caller's transaction. */
  publishIn: <T extends Topic>(tx: Db, topic: T, data: TopicData<T>) => Promise<void>;
  /** Each to the streams of one account, in one statement of the caller's transaction. */
  publishEach: <T extends Topic>(tx: Db, topic: T, frames: { userId: number; data: TopicData<T> }[]) => Promise<void>;
  /** To the streams of one account; part of the caller's transaction when `tx` is one. */
  publishTo: <T extends Topic>(tx: Db, userId: number, topic: T, data: TopicData<T>) => Promise<void>;
  /** Runs for each frame of the topic that reaches this process, from any process. */
  on: <T extends Topic>(topic: T, handler: (data: TopicData<T>) => void | Promise<void>) => () => void;
  /** Runs once per batch of frames, after `on` and before clients get them, because clients refetch when they do. */
  beforeBroadcast: (topic: Topic, handler: () => Promise<void>) => void;
  /** Runs after a frame of the topic was written to open streams of this process, with their number. */
  afterDelivery: <T extends Topic>(topic: T, handler: (data: TopicData<T>, streams: number) => void) => void;
  /** Runs when frames may have been lost: reload your state. */
  onGap: (handler: () => void | Promise<void>) => () => void;
  close: () => Promise<void>;
};

type Options = { db: Db; listener: Listener; validate: boolean; onError: (error: unknown) => void; hub?: HubOptions };

export async function openLive({ db, listener, validate, onError, hub: hubOptions }: Options): Promise<Live> {
  const hub = createHub(hubOptions);
  const handlers = new Map<string, Set<(data: never) => void | Promise<void>>>();
  const gapHandlers = new Set<() => void | Promise<void>>();
  const preparations = new Map<string, () => Promise<void>>();
  const deliveryHandlers = new Map<string, (data: never, streams: number) => void>();
  let lastId = 0;
  let queue = Promise.resolve();
  let closed = false;

  const safely = async (run: () => unknown) => {
    try {
      await run();
    } catch (error) {
      if (!closed) onError(error);
    }
  };

  async function handle(frame: Frame): Promise<void> {
    const interested = handlers.get(frame.topic);
    if (!interested) return;
    const data = JSON.parse(frame.body) as never;
    for (const handler of interested) await safely(() => handler(data));
  }

  /**
   * Ids are assigned under a lock held until commit, so id order is commit order and no frame appears behind the
   * cursor.
   */
  async function drain(): Promise<void> {
    const { rows } =
      await sql<Frame>`select id, topic, body, user_id as recipient from live_frames where id > ${lastId} order by id`.execute(
        db,
      );
    for (const frame of rows) {
      lastId = frame.id;
      await handle(frame);
    }
    for (const [topic, prepare] of preparations) if (rows.some((frame) => frame.topic === topic)) await safely(prepare);
    for (const frame of rows) {
      const streams = await hub.deliver(frame);
      const onDelivery = streams > 0 ? deliveryHandlers.get(frame.topic) : undefined;
      if (onDelivery) await safely(() => onDelivery(JSON.parse(frame.body) as never, streams));
    }
  }

  /** The oldest stored frame and the newest id ever assigned. A crash empties the table but not the sequence. */
  const readFrameBounds = () =>
    db.transaction().execute(async (tx) => {
      // While this lock is held, no transaction has an id that is not visible yet.
      await sql`select pg_advisory_xact_lock(7246002)`.execute(tx);
      const { rows } = await sql<{ oldest: number | null; given: number }>`
        select (select min(id) from live_frames) as oldest, last_value as given from live_frame_ids`.execute(tx);
      return rows[0] ?? { oldest: null, given: 0 };
    });

  const schedule = (work: () => Promise<void>) => {
    queue = queue.then(() => (closed ? undefined : safely(work)));
    return queue;
  };

  const recent =
    await sql<Frame>`select id, topic, body, user_id as recipient from live_frames order by id desc limit 60`.execute(
      db,
    );
  for (const frame of recent.rows.toReversed()) {
    await hub.deliver(frame);
    lastId = frame.id;
  }

  let subscribed = false;
  const subscription = await listener.listen(
    CHANNEL,
    () => void schedule(drain),
    () => {
      const again = subscribed;
      subscribed = true;
      void schedule(async () => {
        const { oldest, given: assigned } = await readFrameBounds();
        const lost = again && lastId > 0 && (oldest ?? assigned + 1) > lastId + 1;
        await drain();
        if (!again) return;
        for (const handler of gapHandlers) await safely(handler);
        if (!lost) return;
        lastId = Math.max(lastId, assigned);
        await hub.reset(lastId);
      });
    },
  );

  async function publishIn<T extends Topic>(tx: Db, topic: T, data: TopicData<T>): Promise<void> {
    if (validate) topic.data.parse(data);
    await sql`select publish_frame(${topic.name}, ${JSON.stringify(data)})`.execute(tx);
  }

  return {
    hub,
    publish: (topic, data) => publishIn(db, topic, data),
    publishIn,
    async publishEach(tx, topic, frames) {
      if (frames.length === 0) return;
      if (validate) for (const { data } of frames) topic.data.parse(data);
      const bodies = frames.map(({ data }) => JSON.stringify(data));
      const recipients = frames.map(({ userId }) => userId);
      await sql`select publish_frames_to(${topic.name}, ${bodies}::text[], ${recipients}::bigint[])`.execute(tx);
    },
    async publishTo(tx, userId, topic, data) {
      if (validate) topic.data.parse(data);
      await sql`select publish_frame_to(${topic.name}, ${JSON.stringify(data)}, ${userId})`.execute(tx);
    },
    on(topic, handler) {
      const set = handlers.get(topic.name) ?? new Set();
      handlers.set(topic.name, set.add(handler));
      return () => set.delete(handler);
    },
    beforeBroadcast: (topic, handler) => void preparations.set(topic.name, handler),
    afterDelivery: (topic, handler) => void deliveryHandlers.set(topic.name, handler),
    onGap(handler) {
      gapHandlers.add(handler);
      return () => gapHandlers.delete(handler);
    },
    async close() {
      closed = true;
      hub.close();
      await subscription.close().catch((error: unknown) => onError(new Error(errorMessage(error))));
      await queue;
    },
  };
}
