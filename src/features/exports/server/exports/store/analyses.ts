import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import { countOf, PAGE, pagesOf, type Row, type Scope, within } from './scope.ts';

/** An answer that failed is one row; every other is one for each horizon. */
const OPINIONS = sql`analyses a join analysis_answers w on w.analysis_id = a.id
  cross join unnest(array['24h', '7d', '28d', '180d']) with ordinality h (horizon, place)`;
const asked = (scope: Scope) =>
  sql<boolean>`${within(sql`a.issued_at`, scope)} and (w.opinion is not null or h.place = 1)`;

export const countOpinions = (db: Db, scope: Scope, most: number): Promise<number> =>
  countOf(db, sql`select 1 from ${OPINIONS} where ${asked(scope)}`, most);

const joined = (list: string) =>
  sql`(select string_agg(f #>> '{}', '; ') from jsonb_array_elements(t.term -> ${sql.lit(list)}) f)`;

/** What each analyst said of the market, by time, analyst and horizon. */
export const opinionPages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  pagesOf(async (after) => {
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

/** Calls frozen in the range, or graded ones that got their outcome in it. */
export type Calls = 'frozen' | 'graded';
const chosen = (calls: Calls, scope: Scope) =>
  calls === 'frozen'
    ? sql<boolean>`p.forecaster_id is null and ${within(sql`p.issued_at`, scope)}`
    : sql<boolean>`p.forecaster_id is null and p.state = 'graded' and ${within(sql`p.outcome_at`, scope)}`;

export const countCalls = (db: Db, calls: Calls, scope: Scope, most: number): Promise<number> =>
  countOf(db, sql`select 1 from predictions p where ${chosen(calls, scope)}`, most);

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

/** In the order of the ledger. */
export const callPages = (db: Db, calls: Calls, scope: Scope): AsyncGenerator<Row[]> =>
  pagesOf(async (after) => {
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
  countOf(db, sql`select 1 from coin_ranges r where ${within(sql`r.starts_at`, scope)}`, most);

/** By time, coin and horizon. */
export const coinRangePages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  pagesOf(async (after) => {
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
