import type { Selectable } from 'kysely';
import type { OutboxMail } from '#features/operations/contract/admin.ts';
import type { Db, Tables } from '#kernel/db.ts';

type Row = Selectable<Tables['mail_outbox']>;
const COLUMNS = ['id', 'address', 'subject', 'kind', 'state', 'note', 'created_at', 'sent_at'] as const;

const mailOf = (row: Pick<Row, (typeof COLUMNS)[number]>): OutboxMail => ({
  id: row.id,
  to: row.address,
  subject: row.subject,
  kind: row.kind,
  state: row.state,
  note: row.note,
  createdAt: row.created_at,
  sentAt: row.sent_at,
});

/** A search finds its own signs, not patterns. */
const containing = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

type Wanted = { q: string | undefined; before: number | undefined; count: number };

/** Newest first; `q` searches address and subject. */
export async function newestMails(db: Db, { q, before, count }: Wanted): Promise<OutboxMail[]> {
  let query = db.selectFrom('mail_outbox').select(COLUMNS).orderBy('id', 'desc').limit(count);
  if (before !== undefined) query = query.where('id', '<', before);
  if (q) {
    const pattern = containing(q);
    query = query.where((eb) => eb.or([eb('address', 'ilike', pattern), eb('subject', 'ilike', pattern)]));
  }
  return (await query.execute()).map(mailOf);
}

/** `sealed` is null for a body that was wiped. */
export async function findMail(db: Db, id: number): Promise<{ mail: OutboxMail; sealed: string | null } | undefined> {
  const row = await db
    .selectFrom('mail_outbox')
    .select([...COLUMNS, 'body'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { mail: mailOf(row), sealed: row.body };
}

export async function addressOf(db: Db, userId: number): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return user?.email;
}

/** What waits for an address is not sent. */
export async function dropMail(tx: Db, address: string, note: string): Promise<void> {
  await tx
    .updateTable('mail_outbox')
    .set({ state: 'failed', note, next_at: null })
    .where('address', '=', address)
    .where('state', '=', 'waiting')
    .execute();
}
