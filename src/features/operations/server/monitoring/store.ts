import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

const STATEMENT_TIMEOUT_MS = 2_000;

export type DatabaseRow = {
  bytes: number;
  connections: number;
  limit: number;
  in_transaction: number;
  oldest_seconds: number | null;
  is_replica: boolean;
  replay_seconds: number | null;
};
export type DeliveryRow = { channel: string; due: number; claimed: number; later: number; oldest_due: string | null };
export type JobRow = { name: string; state: string; runs: number };
export type JobRecordRow = {
  name: string;
  succeeded_at: string | null;
  succeeded_ms: number | null;
  failed_at: string | null;
};
export type WatcherRow = { network: string; head: number; scanned: number; polled_at: string };
export type StoredFigures = {
  database: DatabaseRow;
  replicas: { name: string; seconds: number | null }[];
  deliveries: DeliveryRow[];
  failedDeliveries: { channel: string; failed: number }[];
  mails: { waiting: number; oldest_due: string | null };
  jobs: JobRow[];
  records: JobRecordRow[];
  shards: { shard: number; epoch: number }[];
  collection: { finished_at: string; seconds: number } | null;
  watchers: WatcherRow[];
  money: { suspense: number; open_payments: number; waiting_claims: number };
};

/** Uses only keys and partial indexes, in one transaction with a statement timeout of two seconds. */
export async function readStored(db: Db, now: Date): Promise<StoredFigures> {
  const at = now.toISOString();
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${`${STATEMENT_TIMEOUT_MS}`}, true)`.execute(tx);
      const database = await sql<DatabaseRow>`select pg_database_size(current_database()) as bytes,
        (select count(*) from pg_stat_activity where datname = current_database()) as connections,
        current_setting('max_connections')::int as limit,
        (select count(*) from pg_stat_activity where datname = current_database() and xact_start is not null
          and pid <> pg_backend_pid()) as in_transaction,
        (select extract(epoch from max(clock_timestamp() - xact_start))::float8 from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()) as oldest_seconds,
        pg_is_in_recovery() as is_replica,
        case when not pg_is_in_recovery() then null
          when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
          else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 end as replay_seconds`.execute(
        tx,
      );
      const replicas = await sql<{ name: string; seconds: number | null }>`
        select application_name as name, max(extract(epoch from replay_lag))::float8 as seconds
        from pg_stat_replication group by 1`.execute(tx);
      const deliveries = await sql<DeliveryRow>`select channel,
        count(*) filter (where due_at <= ${at}::timestamptz and (locked_until is null or locked_until <= ${at}::timestamptz)) as due,
        count(*) filter (where locked_until > ${at}::timestamptz) as claimed,
        count(*) filter (where due_at > ${at}::timestamptz and (locked_until is null or locked_until <= ${at}::timestamptz)) as later,
        min(due_at) filter (where due_at <= ${at}::timestamptz) as oldest_due
        from notification_deliveries where state = 'due' group by channel`.execute(tx);
      const failedDeliveries = await sql<{ channel: string; failed: number }>`select channel, count(*) as failed
        from notification_deliveries where state = 'failed' group by channel`.execute(tx);
      const mails = await sql<{ waiting: number; oldest_due: string | null }>`select count(*) as waiting,
        min(next_at) filter (where next_at <= ${at}::timestamptz) as oldest_due
        from mail_outbox where state = 'waiting'`.execute(tx);
      const jobs = await sql<JobRow>`select name, state::text, count(*) as runs from pgboss.job
        where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_%' group by 1, 2`.execute(tx);
      const records =
        await sql<JobRecordRow>`select name, succeeded_at, succeeded_ms, failed_at from job_records`.execute(tx);
      const shards = await sql<{ shard: number; epoch: number }>`select shard, epoch from alert_shards`.execute(tx);
      const collection = await sql<{ finished_at: string; seconds: number }>`select finished_at,
        extract(epoch from finished_at - issued_at)::float8 as seconds from analyses order by issued_at desc limit 1`.execute(
        tx,
      );
      const watchers = await sql<WatcherRow>`select network, head, scanned, polled_at from usdc_cursors`.execute(tx);
      const money = await sql<StoredFigures['money']>`select
        (select count(*) from usdc_deposits where is_credited and payment_id is null and owner_id is null) as suspense,
        (select count(*) from usdc_payments where applied_at is null and expires_at > ${at}::timestamptz) as open_payments,
        (select count(*) from usdc_claims where state = 'waiting') as waiting_claims`.execute(tx);
      return {
        database: database.rows[0] as DatabaseRow,
        replicas: replicas.rows,
        deliveries: deliveries.rows,
        failedDeliveries: failedDeliveries.rows,
        mails: mails.rows[0] ?? { waiting: 0, oldest_due: null },
        jobs: jobs.rows,
        records: records.rows,
        shards: shards.rows,
        collection: collection.rows[0] ?? null,
        watchers: watchers.rows,
        money: money.rows[0] ?? { suspense: 0, open_payments: 0, waiting_claims: 0 },
      };
    });
}
