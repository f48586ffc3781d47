import { type RawBuilder, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import { countOf, PAGE, pagesOf, type Row, type Scope, within } from './scope.ts';

/** Which metrics: what has a table of its own is left out of the market's. */
export type Kind = 'market' | 'fear_greed' | 'narratives';

const CHOSEN: Record<Kind, RawBuilder<boolean>> = {
  market: sql<boolean>`m.metric <> 'fear_greed' and m.metric not like 'narrative.%'`,
  fear_greed: sql<boolean>`m.metric = 'fear_greed'`,
  narratives: sql<boolean>`m.metric like 'narrative.%' and m.metric not like 'narrative.%.%'`,
};

const inRange = (scope: Scope) => within(sql`m.observed_at`, scope);

export const countObservations = (db: Db, kind: Kind, scope: Scope, most: number): Promise<number> =>
  countOf(db, sql`select 1 from metric_observations m where ${CHOSEN[kind]} and ${inRange(scope)}`, most);

/** By time, then metric and source. */
const paged = (db: Db, kind: Kind, scope: Scope, select: RawBuilder<unknown>, join: RawBuilder<unknown> = sql``) =>
  pagesOf(async (after) => {
    const at = after && sql`${after['observed_at']}::timestamptz`;
    const beyond = after
      ? sql`and m.observed_at >= ${at} and (m.observed_at > ${at} or (m.metric, m.source) > (${after['metric']}, ${after['source']}))`
      : sql``;
    const { rows } = await sql<Row>`select m.metric, m.source, m.observed_at, m.fetched_at, m.method, ${select}
      from (select * from metric_observations m where ${CHOSEN[kind]} and ${inRange(scope)} ${beyond}
        order by m.observed_at, m.metric, m.source limit ${PAGE}) m ${join}
      order by m.observed_at, m.metric, m.source`.execute(db);
    return rows;
  });

export const marketPages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  paged(db, 'market', scope, sql`m.value, m.detail ->> 'terms' as terms`);

export const fearGreedPages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  paged(db, 'fear_greed', scope, sql`m.value, m.detail ->> 'classification' as classification`);

/** What was read of each narrative beside what was computed of that reading. */
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
