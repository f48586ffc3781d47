import { type Generated, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';

interface SettingChangesTable {
  id: Generated<number>;
  key: string;
  value: string | null;
  changed_by: number | null;
  changed_at: string;
  note: string;
}

declare module '#kernel/db.ts' {
  interface Tables {
    setting_changes: SettingChangesTable;
  }
}

export const SETTINGS_CHANNEL = 'settings';

export type Change = { key: string; value: string | null; at: string; by: string | null; note: string };

/** The latest change of each key; undefined for one never changed. */
export async function newestValues(db: Db): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('setting_changes')
    .distinctOn('key')
    .select(['key', 'value'])
    .orderBy('key')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** The newest `count` changes of each key, newest first. */
export async function readChanges(db: Db, keys: readonly string[], count: number): Promise<Map<string, Change[]>> {
  const pages = await Promise.all(
    keys.map((key) =>
      db
        .selectFrom('setting_changes')
        .leftJoin('users', 'users.id', 'setting_changes.changed_by')
        .select(['key', 'value', 'changed_at as at', 'users.email as by', 'note'])
        .where('key', '=', key)
        .orderBy('setting_changes.id', 'desc')
        .limit(count)
        .execute(),
    ),
  );
  return new Map(keys.map((key, i) => [key, pages[i] ?? []]));
}

/** Serialises changes of a setting until the end of the transaction. */
export async function lockSetting(tx: Db, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`setting ${key}`}, 0))`.execute(tx);
}

/** Stores a change and notifies every process at commit. */
export async function addChange(
  tx: Db,
  change: { key: string; value: string | null; by: number; at: Date; note: string },
): Promise<void> {
  const { key, value, by, at, note } = change;
  await tx
    .insertInto('setting_changes')
    .values({ key, value, changed_by: by, changed_at: at.toISOString(), note })
    .execute();
  await sql`select pg_notify(${SETTINGS_CHANNEL}, ${key})`.execute(tx);
}
