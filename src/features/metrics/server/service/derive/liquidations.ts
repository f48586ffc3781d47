import type { MetricsContext } from '../../context.ts';
import { observationsBetween } from '../../store.ts';
import type { Observation } from '../../types.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** Liquidations of the last 24 h, summed over hourly sums per venue. A quiet hour is a stored zero, so a hole shows. */
export async function deriveLiquidations(ctx: MetricsContext): Promise<Observation[]> {
  const now = ctx.now();
  const from = new Date(now.getTime() - DAY_HOURS * HOUR_MS);
  const [longs, shorts] = await Promise.all([
    observationsBetween(ctx.db, 'venue.liquidations.long', from, now),
    observationsBetween(ctx.db, 'venue.liquidations.short', from, now),
  ]);
  const rows = [...longs, ...shorts];
  if (rows.length === 0) return [];
  const hours = new Set(rows.map((row) => row.observed_at)).size;
  const newest = rows.reduce((best, row) => (row.fetched_at > best ? row.fetched_at : best), '');
  const venues = [...new Set(rows.map(({ source }) => source))];
  const collectedHours = Math.min(DAY_HOURS, hours);
  const terms = `Forced closes seen on ${venues.length} venues; a lower bound of the whole market`;
  const total = (of: typeof rows) => of.reduce((sum, { value }) => sum + value, 0);
  const observation = (metric: string, value: number): Observation => ({
    metric,
    value,
    observedAt: new Date(newest),
    detail: { venues, terms, collectedHours },
  });
  return [
    observation('liquidations.long', total(longs)),
    observation('liquidations.short', total(shorts)),
    observation('liquidations.total', total(rows)),
  ];
}
