import { wait } from '#kernel/clock.ts';
import { createCounter, createGauge } from '#kernel/route-figures.ts';

import type { ThresholdsContext } from '../context.ts';
import { compileShape } from '../engine/compile.ts';
import { createEngine } from '../engine/engine.ts';
import type { Engine } from '../engine/types.ts';
import type { ComparedRange } from '../service/view.ts';
import { type Batch, collect, emptyBatch, type Saved, toSavedRule } from './batch.ts';
import { type Feed, RECENT_MS, type SourcedTick } from './feed.ts';
import { listActiveRules, readLastTicks, takeShard } from './store.ts';
import { readIds, readPacks, ShardLostError, unpackRules, writeBatch } from './write.ts';

type Deps = {
  ctx: ThresholdsContext;
  feed: Feed;
  engine: Engine;
  isOwnMetric: (metric: string) => boolean;
  /** Reports and skips unreadable data of these rules. */
  readable: <T>(ids: () => number[], read: () => T) => T[];
};

/**
 * Loads rules saved before the first of the recent prices; those prices are returned in order, with the rules saved
 * later.
 */
async function loadRules({ ctx, feed, engine, isOwnMetric, readable: skipUnreadable }: Deps): Promise<{
  recent: SourcedTick[];
  late: Saved[];
}> {
  const safeBefore = ctx.now().getTime() - RECENT_MS;
  const watched = new Set<string>();
  const newer: Saved[] = [];
  const { take, done } = engine.load();
  for await (const packs of readPacks(ctx.db, isOwnMetric))
    for (const pack of packs) {
      const [shape] = skipUnreadable(
        () => readIds(pack),
        () => compileShape(pack),
      );
      if (!shape) continue;
      for (const series of shape.series) watched.add(series);
      for (const saved of unpackRules(pack, shape)) {
        if (saved.savedAt < safeBefore) take(saved);
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

const RETRY_MS = [100, 250, 500, 1000, 2000, 5000];
/** Ticks queued while nothing can be written; beyond this only the newest of each series is retained. */
const MAX_QUEUED = 50_000;

const rulesGauge = createGauge('meridian_rules_held', 'Custom alert rules evaluated by this process, by shard.', [
  'shard',
]);
const valuesCounter = createCounter(
  'meridian_rule_values_judged_total',
  'Values evaluated against custom alert rules.',
);

export type Shard = {
  /** There may be updates: takes the current value of every watched series. */
  checkValues: () => void;
  /** Series watched by its rules. */
  watching: () => string[];
  /** The rules of this user have changed. */
  reloadUser: (userId: number) => void;
  /** Resolves once nothing is left to evaluate or write. */
  settled: () => Promise<void>;
  /** Resolves when the current write has ended. */
  stop: () => Promise<void>;
};

export type ShardOptions = {
  ctx: ThresholdsContext;
  feed: Feed;
  shard: number;
  /** Whether rules on a metric belong to this shard. */
  isOwnMetric: (metric: string) => boolean;
  owner: string;
  /** Called once when the shard was lost or failed. */
  onEnd: (error: unknown) => void;
};

/**
 * Takes a shard, loads its rules and evaluates incoming values batch by batch: each waits until the previous one is
 * written.
 */
export async function openShard({ ctx, feed, shard, isOwnMetric, owner, onEnd }: ShardOptions): Promise<Shard> {
  const epoch = await takeShard(ctx.db, shard, owner, ctx.now());
  const engine = createEngine();
  const stopping = new AbortController();
  const edited = new Set<number>();
  let queue: SourcedTick[] = [];
  /** The last queued value of each series. */
  const queued = new Map<string, SourcedTick>();
  const ranges = new Map<string, ComparedRange>();
  const unreadable = new Set<number>();
  let wake: () => void = () => undefined;
  let isIdle = false;
  const idle: (() => void)[] = [];

  for (const tick of await readLastTicks(ctx.db, shard)) engine.recall(tick);
  const { recent, late: lateRules } = await loadRules({ ctx, feed, engine, isOwnMetric, readable: skipUnreadable });

  /** An invalid rule does not prevent others from being evaluated. */
  function skipUnreadable<T>(ids: () => number[], read: () => T): T[] {
    try {
      return [read()];
    } catch (error) {
      for (const id of ids()) {
        if (!unreadable.has(id)) ctx.report('server', 'system', `Rule ${id} cannot be evaluated`, error);
        unreadable.add(id);
      }
      return [];
    }
  }

  /** Ignore ticks older than the rule. */
  function evaluateRecent(): Batch {
    const batch = emptyBatch();
    let next = 0;
    const addLateRules = (until: number) => {
      for (let rule = lateRules[next]; rule && rule.savedAt < until; rule = lateRules[++next])
        engine.add(rule.rule, rule.state, false);
    };
    for (const tick of recent) {
      addLateRules(tick.at);
      evaluate(tick, batch);
    }
    addLateRules(Infinity);
    return batch;
  }

  function enqueue(series: readonly string[]): void {
    for (const name of series) {
      const tick = feed.current(name);
      const last = queued.get(name);
      if (!tick || (last && last.at === tick.at && last.value === tick.value)) continue;
      queued.set(name, tick);
      queue.push(tick);
    }
    if (queue.length > MAX_QUEUED) queue = [...new Map(queue.map((tick) => [tick.series, tick])).values()];
    wake();
  }
  const checkValues = () => enqueue(engine.watching());

  function addRule({ rule, state }: Saved, batch: Batch): void {
    const present = rule.legs.map(({ series }) => feed.current(series));
    for (const tick of present) if (tick) evaluate(tick, batch);
    const newest = present.reduce((a, b) => (a && b ? (a.at > b.at ? a : b) : null));
    const change = engine.add(rule, state, newest !== null);
    if (change && newest) collect(batch, { engine, ranges, now: ctx.now() }, [change], newest);
  }

  function evaluate(tick: SourcedTick, batch: Batch): void {
    queued.set(tick.series, tick);
    if (tick.range) ranges.set(tick.series, tick.range);
    const changes = engine.tick(tick);
    if (changes.length > 0) collect(batch, { engine, ranges, now: ctx.now() }, changes, tick);
    if (engine.value(tick.series)?.at === tick.at) batch.ticks.set(tick.series, tick);
  }

  function evaluateQueued(batch: Batch): void {
    valuesCounter.inc(queue.length);
    for (const tick of queue.splice(0)) evaluate(tick, batch);
    rulesGauge.set({ shard }, engine.size());
  }

  async function applyEdits(batch: Batch): Promise<void> {
    const users = [...edited];
    edited.clear();
    const rows = await retryUntilLost(async () => {
      const found = (await listActiveRules(ctx.db, users)).flatMap((row) =>
        isOwnMetric(row.metric)
          ? skipUnreadable(
              () => [row.id],
              () => toSavedRule(row),
            )
          : [],
      );
      await feed.prepare(found.flatMap(({ rule }) => rule.legs.map(({ series }) => series)));
      return found;
    });
    // Values from before the rows were read are evaluated first: current values would make them outdated.
    evaluateQueued(batch);
    const left = new Set(rows.map(({ rule }) => rule.id));
    for (const id of engine.rulesOf(new Set(users))) if (!left.has(id)) engine.remove(id);
    for (const row of rows) if (engine.version(row.rule.id) !== row.rule.version) addRule(row, batch);
  }

  /** Retries until it succeeds or the shard is lost. */
  async function retryUntilLost<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        stopping.signal.throwIfAborted();
        return await work();
      } catch (error) {
        if (error instanceof ShardLostError || stopping.signal.aborted) throw error;
        ctx.log.warn({ error: String(error), shard }, 'database unavailable, retrying alerts');
        if (attempt === RETRY_MS.length) ctx.report('server', 'system', `Shard ${shard} cannot save its alerts`, error);
        await wait(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 5000, stopping.signal);
      }
    }
  }

  async function nextBatch(): Promise<Batch> {
    // A stop during the previous write would not wake this wait.
    if (queue.length === 0 && edited.size === 0 && !stopping.signal.aborted) {
      isIdle = true;
      for (const resolve of idle.splice(0)) resolve();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      isIdle = false;
    }
    const batch = emptyBatch();
    if (edited.size > 0) await applyEdits(batch);
    evaluateQueued(batch);
    return batch;
  }

  async function evaluateBatches(): Promise<void> {
    let number = 0;
    for (let batch = recentBatch; !stopping.signal.aborted; batch = await nextBatch()) {
      // States change only at levels: a value that reaches none need not be stored.
      if (batch.writes.size === 0) continue;
      const name = { epoch, number: ++number };
      await retryUntilLost(() => writeBatch(ctx, shard, name, batch));
      for (const { id, version, state } of batch.writes.values())
        if (state.done && engine.version(id) === version) engine.remove(id);
    }
  }

  const recentBatch = evaluateRecent();
  checkValues();
  const running = evaluateBatches().catch((error: unknown) => {
    if (!stopping.signal.aborted) onEnd(error);
  });

  return {
    checkValues,
    watching: engine.watching,
    reloadUser(userId) {
      edited.add(userId);
      wake();
    },
    settled: async () => {
      if (!isIdle || queue.length > 0 || edited.size > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
    async stop() {
      stopping.abort();
      wake();
      await running;
      rulesGauge.remove({ shard });
    },
  };
}
