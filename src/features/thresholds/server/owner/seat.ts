import { openShard, type Shard, type ShardOptions } from './shard.ts';

/** One shard for as long as this process leads it: what is done with it is done one after the other. */
export type Seat = {
  open: () => Promise<void>;
  /** Notices may have been missed: everything is read anew, also what is being opened now. */
  reopen: () => Promise<void>;
  leave: () => Promise<void>;
  reread: (userId: number) => void;
  look: () => void;
  watching: () => string[];
};

export function createSeat(options: ShardOptions): Seat {
  let shard: Shard | null = null;
  let hasLeft = false;
  let last: Promise<void> = Promise.resolve();
  /** Whose rules were changed while the shard was being loaded. */
  const missed = new Set<number>();

  function inTurn(work: () => Promise<void>): Promise<void> {
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
    for (const userId of missed) opened.reread(userId);
  }

  return {
    open: () => inTurn(open),
    reopen: () => inTurn(() => close().then(open)),
    leave() {
      hasLeft = true;
      return inTurn(close);
    },
    reread(userId) {
      if (shard) shard.reread(userId);
      else missed.add(userId);
    },
    look: () => shard?.look(),
    watching: () => shard?.watching() ?? [],
  };
}
