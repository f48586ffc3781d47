import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // next_key_fingerprint: set while values are being sealed anew; from then on the next key seals.
  // lasting_key: what hashes that have to outlive a key are made with, sealed. Null: the first key still is.
  await sql`alter table installation
    add column next_key_fingerprint text,
    add column lasting_key text`.execute(db);
}
