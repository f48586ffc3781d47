import type { RaisedAlert } from '#features/alerts/contract.ts';

import { type Fence, unfenced } from '#server/platform/leader.ts';
import type { AlertsContext } from '../context.ts';
import { type Crossing, type Gate, pass } from '../gate.ts';
import { levelsOf } from '../levels.ts';
import { type AlertDraft, raiseAlerts } from '../raise.ts';
import type { Reading } from '../reading.ts';
import type { Judged } from '../rules/rule.ts';
import { judgeAll } from '../rules.ts';
import { findGates, lockGates, saveGates } from '../store.ts';

export type Verdict = { gates: Map<string, Gate & { value: number | null }>; drafts: AlertDraft[] };

function draftOf(judged: Judged, crossing: Crossing, at: Date): AlertDraft {
  const { type, severity } = levelsOf(judged.levels);
  const { gate, metric, value, strength, birth, event } = judged;
  const { source, method, sourceAt, receivedAt } = birth;
  return {
    once: `gate:${gate}:${crossing.step}:${at.getTime()}`,
    own: null,
    type,
    severity: severity[crossing.index] ?? 'low',
    message: judged.message(crossing),
    metric,
    value,
    ...(event ? { event } : {}),
    detail: { gate, step: crossing.step, level: crossing.level, strength },
    source,
    method,
    sourceAt,
    receivedAt,
    evaluatedAt: at,
  };
}

/** What a moment does to the gates as they stand. */
export function verdictOf(reading: Reading, stood: ReadonlyMap<string, Gate>, judged = judgeAll(reading)): Verdict {
  const gates: Verdict['gates'] = new Map();
  const drafts: AlertDraft[] = [];
  for (const each of judged) {
    const passed = pass(stood.get(each.gate), levelsOf(each.levels), each.strength, reading.at);
    if (!passed) continue;
    gates.set(each.gate, { ...passed.next, value: each.value });
    if (passed.crossing) drafts.push(draftOf(each, passed.crossing, reading.at));
  }
  return { gates, drafts };
}

type Deps = Pick<AlertsContext, 'db' | 'live' | 'now'> & { fence?: Fence };

/**
 * Holds a moment against the gates. What changes is written in one transaction with the alerts, their outbox rows and frames, on the gates
 * as they stand in it: of two processes the second finds nothing left to tell.
 */
export async function judge({ db, live, now, fence = unfenced }: Deps, reading: Reading): Promise<RaisedAlert[]> {
  const judged = judgeAll(reading);
  const names = judged.map(({ gate }) => gate);
  if (verdictOf(reading, await findGates(db, names), judged).gates.size === 0) return [];
  return db.transaction().execute(async (tx) => {
    await fence(tx);
    await lockGates(tx);
    const { gates, drafts } = verdictOf(reading, await findGates(tx, names), judged);
    await saveGates(tx, gates, reading.at);
    return raiseAlerts({ live, now }, tx, drafts);
  });
}
