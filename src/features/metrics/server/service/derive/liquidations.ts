import type { MetricsContext } from '#features/metrics/server/context.ts';
import { FUTURES_ASSETS } from '#features/metrics/server/futures.ts';
import type { Observation, StoredObservation } from '#features/metrics/server/types.ts';
import { HOUR_MS, hourOf, minutesIn, throughOf } from '../close-tally.ts';
import { storedCloses } from '../stored-closes.ts';

const DAY_HOURS = 24;

/** Liquidations of the last 24 h, summed over hourly sums per venue; the hour that is leaving counts in part. */
export async function deriveLiquidations(ctx: MetricsContext): Promise<Observation[]> {
  const now = ctx.now();
  const from = now.getTime() - DAY_HOURS * HOUR_MS;
  const first = hourOf(from);
  const { longs, shorts } = await storedCloses(ctx, first);
  const rows = [...longs, ...shorts];
  if (rows.length === 0) return [];
  const partOf = ({ observed_at }: StoredObservation) =>
    Date.parse(observed_at) === first ? 1 - (from - first) / HOUR_MS : 1;
  const total = (of: StoredObservation[]) => of.reduce((sum, row) => sum + row.value * partOf(row), 0);
  const venues = [...new Set(rows.map(({ source }) => source))];
  const hoursOf = (source: string) =>
    longs.filter((row) => row.source === source).reduce((sum, row) => sum + (minutesIn(row) / 60) * partOf(row), 0);
  const hours = new Map(venues.map((source) => [source, Math.min(DAY_HOURS, Number(hoursOf(source).toFixed(1)))]));
  const newest = Math.max(...rows.map((row) => Date.parse(throughOf(row))));
  const heard = [...hours].map(([source, count]) => `${ctx.sources.nameOf(source)} ${count} h`).join(', ');
  const assets = FUTURES_ASSETS.map((asset) => asset.toUpperCase()).join(', ');
  const detail = {
    venues,
    terms: `Forced closes of ${assets}: ${heard}; a lower bound of the whole market`,
    collectedHours: Math.min(...hours.values()),
  };
  const observation = (metric: string, value: number): Observation => ({
    metric,
    value,
    observedAt: new Date(Math.min(newest, now.getTime())),
    detail,
  });
  return [
    observation('liquidations.long', total(longs)),
    observation('liquidations.short', total(shorts)),
    observation('liquidations.total', total(rows)),
  ];
}
