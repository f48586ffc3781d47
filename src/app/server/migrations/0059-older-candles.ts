import { type Kysely, sql } from 'kysely';

/** When the daily candles before the usual ones were asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table candle_backfills add column older_read_at timestamptz`.execute(db);
}
