import { sql } from 'kysely';
import type { ParsedThreshold } from '#features/alerts/contract/thresholds.ts';
import { previewRule } from '#features/alerts/server/thresholds/preview/preview.ts';
import { createHistories } from '#features/alerts/server/thresholds/preview/series-history.ts';
import { CANDLES_1H } from '#features/market/server/market/schema.ts';
import type { Db } from '#kernel/db.ts';
import { createPartitions } from '#kernel/partitions.ts';

import { type Benchmark, type Context, interleave, median } from './benchmark.ts';
import { startDatabases } from './support/child.ts';
import { openProduct } from './support/product.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A year, plus the history a preview reads before it. */
const HISTORY_DAYS = 400;
const RULE: ParsedThreshold = {
  name: 'a year',
  description: '',
  metric: 'btc_price',
  condition: 'above',
  value: 60_000,
  enabled: true,
};

/** A year of hourly prices of one coin that repeatedly return to 60,000 USD. */
async function fillHistory(db: Db, now: Date): Promise<void> {
  const from = new Date(now.getTime() - HISTORY_DAYS * DAY_MS);
  await sql`insert into coins (id, symbol, name, updated_at) values ('bitcoin', 'BTC', 'Bitcoin', ${now.toISOString()})`.execute(
    db,
  );
  await createPartitions(db).ensure(CANDLES_1H, from, now);
  await sql`insert into candles_1h (coin_key, at, open, high, low, close, volume, minutes, source, fetched_at, method)
    select (select key from coins), t, p, p, p, p, 1e6, 60, 'okx', t, 'computed'
    from generate_series(date_trunc('hour', ${from.toISOString()}::timestamptz), ${now.toISOString()}, interval '1 hour') t,
      lateral (select 60000 * exp(0.1 * sin(extract(epoch from t) / 250000) + 0.03 * sin(extract(epoch from t) / 31000)
        + 0.004 * sin(extract(epoch from t) / 1700)) as p) x`.execute(db);
  await sql`vacuum analyze candles_1h`.execute(db);
}

async function run(context: Context): Promise<void> {
  const { ci, emit, note } = context;
  const makeDatabase = await startDatabases(context);
  const product = await openProduct({ connection: await makeDatabase('preview'), frozen: true });
  context.cleanUp(() => product.stop());
  const { ctx } = product.thresholds;
  const now = ctx.now();
  await fillHistory(ctx.db, now);

  const timeMs = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  /** Without any cache from the previous preview. */
  const preview = (days: number) => async () => {
    const histories = createHistories(ctx);
    return timeMs(async () => {
      const result = await previewRule(ctx, RULE, { histories, days });
      if (result.fireCount < 10 || result.days < days - 1)
        throw new Error(`${result.fireCount} fires in ${result.days} days`);
    });
  };
  const from = new Date(now.getTime() - HISTORY_DAYS * DAY_MS).toISOString();
  const scan = () =>
    timeMs(async () => {
      const rows = await ctx.db
        .selectFrom('candles_1h')
        .select(['at', 'close'])
        .where('at', '>=', from)
        .orderBy('at')
        .execute();
      if (rows.length < HISTORY_DAYS * 24 - 1) throw new Error(`${rows.length} rows`);
    });
  for (let i = 0; i < 3; i++) {
    await preview(365)();
    await scan();
  }
  const year = await interleave(ci ? 7 : 21, preview(365), scan);
  const quarter = preview(90);
  const coldTimes: number[] = [];
  for (let i = 0; i < 7; i++) coldTimes.push(await quarter());
  note(`90 days, nothing kept: ${median(coldTimes).toFixed(1)} ms, aim 100 ms`);
  emit({
    name: 'alerts.preview',
    n: 365 * 24,
    unit: 'ms',
    subject: year.subject,
    baseline: year.baseline,
    ratio: year.ratio,
    goal: { atMost: 3 },
  });
}

export const alertsPreview: Benchmark = { names: ['alerts.preview'], run };
