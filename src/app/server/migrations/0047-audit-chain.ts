import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function refuse_audit_change() returns trigger language plpgsql as $$
    begin raise exception 'the audit log is append-only'; end $$`.execute(db);

  // Each hash covers the entry and the hash before it, in the order of commits.
  await sql`create table audit_chain (
    place bigint primary key,
    audit_id bigint not null unique references audit_log (id),
    hash bytea not null
  )`.execute(db);

  await sql`create function audit_text(entry audit_log) returns text language sql stable as $$
    select jsonb_build_array(entry.id, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      entry.actor_id, entry.subject_id, entry.action, entry.details, entry.network)::text $$`.execute(db);

  // At the end of the transaction, so that the lock is the last one that is taken: none waits for another in a circle.
  await sql`create function chain_audit_entry() returns trigger language plpgsql as $$
    declare last_place bigint; last_hash bytea;
    begin
      perform pg_advisory_xact_lock(7246125);
      select place, hash into last_place, last_hash from audit_chain order by place desc limit 1;
      insert into audit_chain (place, audit_id, hash) values (coalesce(last_place, 0) + 1, new.id,
        sha256(coalesce(last_hash, ''::bytea) || convert_to(audit_text(new), 'UTF8')));
      return null;
    end $$`.execute(db);

  await sql`do $$
    declare entry audit_log; place bigint := 0; last_hash bytea := ''::bytea;
    begin
      for entry in select * from audit_log order by id loop
        place := place + 1;
        last_hash := sha256(last_hash || convert_to(audit_text(entry), 'UTF8'));
        insert into audit_chain (place, audit_id, hash) values (place, entry.id, last_hash);
      end loop;
    end $$`.execute(db);

  await sql`create constraint trigger audit_log_is_chained after insert on audit_log
    deferrable initially deferred for each row execute function chain_audit_entry()`.execute(db);
  for (const table of ['audit_log', 'audit_chain']) {
    await sql`create trigger ${sql.raw(table)}_is_append_only before update or delete on ${sql.table(table)}
      for each row execute function refuse_audit_change()`.execute(db);
    await sql`create trigger ${sql.raw(table)}_is_not_emptied before truncate on ${sql.table(table)}
      for each statement execute function refuse_audit_change()`.execute(db);
  }

  // The first place that does not follow from those before it, 0 for an entry outside the chain; null when the log is whole.
  await sql`create function broken_audit_place() returns bigint language sql stable as $$
    select min(coalesce(place, 0)) from (
      select c.place, c.hash, a.id is null as missing,
        sha256(coalesce(lag(c.hash) over (order by c.place), ''::bytea) || convert_to(audit_text(a), 'UTF8')) as wanted,
        row_number() over (order by c.place) as nth
      from audit_chain c full join audit_log a on a.id = c.audit_id
    ) as chain where place is null or missing or place <> nth or hash is distinct from wanted $$`.execute(db);
}
