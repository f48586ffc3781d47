import { sql } from 'kysely';

import type { RaisedAlert } from '#features/alerts/contract/alerts.ts';

import type { TestProduct } from './start.ts';

const DAY_MS = 86_400_000;

type ObservationOptions = { source: string; detail?: Record<string, unknown>; daysAgo?: number };

/** Stores an observation of a metric by a source, now or days ago. */
export async function storeObservation(
  s: TestProduct,
  metric: string,
  value: number,
  { source, detail, daysAgo = 0 }: ObservationOptions,
) {
  const at = new Date(s.clock.now().getTime() - daysAgo * DAY_MS).toISOString();
  await s.product.alerts.ctx.db
    .insertInto('metric_observations')
    .values({
      metric,
      source,
      value,
      observed_at: at,
      fetched_at: at,
      method: 'measured',
      detail: detail ? JSON.stringify(detail) : null,
    })
    .onConflict((oc) => oc.columns(['metric', 'source', 'observed_at']).doUpdateSet({ value }))
    .execute();
}

/** One value per day, for the days before today. */
export async function storeDailyObservations(
  s: TestProduct,
  metric: string,
  days: number,
  valueOf: (daysAgo: number) => number,
  more: ObservationOptions,
): Promise<void> {
  for (let daysAgo = days; daysAgo > 0; daysAgo -= 1)
    await storeObservation(s, metric, valueOf(daysAgo), { ...more, daysAgo });
}

/** The latest quote of a coin, as from a price list. */
export async function setQuote(s: TestProduct, coinId: string, change: number): Promise<void> {
  const at = s.clock.now().toISOString();
  await sql`update coin_quotes set change_24h = ${change}, observed_at = ${at}, fetched_at = ${at}
    where coin_id = ${coinId}`.execute(s.product.alerts.ctx.db);
}

/** Reads the stored data and evaluates once. */
export async function evaluateAlerts(s: TestProduct): Promise<RaisedAlert[]> {
  await s.product.refresh();
  return s.product.alerts.judge();
}
