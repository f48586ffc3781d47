import { sql } from 'kysely';

import type { Db } from '#server/platform/db.ts';

/** `day` is YYYY-MM-DD, UTC. */
export type DailyClose = { day: string; close: number; volume: number | null };

/** Daily closes per coin id, oldest first. */
export async function dailyCloses(db: Db, ids: string[], from: Date, to: Date): Promise<Map<string, DailyClose[]>> {
  const { rows } = await sql<DailyClose & { id: string }>`
    select coins.id, to_char(c.at at time zone 'UTC', 'YYYY-MM-DD') as day, c.close, c.volume
    from candles_1d c join coins on coins.key = c.coin_key
    where coins.id = any(${ids}) and c.at >= date_trunc('day', ${from.toISOString()}::timestamptz, 'UTC')
      and c.at <= ${to.toISOString()}
    order by coins.id, c.at`.execute(db);
  const closes = new Map<string, DailyClose[]>();
  for (const { id, ...row } of rows) closes.set(id, [...(closes.get(id) ?? []), row]);
  return closes;
}
