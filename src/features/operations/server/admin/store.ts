import { type Selectable, sql } from 'kysely';
import { MOST_USERS, type OutboxMail } from '#features/operations/contract/admin.ts';
import type { Db, Tables } from '#kernel/db.ts';

export type AuditRow = {
  id: number;
  at: string;
  action: string;
  actor_id: number | null;
  subject_id: number | null;
  details: Record<string, unknown>;
  network: string | null;
};

export type AuditFilter = {
  /** A full action, or its noun. */
  action?: string | undefined;
  actors?: readonly number[] | undefined;
  subjects?: readonly number[] | undefined;
  /** First moment, and the one after the last. */
  from?: Date | undefined;
  end?: Date | undefined;
  before?: number | undefined;
};

/** Newest first. */
export async function newestEntries(db: Db, filter: AuditFilter, count: number): Promise<AuditRow[]> {
  const { action, actors, subjects, from, end, before } = filter;
  let query = db
    .selectFrom('audit_log')
    .select(['id', 'at', 'action', 'actor_id', 'subject_id', 'details', 'network'])
    .orderBy('id', 'desc')
    .limit(count);
  if (action !== undefined) {
    const noun = `${action.replaceAll(/[\\%_]/g, String.raw`\$&`)}.%`;
    query = query.where((eb) => eb.or([eb('action', '=', action), eb('action', 'like', noun)]));
  }
  if (actors) query = query.where(sql<boolean>`actor_id = any(${[...actors]}::bigint[])`);
  if (subjects) query = query.where(sql<boolean>`subject_id = any(${[...subjects]}::bigint[])`);
  if (from) query = query.where('at', '>=', from.toISOString());
  if (end) query = query.where('at', '<', end.toISOString());
  if (before !== undefined) query = query.where('id', '<', before);
  return query.execute();
}

type Row = Selectable<Tables['mail_outbox']>;
const COLUMNS = ['id', 'address', 'subject', 'kind', 'state', 'note', 'created_at', 'sent_at'] as const;

const toOutboxMail = (row: Pick<Row, (typeof COLUMNS)[number]>): OutboxMail => ({
  id: row.id,
  to: row.address,
  subject: row.subject,
  kind: row.kind,
  state: row.state,
  note: row.note,
  createdAt: row.created_at,
  sentAt: row.sent_at,
});

/** Escapes LIKE wildcards so that a search is literal. */
const containing = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

type WantedMail = { q: string | undefined; before: number | undefined; count: number };

/** Newest first; `q` searches address and subject. */
export async function newestMails(db: Db, { q, before, count }: WantedMail): Promise<OutboxMail[]> {
  let query = db.selectFrom('mail_outbox').select(COLUMNS).orderBy('id', 'desc').limit(count);
  if (before !== undefined) query = query.where('id', '<', before);
  if (q) {
    const pattern = containing(q);
    query = query.where((eb) => eb.or([eb('address', 'ilike', pattern), eb('subject', 'ilike', pattern)]));
  }
  return (await query.execute()).map(toOutboxMail);
}

/** `sealed` is null when the body has been deleted. */
export async function findMail(db: Db, id: number): Promise<{ mail: OutboxMail; sealed: string | null } | undefined> {
  const row = await db
    .selectFrom('mail_outbox')
    .select([...COLUMNS, 'body'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { mail: toOutboxMail(row), sealed: row.body };
}

export async function findEmail(db: Db, userId: number): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return user?.email;
}

/** Drops the pending email of an address. */
export async function dropMail(tx: Db, address: string, note: string): Promise<void> {
  await tx
    .updateTable('mail_outbox')
    .set({ state: 'failed', note, next_at: null })
    .where('address', '=', address)
    .where('state', '=', 'waiting')
    .execute();
}

export type ListedUser = {
  id: number;
  email: string;
  emailVerified: boolean;
  role: 'user' | 'admin';
  isDisabled: boolean;
  createdAt: string;
};

type WantedUsers = { q: string | undefined } | { id: number };

/** Newest first; `q` matches literally anywhere in the address. */
export async function findUsers(db: Db, wanted: WantedUsers): Promise<ListedUser[]> {
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

/** Why, when and by whom; undefined when the account is not disabled or does not exist. */
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

/** The addresses of the accounts that still exist. */
export async function findEmails(db: Db, ids: readonly (number | null)[]): Promise<Map<number, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const { rows } = await sql<{
    id: number;
    email: string;
  }>`select id, email from users where id = any(${known}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** Ids of at most `most` accounts with `q` in their address, newest first. */
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
