import type { MetricsContext } from '../context.ts';
import { observationsBetween } from '../store.ts';
import type { StoredObservation } from '../types.ts';
import { METRIC_OF } from './close-tally.ts';

export type StoredCloses = { longs: StoredObservation[]; shorts: StoredObservation[] };

/** Hourly sums of forced closes, every venue's, of hours that began at `from` or later. */
export async function storedCloses(ctx: MetricsContext, from: number): Promise<StoredCloses> {
  const read = (metric: string) => observationsBetween(ctx.db, metric, new Date(from - 1), ctx.now());
  const [longs, shorts] = await Promise.all([read(METRIC_OF.long), read(METRIC_OF.short)]);
  return { longs, shorts };
}
