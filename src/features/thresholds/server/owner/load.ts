import type { ThresholdsContext } from '../context.ts';
import { compileShape } from '../engine/compile.ts';
import type { Engine } from '../engine/types.ts';
import type { Saved } from './batch.ts';
import { type Feed, RECENT_MS, type SourcedTick } from './feed.ts';
import { idsOf, readPacks, rulesOf } from './packs.ts';

type Deps = {
  ctx: ThresholdsContext;
  feed: Feed;
  engine: Engine;
  isOurs: (metric: string) => boolean;
  /** What cannot be read is reported for these rules and left out. */
  readable: <T>(ids: () => number[], read: () => T) => T[];
};

/**
 * Loads the rules that were there before the first of the recent prices, which are given in their order with the rules that were
 * saved later.
 */
export async function loadRules({ ctx, feed, engine, isOurs, readable }: Deps): Promise<{
  recent: SourcedTick[];
  late: Saved[];
}> {
  const surely = ctx.now().getTime() - RECENT_MS;
  const watched = new Set<string>();
  const newer: Saved[] = [];
  const { take, done } = engine.load();
  for await (const packs of readPacks(ctx.db, isOurs))
    for (const pack of packs) {
      const [shape] = readable(
        () => idsOf(pack),
        () => compileShape(pack),
      );
      if (!shape) continue;
      for (const series of shape.series) watched.add(series);
      for (const saved of rulesOf(pack, shape)) {
        if (saved.savedAt < surely) take(saved);
        else newer.push(saved);
      }
    }
  await feed.prepare([...watched]);
  const recent = (await feed.recent([...watched])).toSorted((a, b) => a.at - b.at);
  const since = recent[0]?.at ?? Infinity;
  for (const saved of newer) if (saved.savedAt < since) take(saved);
  done();
  return {
    recent,
    late: newer.filter(({ savedAt }) => savedAt >= since).toSorted((a, b) => a.savedAt - b.savedAt),
  };
}
