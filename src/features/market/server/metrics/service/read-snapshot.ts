import type { MetricsContext } from '../context.ts';
import { createSnapshot, type Snapshot } from '../snapshot.ts';
import { observationsAt } from '../store.ts';

const DAY_MS = 86_400_000;
/** What nobody has said for so long is not shown any more, not even as stale. */
const LOOK_BACK_DAYS = 14;

/** Reads from the database everything that was known at `at`. */
export async function readSnapshot(ctx: MetricsContext, at: Date): Promise<Snapshot> {
  const dayBefore = new Date(at.getTime() - DAY_MS);
  const [now, before] = await Promise.all([
    observationsAt(ctx.db, at, new Date(at.getTime() - LOOK_BACK_DAYS * DAY_MS)),
    observationsAt(ctx.db, dayBefore, new Date(dayBefore.getTime() - 3 * DAY_MS)),
  ]);
  return createSnapshot({ at, mode: ctx.mode, now, before, nameOf: ctx.sources.nameOf });
}
