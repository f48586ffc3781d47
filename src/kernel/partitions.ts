import { sql } from 'kysely';

import type { Db } from './db.ts';

export type PartitionedTable = { table: string; every: 'day' | 'month'; keepDays?: number };

const DAY_MS = 86_400_000;
const LOCK_TIMEOUT_MS = 1000;
const LOCK_NOT_AVAILABLE = '55P03';

function partitionStart(every: 'day' | 'month', at: Date): Date {
  return every === 'day'
    ? new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)
    : new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
}

function next(every: 'day' | 'month', start: Date): Date {
  return every === 'day'
    ? new Date(start.getTime() + DAY_MS)
    : new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
}

const partitionName = ({ table, every }: PartitionedTable, start: Date) =>
  `${table}_${start
    .toISOString()
    .slice(0, every === 'day' ? 10 : 7)
    .replaceAll('-', '')}`;

/** Creates the partitions that [from, to] needs. Known ones are cached, so a hot path may call it each time. */
export function createPartitions(db: Db) {
  const known = new Set<string>();

  async function ensure(target: PartitionedTable, from: Date, to: Date): Promise<void> {
    for (let start = partitionStart(target.every, from); start <= to; start = next(target.every, start)) {
      const name = partitionName(target, start);
      if (known.has(name)) continue;
      const [lower, upper] = [start.toISOString(), next(target.every, start).toISOString()];
      await sql`create table if not exists ${sql.table(name)} partition of ${sql.table(target.table)}
        for values from (${sql.lit(lower)}) to (${sql.lit(upper)})`
        .execute(db)
        .catch((error: unknown) => {
          // Another process just created the same partition.
          if (!['42P07', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
        });
      known.add(name);
    }
  }

  /** False while a backup or a long report reads it: waiting would block every writer to the table. */
  async function tryDropPartition(name: string): Promise<boolean> {
    try {
      await db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx);
        await sql`drop table if exists ${sql.table(name)}`.execute(tx);
      });
      return true;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      return false;
    }
  }

  /** Retention drops whole partitions older than `keepDays`. Returns their names. */
  async function dropOld(target: PartitionedTable, now: Date): Promise<string[]> {
    if (!target.keepDays) return [];
    const limit = partitionName(
      target,
      partitionStart(target.every, new Date(now.getTime() - target.keepDays * DAY_MS)),
    );
    const { rows } = await sql<{ name: string }>`select c.relname as name from pg_inherits i
      join pg_class c on c.oid = i.inhrelid where i.inhparent = ${target.table}::regclass`.execute(db);
    const old = rows.map((row) => row.name).filter((name) => name.length === limit.length && name < limit);
    const dropped: string[] = [];
    for (const name of old) {
      if (!(await tryDropPartition(name))) break;
      known.delete(name);
      dropped.push(name);
    }
    return dropped;
  }

  return { ensure, dropOld };
}

export type Partitions = ReturnType<typeof createPartitions>;
