import { MOST_USERS } from '#features/admin/contract.ts';
import type { Db } from '#server/platform/db.ts';

export type ListedUser = {
  id: number;
  email: string;
  emailVerified: boolean;
  role: 'user' | 'admin';
  createdAt: string;
};

type Wanted = { q: string | undefined } | { id: number };

/** The newest; `q` is looked for anywhere in the address, as it is. */
export async function findUsers(db: Db, wanted: Wanted): Promise<ListedUser[]> {
  let query = db
    .selectFrom('users')
    .select(['id', 'email', 'email_verified_at', 'role', 'created_at'])
    .orderBy('id', 'desc')
    .limit(MOST_USERS);
  if ('id' in wanted) query = query.where('id', '=', wanted.id);
  else if (wanted.q) query = query.where('email', 'like', holding(wanted.q));
  const rows = await query.execute();
  return rows.map(({ id, email, email_verified_at, role, created_at }) => ({
    id,
    email,
    emailVerified: email_verified_at !== null,
    role,
    createdAt: created_at,
  }));
}

export async function countUsers(db: Db, q: string | undefined): Promise<number> {
  let query = db.selectFrom('users').select(({ fn }) => fn.countAll<string>().as('total'));
  if (q) query = query.where('email', 'like', holding(q));
  return Number((await query.executeTakeFirstOrThrow()).total);
}

const holding = (text: string) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
