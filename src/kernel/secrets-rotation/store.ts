import { sql } from 'kysely';

import type { Db } from '../db.ts';
import type { InstallationKeys } from '../secrets.ts';

export const KEYS_CHANGED = 'secret_keys';

/** Columns of a table that hold sealed texts, or null. `key` is its primary key. */
export type SealedColumns = { table: string; key: string; columns: readonly string[] };
type Key = number | string | boolean;
type Row = { key: Key; texts: (string | null)[] };

const notifyKeysChanged = (db: Db) => sql`select pg_notify(${KEYS_CHANGED}, '')`.execute(db);

/** Locked until the end of the transaction. */
export async function lockKeys(tx: Db): Promise<InstallationKeys> {
  return tx
    .selectFrom('installation')
    .select(['key_fingerprint', 'next_key_fingerprint', 'lasting_key'])
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function beginChange(tx: Db, next: string, lastingKey: string): Promise<void> {
  await tx.updateTable('installation').set({ next_key_fingerprint: next, lasting_key: lastingKey }).execute();
  await notifyKeysChanged(tx);
}

export async function endChange(tx: Db, fingerprint: string): Promise<void> {
  await tx
    .updateTable('installation')
    .set({ key_fingerprint: fingerprint, next_key_fingerprint: null })
    .where('next_key_fingerprint', '=', fingerprint)
    .execute();
  await notifyKeysChanged(tx);
}

const sealedWithOther = (columns: readonly string[], prefix: string) =>
  sql.join(
    columns.map((column) => sql`${sql.ref(column)} not like ${`${prefix}%`}`),
    sql` or `,
  );

/** Rows encrypted with another key. Rows locked by others are left for later. */
export async function lockBatch(
  tx: Db,
  { table, key, columns }: SealedColumns,
  prefix: string,
  after: Key | null,
  size: number,
): Promise<Row[]> {
  const texts = sql.join(columns.map((column) => sql.ref(column)));
  const isNext = after === null ? sql`true` : sql`${sql.ref(key)} > ${after}`;
  const { rows } = await sql<Row>`select ${sql.ref(key)} as key, array[${texts}] as texts from ${sql.table(table)}
    where (${sealedWithOther(columns, prefix)}) and ${isNext}
    order by ${sql.ref(key)} limit ${size} for update skip locked`.execute(tx);
  return rows;
}

export async function replaceTexts(tx: Db, { table, key, columns }: SealedColumns, row: Row): Promise<void> {
  const changes = columns.map((column, at) => sql`${sql.ref(column)} = ${row.texts[at] ?? null}`);
  await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${sql.ref(key)} = ${row.key}`.execute(tx);
}

export async function countOtherKeys(db: Db, { table, columns }: SealedColumns, prefix: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
    where ${sealedWithOther(columns, prefix)}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function readPermanentKey(db: Db): Promise<string | null> {
  const { lasting_key } = await db.selectFrom('installation').select('lasting_key').executeTakeFirstOrThrow();
  return lasting_key;
}
