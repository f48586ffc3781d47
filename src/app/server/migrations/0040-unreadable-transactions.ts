import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Transactions of the account that takes payments which no node gave in a readable form: what is in them is
  // booked once a later release reads them (read_at).
  await sql`create table usdc_unreadable (
    network text not null,
    tx text not null,
    block bigint not null,
    reason text not null,
    seen_at timestamptz not null,
    read_at timestamptz,
    primary key (network, tx)
  )`.execute(db);
}
