import type { MetricsContext } from '../context.ts';
import { findRule } from '../metrics.ts';
import { createSnapshot, type Snapshot } from '../snapshot.ts';
import { observationsAt } from '../store.ts';
import type { StoredObservation } from '../types.ts';

const DAY_MS = 86_400_000;
/** Older values are not shown, not even as stale, unless a metric stays current for longer. */
const LOOK_BACK_MS = 14 * DAY_MS;
const LONGEST_MS = 75 * DAY_MS;

const isKnown = ({ metric, observed_at }: StoredObservation, at: Date): boolean =>
  at.getTime() - Date.parse(observed_at) < Math.max(LOOK_BACK_MS, findRule(metric).freshMs);

/** Reads everything known at `at` from the database. */
export async function readSnapshot(ctx: MetricsContext, at: Date): Promise<Snapshot> {
  const dayBefore = new Date(at.getTime() - DAY_MS);
  const [now, before] = await Promise.all([
    observationsAt(ctx.db, at, new Date(at.getTime() - LONGEST_MS)),
    observationsAt(ctx.db, dayBefore, new Date(dayBefore.getTime() - 3 * DAY_MS)),
  ]);
  const known = now.filter((row) => isKnown(row, at));
  return createSnapshot({ at, mode: ctx.mode, now: known, before, nameOf: ctx.sources.nameOf });
}
