import { sql } from 'kysely';

import { MOST_USERS } from '#features/operations/contract/admin.ts';
import type { Db } from '#kernel/db.ts';

export type ListedUser = {
  id: number;
  email: string;
  emailVerified: boolean;
  role: 'user' | 'admin';
  isDisabled: boolean;
  createdAt: string;
};

type Wanted = { q: string | undefined } | { id: number };

/** The newest; `q` is looked for anywhere in the address, as it is. */
export async function findUsers(db: Db, wanted: Wanted): Promise<ListedUser[]> {
  let query = db
    .selectFrom('users')
    .select(['id', 'email', 'email_verified_at', 'role', 'disabled_at', 'created_at'])
    .orderBy('id', 'desc')
    .limit(MOST_USERS);
  if ('id' in wanted) query = query.where('id', '=', wanted.id);
  else if (wanted.q) query = query.where('email', 'like', holding(wanted.q));
  const rows = await query.execute();
  return rows.map(({ id, email, email_verified_at, role, disabled_at, created_at }) => ({
    id,
    email,
    emailVerified: email_verified_at !== null,
    role,
    isDisabled: disabled_at !== null,
    createdAt: created_at,
  }));
}

export async function countUsers(db: Db, q: string | undefined): Promise<number> {
  let query = db.selectFrom('users').select(({ fn }) => fn.countAll<string>().as('total'));
  if (q) query = query.where('email', 'like', holding(q));
  return Number((await query.executeTakeFirstOrThrow()).total);
}

/** Why, when and by whom; undefined when the account is open or gone. */
export async function findDisabled(
  db: Db,
  id: number,
): Promise<{ at: string; by: number | null; reason: string } | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['disabled_at', 'disabled_by', 'disabled_reason'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row?.disabled_at) return undefined;
  return { at: row.disabled_at, by: row.disabled_by, reason: row.disabled_reason ?? '' };
}

/** The addresses of those that are still there. */
export async function addressesOf(db: Db, ids: readonly (number | null)[]): Promise<Map<number, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const { rows } = await sql<{
    id: number;
    email: string;
  }>`select id, email from users where id = any(${known}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** Ids of at most `most` accounts with `q` in their address, the newest first. */
export async function findIds(db: Db, q: string, most: number): Promise<number[]> {
  const query = db
    .selectFrom('users')
    .select('id')
    .where('email', 'like', holding(q))
    .orderBy('id', 'desc')
    .limit(most);
  return (await query.execute()).map(({ id }) => id);
}

const holding = (text: string) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
