import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Keyed hashes of the addresses that have had a trial: they stay when the account is gone.
  await sql`create table trial_addresses (
    address_hash bytea primary key,
    started_at timestamptz not null
  )`.execute(db);
  await sql`create trigger trial_addresses_stay before update or delete on trial_addresses
    for each row execute function payments_stay()`.execute(db);
  await sql`create trigger trial_addresses_stay_whole before truncate on trial_addresses
    execute function payments_stay()`.execute(db);
}
