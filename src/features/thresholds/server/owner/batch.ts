import type { AlertDraft } from '#features/alerts/server/raise.ts';

import { compileRule } from '../engine/compile.ts';
import type { Change, Engine, RuleState, Stateful, Tick } from '../engine/types.ts';
import type { SourcedTick } from './feed.ts';
import { sentence } from './sentence.ts';
import type { ActiveRule, StateWrite, WrittenRule } from './store.ts';

/** A rule that fired: at which value, and what it saw. */
export type Fire = { id: number; version: number; tick: SourcedTick; seen: Tick[]; evaluatedAt: Date };

/** What some ticks have changed, to be written as one. */
export type Batch = { ticks: Map<string, Tick>; writes: Map<number, StateWrite>; fires: Fire[] };

export const emptyBatch = (): Batch => ({ ticks: new Map(), writes: new Map(), fires: [] });

export function collect(batch: Batch, engine: Engine, changes: readonly Change[], tick: SourcedTick, now: Date): void {
  for (const { id, version, state, fired, silenced } of changes) {
    const before = batch.writes.get(id);
    const isSame = before?.version === version;
    batch.writes.set(id, {
      id,
      version,
      state,
      fires: (isSame ? before.fires : 0) + (fired ? 1 : 0),
      silenced: (isSame ? before.silenced : 0) + (silenced ? 1 : 0),
    });
    if (fired) batch.fires.push({ id, version, tick, seen: engine.seen(id), evaluatedAt: now });
  }
}

const stateOf = (row: ActiveRule): RuleState => ({
  first: row.first_on,
  second: row.second_on,
  pendingSince: row.pending_since,
  lastFiredAt: row.last_fired_at,
  done: false,
});

/** A rule with its state, and when it was saved, ms since epoch. */
export type Saved = Stateful & { savedAt: number };

export const savedOf = (row: ActiveRule): Saved => ({
  rule: compileRule({ ...row, userId: row.user_id }),
  state: stateOf(row),
  savedAt: row.updated_at,
});

/** The alert of a fire. Rules of people are of medium severity: what matters to them is theirs to say. */
export function draftOf(
  { id, version, tick, seen, evaluatedAt }: Fire,
  rule: WrittenRule,
  coinName: (id: string) => string | undefined,
): AlertDraft {
  return {
    once: `rule:${id}.${version}:${tick.at}`,
    own: { userId: rule.user_id, ruleId: id },
    type: 'CUSTOM_THRESHOLD',
    severity: 'medium',
    message: sentence(rule, seen, coinName),
    metric: rule.metric,
    value: seen[0]?.value ?? tick.value,
    detail: { rule: rule.name, seen },
    source: tick.source,
    method: tick.method,
    sourceAt: new Date(tick.at),
    receivedAt: new Date(tick.knownAt),
    evaluatedAt,
  };
}
