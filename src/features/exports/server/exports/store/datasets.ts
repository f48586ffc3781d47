import { type RawBuilder, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import { countRows, PAGE, type Row, readPages, type Scope, within } from './scope.ts';

const alertsIn = (scope: Scope) => within(sql`a.queued_at`, scope);

export const countAlerts = (db: Db, scope: Scope, most: number): Promise<number> =>
  countRows(
    db,
    sql`select 1 from alerts a where (a.user_id is null or a.user_id = ${scope.userId}::bigint) and ${alertsIn(scope)}`,
    most,
  );

/** Market alerts and the user's own, in id order, each read from its own index. */
export const alertPages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  readPages(async (after) => {
    const part = (whose: ReturnType<typeof sql>) =>
      sql`(select * from alerts a where ${whose} and a.id > ${after?.['id'] ?? 0}::bigint and ${alertsIn(scope)} order by a.id limit ${PAGE})`;
    const { rows } =
      await sql<Row>`select a.id, a.queued_at as raised_at, a.type, a.severity, a.message, a.metric, a.value,
      a.user_id is not null as own_rule, a.rule_id, a.event_id, a.event_date, k.alert_id is not null as acknowledged, a.source,
      a.source_at as observed_at, a.received_at as fetched_at, a.evaluated_at, a.method
      from (${part(sql`a.user_id is null`)} union all ${part(sql`a.user_id = ${scope.userId}::bigint`)}) a
      left join alert_acknowledgements k on k.user_id = ${scope.userId}::bigint and k.alert_id = a.id
      order by a.id limit ${PAGE}`.execute(db);
    return rows;
  });

/** A failed response is one row; a successful one has a row per horizon. */
const OPINIONS = sql`analyses a join analysis_answers w on w.analysis_id = a.id
  cross join unnest(array['24h', '7d', '28d', '180d']) with ordinality h (horizon, place)`;
const asked = (scope: Scope) =>
  sql<boolean>`${within(sql`a.issued_at`, scope)} and (w.opinion is not null or h.place = 1)`;

export const countOpinions = (db: Db, scope: Scope, most: number): Promise<number> =>
  countRows(db, sql`select 1 from ${OPINIONS} where ${asked(scope)}`, most);

const joined = (list: string) =>
  sql`(select string_agg(f #>> '{}', '; ') from jsonb_array_elements(t.term -> ${sql.lit(list)}) f)`;

/** Each analyst's view of the market, by time, analyst and horizon. */
export const opinionPages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  readPages(async (after) => {
    const beyond = after
      ? sql`and (a.issued_at, a.id, w.analyst, h.place)
          > (${after['issued_at']}::timestamptz, ${after['analysis_id']}, ${after['source']}, ${after['place']}::bigint)`
      : sql``;
    const { rows } =
      await sql<Row>`select a.issued_at, a.finished_at as fetched_at, a.id as analysis_id, w.analyst as source, w.name, w.model,
      w.model_version, case when w.opinion is not null then h.horizon end as horizon, h.place, t.term ->> 'direction' as direction,
      (t.term ->> 'confidence')::float8 as confidence, (t.term #>> '{probabilities,up}')::float8 as p_up,
      (t.term #>> '{probabilities,flat}')::float8 as p_flat, (t.term #>> '{probabilities,down}')::float8 as p_down,
      t.term ->> 'reasoning' as reasoning, ${joined('key_factors')} as key_factors, ${joined('risk_factors')} as risk_factors,
      w.opinion ->> 'reasoning' as overall_reasoning, w.imputed, w.failure
      from ${OPINIONS} cross join lateral (select w.opinion -> 'market' -> h.horizon as term) t
      where ${asked(scope)} ${beyond} order by a.issued_at, a.id, w.analyst, h.place limit ${PAGE}`.execute(db);
    return rows;
  });

/** Calls frozen in the range, or graded ones whose outcome falls in it. */
export type Calls = 'frozen' | 'graded';
const chosen = (calls: Calls, scope: Scope) =>
  calls === 'frozen'
    ? sql<boolean>`p.forecaster_id is null and ${within(sql`p.issued_at`, scope)}`
    : sql<boolean>`p.forecaster_id is null and p.state = 'graded' and ${within(sql`p.outcome_at`, scope)}`;

export const countCalls = (db: Db, calls: Calls, scope: Scope, most: number): Promise<number> =>
  countRows(db, sql`select 1 from predictions p where ${chosen(calls, scope)}`, most);

const rangeEnd = (level: 80 | 95, end: 'low' | 'high') => sql`(p.ranges #>> ${sql.lit(`{${level},${end}}`)})::float8`;
const rangeEnds = sql.join(
  ([80, 95] as const).flatMap((level) =>
    (['low', 'high'] as const).map(
      (end) => sql`p.price * exp(${rangeEnd(level, end)}) as ${sql.ref(`range_${level}_${end}`)}`,
    ),
  ),
);
const rangesHeld = sql.join(
  ([80, 95] as const).map(
    (level) =>
      sql`p.realised between ${rangeEnd(level, 'low')} and ${rangeEnd(level, 'high')} as ${sql.ref(`held_${level}`)}`,
  ),
);

/** In ledger order. */
export const callPages = (db: Db, calls: Calls, scope: Scope): AsyncGenerator<Row[]> =>
  readPages(async (after) => {
    const { rows } =
      await sql<Row>`select p.seq, p.analysis_id, p.analyst as source, p.model, p.asset, p.horizon, p.issued_at,
      p.resolves_at, p.up as p_up, p.flat as p_flat, p.down as p_down, p.imputed, p.price as price_usd, p.band, p.climatology[1] as climatology_up,
      p.climatology[2] as climatology_flat, p.climatology[3] as climatology_down, p.persistence[1] as persistence_up,
      p.persistence[2] as persistence_flat, p.persistence[3] as persistence_down, p.state, p.outcome, p.realised as log_return,
      p.outcome_seq, p.outcome_at, ${rangeEnds}, ${rangesHeld}
      from predictions p where ${chosen(calls, scope)} and p.seq > ${after?.['seq'] ?? 0}::bigint
      order by p.seq limit ${PAGE}`.execute(db);
    return rows;
  });

export const countCoinRanges = (db: Db, scope: Scope, most: number): Promise<number> =>
  countRows(db, sql`select 1 from coin_ranges r where ${within(sql`r.starts_at`, scope)}`, most);

/** By time, coin and horizon. */
export const coinRangePages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  readPages(async (after) => {
    const beyond = after
      ? sql`and (r.starts_at, r.coin_key, r.horizon) > (${after['starts_at']}::timestamptz, ${after['coin_key']}::int, ${after['horizon']})`
      : sql``;
    const { rows } =
      await sql<Row>`select r.coin_key, r.starts_at, r.ends_at, r.made_at as issued_at, o.id as coin, o.symbol,
      r.horizon, 'local' as source, r.model_version, r.price as price_usd, r.low_80 as range_80_low, r.high_80 as range_80_high,
      r.low_95 as range_95_low, r.high_95 as range_95_high, r.end_price as end_price_usd,
      r.end_price between r.low_80 and r.high_80 as held_80, r.end_price between r.low_95 and r.high_95 as held_95,
      r.counted
      from coin_ranges r join coins o on o.key = r.coin_key where ${within(sql`r.starts_at`, scope)} ${beyond}
      order by r.starts_at, r.coin_key, r.horizon limit ${PAGE}`.execute(db);
    return rows;
  });

/** Groups of metrics: those with a table of their own are excluded from the market's. */
export type Kind = 'market' | 'fear_greed' | 'narratives';

const CHOSEN: Record<Kind, RawBuilder<boolean>> = {
  market: sql<boolean>`m.metric <> 'fear_greed' and m.metric not like 'narrative.%'`,
  fear_greed: sql<boolean>`m.metric = 'fear_greed'`,
  narratives: sql<boolean>`m.metric like 'narrative.%' and m.metric not like 'narrative.%.%'`,
};

const metricsIn = (scope: Scope) => within(sql`m.observed_at`, scope);

export const countObservations = (db: Db, kind: Kind, scope: Scope, most: number): Promise<number> =>
  countRows(db, sql`select 1 from metric_observations m where ${CHOSEN[kind]} and ${metricsIn(scope)}`, most);

/** By time, then metric and source. */
const paged = (db: Db, kind: Kind, scope: Scope, select: RawBuilder<unknown>, join: RawBuilder<unknown> = sql``) =>
  readPages(async (after) => {
    const at = after && sql`${after['observed_at']}::timestamptz`;
    const beyond = after
      ? sql`and m.observed_at >= ${at} and (m.observed_at > ${at} or (m.metric, m.source) > (${after['metric']}, ${after['source']}))`
      : sql``;
    const { rows } = await sql<Row>`select m.metric, m.source, m.observed_at, m.fetched_at, m.method, ${select}
      from (select * from metric_observations m where ${CHOSEN[kind]} and ${metricsIn(scope)} ${beyond}
        order by m.observed_at, m.metric, m.source limit ${PAGE}) m ${join}
      order by m.observed_at, m.metric, m.source`.execute(db);
    return rows;
  });

export const marketPages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  paged(db, 'market', scope, sql`m.value, m.detail ->> 'terms' as terms`);

export const fearGreedPages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  paged(db, 'fear_greed', scope, sql`m.value, m.detail ->> 'classification' as classification`);

/** Readings of each narrative joined with the values computed from them. */
export const narrativePages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  paged(
    db,
    'narratives',
    scope,
    sql`substr(m.metric, length('narrative.') + 1) as narrative, m.detail ->> 'name' as name, m.value as total_volume_24h,
      c.value as avg_change_24h, (m.detail ->> 'market_cap')::float8 as market_cap,
      (m.detail ->> 'market_cap_change_24h')::float8 as market_cap_change_24h, (m.detail ->> 'trending')::int as trending,
      (c.detail ->> 'relative_sigma')::float8 as relative_sigma, (c.detail ->> 'volume_share')::float8 as volume_share,
      (c.detail ->> 'volume_z')::float8 as volume_z, (c.detail ->> 'breadth')::float8 as breadth,
      (c.detail ->> 'volatility')::float8 as volatility,
      (select string_agg(coin ->> 'symbol', ' ') from jsonb_array_elements(m.detail -> 'coins') coin) as coins`,
    sql`left join lateral (select c.value, c.detail from metric_observations c
      where c.metric = m.metric || '.change' and c.observed_at = m.observed_at order by c.source limit 1) c on true`,
  );

export type Bars = 'candles_1m' | 'candles_1h' | 'candles_1d';

/** Coins aggregated per query: a day of their minutes makes about one page. */
const COINS = 16;
const BIN = sql`date_bin('5 minutes', c.at, timestamptz '2000-01-01 00:00:00+00')`;

const inRange = (scope: Scope) => within(sql`c.at`, scope);

export async function countBars(db: Db, bars: Bars, scope: Scope, most: number): Promise<number> {
  const query =
    bars === 'candles_1m'
      ? sql`select 1 from candles_1m c where ${inRange(scope)} group by c.coin_key, ${BIN}`
      : sql`select 1 from ${sql.table(bars)} c where ${inRange(scope)}`;
  return countRows(db, query, most);
}

/** Symbols of listed coins whose history is neither loaded nor known to be missing, largest first. */
export async function coinsBeingLoaded(db: Db): Promise<string[]> {
  const { rows } = await sql<{ symbol: string }>`select c.symbol from coins c
    where c.listed and not exists (select 1 from candle_backfills b where b.coin_id = c.id)
    order by c.rank nulls last, c.id`.execute(db);
  return rows.map(({ symbol }) => symbol);
}

/** Bars by coin, then time. Minutes become five-minute bars; distinct sources are listed. */
export const barPages = (db: Db, bars: Bars, scope: Scope): AsyncGenerator<Row[]> =>
  bars === 'candles_1m' ? fiveMinutes(db, scope) : stored(db, bars, scope);

async function* fiveMinutes(db: Db, scope: Scope): AsyncGenerator<Row[]> {
  const coins = await db.selectFrom('coins').select('key').orderBy('key').execute();
  for (let i = 0; i < coins.length; i += COINS) {
    const keys = coins.slice(i, i + COINS).map(({ key }) => key);
    const { rows } = await sql<Row>`select b.*, o.id as coin, o.symbol, o.name from (
      select c.coin_key, ${BIN} as at, (array_agg(c.open order by c.at))[1] as open, max(c.high) as high, min(c.low) as low,
        (array_agg(c.close order by c.at desc))[1] as close, sum(c.volume) as volume, sum(c.minutes)::int as minutes,
        string_agg(distinct c.source, '+') as source, max(c.fetched_at) as fetched_at,
        case when bool_or(c.method = 'demo') then 'demo' else 'computed' end as method
      from candles_1m c where c.coin_key = any(${keys}::int[]) and ${inRange(scope)} group by 1, 2) b
      join coins o on o.key = b.coin_key order by b.coin_key, b.at`.execute(db);
    if (rows.length > 0) yield rows;
  }
}

const stored = (db: Db, bars: Bars, scope: Scope) =>
  readPages(async (after) => {
    const beyond = after
      ? sql`and (c.coin_key, c.at) > (${after['coin_key']}::int, ${after['at']}::timestamptz)`
      : sql``;
    const { rows } = await sql<Row>`select c.*, o.id as coin, o.symbol, o.name from (
      select c.coin_key, c.at, c.open, c.high, c.low, c.close, c.volume, c.minutes, c.source, c.fetched_at, c.method
      from ${sql.table(bars)} c where ${inRange(scope)} ${beyond} order by c.coin_key, c.at limit ${PAGE}) c
      join coins o on o.key = c.coin_key order by c.coin_key, c.at`.execute(db);
    return rows;
  });
