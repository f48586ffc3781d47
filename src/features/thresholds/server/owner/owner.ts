import { createHash } from 'node:crypto';

import { campaign } from '#server/platform/leader.ts';

import type { ThresholdsContext } from '../context.ts';
import { RULES_CHANNEL } from '../news.ts';
import type { Feed } from './feed.ts';
import { createSeat, type Seat } from './seat.ts';

/** And the shard's number. */
const FIRST_LOCK = 7_246_100;

export const shardOf = (metric: string, shards: number): number =>
  createHash('sha256').update(metric).digest().readUInt32BE(0) % shards;

/** Seeks every shard of the rules, and judges those it gets. */
export async function createOwner(ctx: ThresholdsContext, feed: Feed): Promise<{ stop: () => Promise<void> }> {
  const { ALERT_SHARDS: shards, ROLE: role } = ctx.config;
  const seats = new Map<number, Seat>();
  const failed = (what: string) => (error: unknown) => ctx.report('server', 'system', `${what} failed`, error);
  const each = (tell: (seat: Seat) => void) => {
    for (const seat of seats.values()) tell(seat);
  };

  function seatOf(shard: number, stepDown: () => void): Seat {
    const seat = createSeat({
      ctx,
      feed,
      shard,
      isOurs: (metric) => shardOf(metric, shards) === shard,
      owner: `${role} ${process.pid}`,
      onEnd(error) {
        failed(`Judging the rules of shard ${shard}`)(error);
        stepDown();
      },
    });
    const reopen = () =>
      seat.reopen().catch((error: unknown) => {
        failed(`Reading the rules of shard ${shard} again`)(error);
        stepDown();
      });
    return { ...seat, reopen };
  }

  const look = () => each((seat) => seat.look());
  const prepareAndLook = () => {
    const series = [...seats.values()].flatMap((seat) => seat.watching());
    feed.prepare(series).then(look, failed('Reading the past of what alerts watch'));
  };
  ctx.market.onChange(look);
  ctx.metrics.onChange(prepareAndLook);
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
    campaign(ctx.direct, FIRST_LOCK + shard, {
      duty: `rules ${shard}`,
      async lead({ stepDown }) {
        const seat = seatOf(shard, stepDown);
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
      error: failed(`Taking shard ${shard}`),
    }),
  );

  return {
    async stop() {
      await subscription.close();
      await Promise.all(campaigns.map(({ stop }) => stop()));
    },
  };
}
