import { raiseAlerts } from '#features/alerts/server/alerts/raise.ts';
import type { Db } from '#kernel/db.ts';

import type { ThresholdsContext } from '../context.ts';
import { notifyRuleChange } from '../rule-changes.ts';
import { type Batch, draftOf } from './batch.ts';
import { type BatchName, claimBatch, pauseInStorm, stormsOf, writeStates } from './store.ts';

const STORM_FIRES = 15;
const STORM_MS = 3 * 60_000;

/** Another process judges these rules now. */
export class ShardLostError extends Error {}

/** Everything a batch of ticks has led to, in one transaction. Doing it again does nothing new. */
export async function writeBatch(ctx: ThresholdsContext, shard: number, name: BatchName, batch: Batch): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const claim = await claimBatch(tx, shard, name, [...batch.ticks.values()]);
    if (claim === 'lost') throw new ShardLostError(`Shard ${shard} was taken over by another process`);
    if (claim === 'written') return;
    const written = new Map((await writeStates(tx, [...batch.writes.values()])).map((rule) => [rule.id, rule]));
    const coinName = (id: string) => ctx.market.ctx.board.coin(id)?.name;
    const drafts = batch.fires.flatMap((fire) => {
      const rule = written.get(fire.id);
      return rule && batch.writes.get(fire.id)?.version === fire.version ? [draftOf(fire, rule, coinName)] : [];
    });
    await raiseAlerts(ctx, tx, drafts);
    const newest = Math.max(...drafts.map(({ evaluatedAt }) => evaluatedAt.getTime()));
    await calm(ctx, tx, [...new Set(drafts.flatMap(({ own }) => own?.userId ?? []))], newest);
  });
}

/**
 * Whose rules fire too often in a short time gets one alert more, and those rules are paused. The time ends with the newest fire:
 * that of writing may be later.
 */
async function calm(ctx: ThresholdsContext, tx: Db, users: readonly number[], newest: number): Promise<void> {
  if (users.length === 0) return;
  const now = ctx.now();
  for (const storm of await stormsOf(tx, users, STORM_FIRES, new Date(newest - STORM_MS))) {
    const paused = await pauseInStorm(tx, storm.rules);
    const [first] = paused;
    if (!first) continue;
    const [rules, them] =
      paused.length === 1 ? ['The rule that fired is', 'it'] : [`The ${paused.length} rules that fired are`, 'them'];
    await raiseAlerts(ctx, tx, [
      {
        once: `storm:${storm.user_id}:${storm.newest}`,
        own: { userId: storm.user_id, ruleId: first.id },
        type: 'RULES_PAUSED',
        severity: 'high',
        message: `Your rules raised at least ${STORM_FIRES} alerts within 3 minutes. ${rules} paused. Rearm ${them} under Custom Alerts`,
        metric: first.metric,
        value: null,
        detail: { rules: paused.map(({ id }) => id) },
        source: 'Meridian',
        method: ctx.mode === 'demo' ? 'demo' : 'computed',
        sourceAt: now,
        receivedAt: now,
        evaluatedAt: now,
      },
    ]);
    await notifyRuleChange(tx, storm.user_id);
  }
}
