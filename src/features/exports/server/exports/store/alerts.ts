import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

import { countOf, PAGE, pagesOf, type Row, type Scope, within } from './scope.ts';

const inRange = (scope: Scope) => within(sql`a.queued_at`, scope);

export const countAlerts = (db: Db, scope: Scope, most: number): Promise<number> =>
  countOf(
    db,
    sql`select 1 from alerts a where (a.user_id is null or a.user_id = ${scope.userId}::bigint) and ${inRange(scope)}`,
    most,
  );

/** What was raised for everyone and for this person, in the order of their ids, each read from its own index. */
export const alertPages = (db: Db, scope: Scope): AsyncGenerator<Row[]> =>
  pagesOf(async (after) => {
    const part = (whose: ReturnType<typeof sql>) =>
      sql`(select * from alerts a where ${whose} and a.id > ${after?.['id'] ?? 0}::bigint and ${inRange(scope)} order by a.id limit ${PAGE})`;
    const { rows } =
      await sql<Row>`select a.id, a.queued_at as raised_at, a.type, a.severity, a.message, a.metric, a.value,
      a.user_id is not null as own_rule, a.rule_id, a.event_id, a.event_date, k.alert_id is not null as acknowledged, a.source,
      a.source_at as observed_at, a.received_at as fetched_at, a.evaluated_at, a.method
      from (${part(sql`a.user_id is null`)} union all ${part(sql`a.user_id = ${scope.userId}::bigint`)}) a
      left join alert_acknowledgements k on k.user_id = ${scope.userId}::bigint and k.alert_id = a.id
      order by a.id limit ${PAGE}`.execute(db);
    return rows;
  });
