import { sql } from 'kysely';
import type { Candle } from '#features/market/contract/market.ts';
import type { Db } from '#kernel/db.ts';
import type { Method } from '#shared/provenance.ts';
import type { Bar } from '../types.ts';

export type CandleTable = 'candles_1m' | 'candles_1h' | 'candles_1d';
export type CandleWrite = Bar & { coinKey: number; source: string; fetchedAt: Date; method: Method };

const columns = (rows: CandleWrite[]) => ({
  keys: rows.map((row) => row.coinKey),
  at: rows.map((row) => row.at.toISOString()),
  open: rows.map((row) => row.open),
  high: rows.map((row) => row.high),
  low: rows.map((row) => row.low),
  close: rows.map((row) => row.close),
  volume: rows.map((row) => row.volume),
  minutes: rows.map((row) => row.minutes),
  source: rows.map((row) => row.source),
  fetched: rows.map((row) => row.fetchedAt.toISOString()),
  method: rows.map((row) => row.method),
});

function unnestColumns(rows: CandleWrite[]) {
  const c = columns(rows);
  return sql`select * from unnest(${c.keys}::int[], ${c.at}::timestamptz[], ${c.open}::float8[], ${c.high}::float8[],
    ${c.low}::float8[], ${c.close}::float8[], ${c.volume}::float8[], ${c.minutes}::smallint[], ${c.source}::text[],
    ${c.fetched}::timestamptz[], ${c.method}::text[])`;
}

const COLUMNS = sql.raw('coin_key, at, open, high, low, close, volume, minutes, source, fetched_at, method');

/** Late data from a previous collector does not overwrite newer data. */
const IS_NEWER = sql`excluded.fetched_at >= c.fetched_at`;

/** Updates the current minute: high and low widen, close is the newest. */
export async function mergeMinutes(db: Db, rows: CandleWrite[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`insert into candles_1m as c (${COLUMNS}) ${unnestColumns(rows)}
    on conflict (coin_key, at) do update set
      high = greatest(c.high, excluded.high), low = least(c.low, excluded.low),
      close = case when ${IS_NEWER} then excluded.close else c.close end,
      source = case when ${IS_NEWER} then excluded.source else c.source end,
      method = case when ${IS_NEWER} then excluded.method else c.method end,
      fetched_at = greatest(c.fetched_at, excluded.fetched_at)`.execute(db);
}

/** What every bar of one fetch has in common. */
export type BarProvenance = Pick<CandleWrite, 'coinKey' | 'source' | 'fetchedAt' | 'method'>;

/** An array literal of PostgreSQL; the driver's own builds one escaped string per element. */
const literal = (values: (number | null)[]): string => `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/** Stores historical bars. Greater coverage wins; equal coverage takes the newer fetch. */
export async function saveBars(db: Db, table: CandleTable, all: Bar[], by: BarProvenance): Promise<void> {
  for (let i = 0; i < all.length; i += 2000) {
    const bars = all.slice(i, i + 2000);
    const of = (pick: (bar: Bar) => number | null) => literal(bars.map(pick));
    await sql`insert into ${sql.table(table)} as c (${COLUMNS})
      select ${by.coinKey}::int, to_timestamp(ms / 1000.0), open, high, low, close, volume, minutes, ${by.source},
        ${by.fetchedAt.toISOString()}::timestamptz, ${by.method}
      from unnest(${of(({ at }) => at.getTime())}::int8[], ${of(({ open }) => open)}::float8[],
        ${of(({ high }) => high)}::float8[], ${of(({ low }) => low)}::float8[], ${of(({ close }) => close)}::float8[],
        ${of(({ volume }) => volume)}::float8[], ${of(({ minutes }) => minutes)}::smallint[])
        as bar (ms, open, high, low, close, volume, minutes)
      on conflict (coin_key, at) do update set
        open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close, volume = excluded.volume,
        minutes = excluded.minutes, source = excluded.source, fetched_at = excluded.fetched_at, method = excluded.method
      where excluded.minutes >= c.minutes`.execute(db);
  }
}

/**
 * Rolls minutes up into hours, or hours into days, from `from` on. Idempotent; a candle is never replaced by one with
 * less coverage.
 */
export async function rollUp(
  db: Db,
  step: { from: CandleTable; to: CandleTable; unit: 'hour' | 'day' },
  from: Date,
  now: Date,
): Promise<void> {
  const start = sql`date_trunc(${sql.lit(step.unit)}, ${from.toISOString()}::timestamptz, 'UTC')`;
  const whole = step.unit === 'hour' ? 60 : 1440;
  await sql`insert into ${sql.table(step.to)} as c (${COLUMNS})
    select coin_key, date_trunc(${sql.lit(step.unit)}, at, 'UTC'), (array_agg(open order by at))[1], max(high), min(low),
      (array_agg(close order by at desc))[1], sum(volume), least(${sql.lit(whole)}, sum(minutes))::smallint,
      (array_agg(source order by at desc))[1], ${now.toISOString()}::timestamptz,
      case when bool_or(method = 'demo') then 'demo' else 'computed' end
    from ${sql.table(step.from)} where at >= ${start} group by 1, 2
    on conflict (coin_key, at) do update set
      open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
      volume = coalesce(excluded.volume, c.volume), minutes = excluded.minutes, source = excluded.source,
      fetched_at = excluded.fetched_at, method = excluded.method
    where excluded.minutes >= c.minutes`.execute(db);
}

export type CandleSeries = {
  candles: Candle[];
  newest: { at: string; source: string; fetched_at: string; method: Method } | null;
};

/**
 * One coin's candles since `from`, binned to `binMinutes`, oldest first. The cost depends on the range, not on the
 * table size.
 */
export async function readCandleRows(
  db: Db,
  table: CandleTable,
  coinKey: number,
  from: Date,
  binMinutes: number,
): Promise<CandleSeries> {
  const { rows } = await sql<Candle & { source: string; fetched_at: string; method: Method }>`
    select date_bin(make_interval(mins => ${binMinutes}), at, timestamptz '2000-01-01 00:00:00+00') as at,
      (array_agg(open order by c.at))[1] as open, max(high) as high, min(low) as low,
      (array_agg(close order by c.at desc))[1] as close, sum(volume) as volume,
      (array_agg(source order by c.at desc))[1] as source, max(fetched_at) as fetched_at,
      (array_agg(method order by c.at desc))[1] as method
    from ${sql.table(table)} c where coin_key = ${coinKey} and at >= ${from.toISOString()} group by 1 order by 1`.execute(
    db,
  );
  const last = rows.at(-1);
  return {
    candles: rows.map(({ at, open, high, low, close, volume }) => ({ at, open, high, low, close, volume })),
    newest: last ? { at: last.at, source: last.source, fetched_at: last.fetched_at, method: last.method } : null,
  };
}

export async function coinKeys(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('coins').select(['id', 'key']).execute();
  return new Map(rows.map(({ id, key }) => [id, key]));
}

export async function findCoin(db: Db, coinId: string) {
  return db.selectFrom('coins').select(['id', 'symbol', 'key']).where('id', '=', coinId).executeTakeFirst();
}

export async function findCoinKey(db: Db, coinId: string): Promise<number | undefined> {
  const row = await db.selectFrom('coins').select('key').where('id', '=', coinId).executeTakeFirst();
  return row?.key;
}

export async function findBackfill(db: Db, coinId: string) {
  return db.selectFrom('candle_backfills').selectAll().where('coin_id', '=', coinId).executeTakeFirst();
}

export async function saveBackfill(
  db: Db,
  row: {
    coin_id: string;
    state: 'complete' | 'unavailable';
    source: string | null;
    note: string | null;
    through: string;
  },
): Promise<void> {
  await db
    .insertInto('candle_backfills')
    .values(row)
    .onConflict((oc) =>
      oc.column('coin_id').doUpdateSet({ state: row.state, source: row.source, note: row.note, through: row.through }),
    )
    .execute();
}

/** Coins that need more history; a coin whose source has no more is retried after a while. */
type Wanted = { ids: readonly string[]; hoursSince: Date; daysSince: Date; triedBefore: Date };

/** Listed coins whose history is missing, too short, or has a gap since `limit`, largest first. */
export async function coinsToBackfill(db: Db, limit: Date, wanted: Wanted): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select c.id from coins c
    left join candle_backfills b on b.coin_id = c.id
    where c.listed and (b.coin_id is null
      or (b.state = 'unavailable' and b.through < ${limit.toISOString()}::timestamptz - interval '6 hours')
      or (b.state = 'complete' and b.through < ${limit.toISOString()} and not exists (
        select 1 from candles_1h h where h.coin_key = c.key and h.at >= ${limit.toISOString()}::timestamptz - interval '1 hour'))
      or (b.state = 'complete' and c.id = any(${wanted.ids}) and b.through < ${wanted.triedBefore.toISOString()} and not (
        exists (select 1 from candles_1h h where h.coin_key = c.key and h.at < ${wanted.hoursSince.toISOString()})
        and exists (select 1 from candles_1d d where d.coin_key = c.key and d.at < ${wanted.daysSince.toISOString()}))))
    order by c.id = any(${wanted.ids}) desc, c.rank nulls last, c.id`.execute(db);
  return rows.map((row) => row.id);
}

/** Start of a coin's oldest daily candle. */
export async function oldestDay(db: Db, coinKey: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('candles_1d')
    .select('at')
    .where('coin_key', '=', coinKey)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
  return row && new Date(row.at);
}

export async function markOlderRead(db: Db, coinId: string, at: Date): Promise<void> {
  await db
    .updateTable('candle_backfills')
    .set({ older_read_at: at.toISOString() })
    .where('coin_id', '=', coinId)
    .execute();
}

/** Listed coins whose older days were not requested, largest first. */
export async function coinsWithoutOlder(db: Db, except: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('coins')
    .innerJoin('candle_backfills', 'coin_id', 'id')
    .select('id')
    .where('listed', '=', true)
    .where('state', '=', 'complete')
    .where('older_read_at', 'is', null)
    .where('id', 'not in', except)
    .orderBy('rank', (order) => order.asc().nullsLast())
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
