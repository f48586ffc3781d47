import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Room on each page: a new state of a rule stands beside the old one, and no index has to learn of it.
  await sql`alter table alert_rules set (fillfactor = 80)`.execute(db);

  // Most rules have the same few options: by it an owner reads each of them once, however many rules there are.
  await sql`alter table alert_rules
    add column options_key uuid not null generated always as (md5(options::text)::uuid) stored`.execute(db);

  // Whether rules of one person fire too often is asked with every fire: what was long ago is not read for it.
  await sql`create index alerts_storm on alerts (user_id, evaluated_at desc) where type = 'CUSTOM_THRESHOLD'`.execute(
    db,
  );
  await sql`create index alerts_paused on alerts (user_id, id desc) where type = 'RULES_PAUSED'`.execute(db);

  // The last batch of this epoch that was written: one whose commit went through unheard is not written again.
  await sql`alter table alert_shards add column batch bigint not null default 0`.execute(db);
}
