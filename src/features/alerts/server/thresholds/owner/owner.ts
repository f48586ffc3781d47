import { createHash } from 'node:crypto';
import { runForLeader } from '#kernel/leader.ts';

import type { ThresholdsContext } from '../context.ts';
import { RULES_CHANNEL } from '../watching.ts';
import type { Feed } from './feed.ts';
import { openShard, type Shard, type ShardOptions } from './shard.ts';

/** A shard while this process leads it: operations on it are serialised. */
type ShardHolder = {
  open: () => Promise<void>;
  /** Notifications may have been missed: everything is reread, including shards being opened. */
  reopen: () => Promise<void>;
  leave: () => Promise<void>;
  reread: (userId: number) => void;
  look: () => void;
  watching: () => string[];
  settled: () => Promise<void>;
};

function createShardHolder(options: ShardOptions): ShardHolder {
  let shard: Shard | null = null;
  let hasLeft = false;
  let last: Promise<void> = Promise.resolve();
  /** Users whose rules changed while the shard was loading. */
  const missed = new Set<number>();

  function serialize(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }
  async function close(): Promise<void> {
    const open = shard;
    shard = null;
    await open?.stop();
  }
  async function open(): Promise<void> {
    if (hasLeft) return;
    missed.clear();
    const opened = await openShard(options);
    shard = opened;
    for (const userId of missed) opened.reloadUser(userId);
  }

  return {
    open: () => serialize(open),
    reopen: () => serialize(() => close().then(open)),
    leave() {
      hasLeft = true;
      return serialize(close);
    },
    reread(userId) {
      if (shard) shard.reloadUser(userId);
      else missed.add(userId);
    },
    look: () => shard?.checkValues(),
    watching: () => shard?.watching() ?? [],
    settled: () => last.then(() => shard?.settled()),
  };
}

/** Plus the shard number. */
const FIRST_LOCK = 7_246_100;

export const shardForMetric = (metric: string, shards: number): number =>
  createHash('sha256').update(metric).digest().readUInt32BE(0) % shards;

export type Owner = {
  /** Resolves once its shards are open and nothing is left to evaluate or write. */
  settled: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Competes for every shard of the rules, and evaluates those it gets. */
export async function createOwner(ctx: ThresholdsContext, feed: Feed): Promise<Owner> {
  const { ALERT_SHARDS: shards, ROLE: role } = ctx.config;
  const seats = new Map<number, ShardHolder>();
  const failed = (what: string) => (error: unknown) => ctx.report('server', 'system', `${what} failed`, error);
  const each = (tell: (seat: ShardHolder) => void) => {
    for (const seat of seats.values()) tell(seat);
  };

  function holdShard(shard: number, stepDown: () => void): ShardHolder {
    const seat = createShardHolder({
      ctx,
      feed,
      shard,
      isOwnMetric: (metric) => shardForMetric(metric, shards) === shard,
      owner: `${role} ${process.pid}`,
      onEnd(error) {
        failed(`Failed to evaluate the rules of shard ${shard}`)(error);
        stepDown();
      },
    });
    const reopen = () =>
      seat.reopen().catch((error: unknown) => {
        failed(`Failed to reload the rules of shard ${shard}`)(error);
        stepDown();
      });
    return { ...seat, reopen };
  }

  const look = () => each((seat) => seat.look());
  let prepared: Promise<void> = Promise.resolve();
  const prepareAndCheck = () => {
    const series = [...seats.values()].flatMap((seat) => seat.watching());
    prepared = feed.prepare(series).then(look, failed('Failed to read the history of watched metrics'));
  };
  ctx.market.onChange(look);
  ctx.metrics.onChange(prepareAndCheck);
  ctx.analysis.onChange(look);
  let isAgain = false;
  const subscription = await ctx.listener.listen(
    RULES_CHANNEL,
    (userId) => {
      each((seat) => seat.reread(Number(userId)));
    },
    () => {
      if (isAgain) each((seat) => void seat.reopen());
      isAgain = true;
    },
  );

  const campaigns = Array.from({ length: shards }, (_, shard) =>
    runForLeader(ctx.direct, FIRST_LOCK + shard, {
      duty: `rules ${shard}`,
      async lead({ stepDown }) {
        const seat = holdShard(shard, stepDown);
        const leave = () => {
          seats.delete(shard);
          return seat.leave();
        };
        seats.set(shard, seat);
        try {
          await seat.open();
        } catch (error) {
          await leave();
          throw error;
        }
        return leave;
      },
      error: failed(`Failed to take over shard ${shard}`),
      log: ctx.log,
    }),
  );

  return {
    async settled() {
      await prepared;
      await Promise.all([...seats.values()].map((seat) => seat.settled()));
    },
    async stop() {
      await subscription.close();
      await Promise.all(campaigns.map(({ stop }) => stop()));
    },
  };
}
