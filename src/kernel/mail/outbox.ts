import { type Generated, sql } from 'kysely';

import type { Db } from '../db.ts';

type MailState = 'kept' | 'waiting' | 'sent' | 'failed';

interface MailOutboxTable {
  id: Generated<number>;
  kind: string;
  address: string;
  subject: string;
  state: MailState;
  /** Sealed; null after the email is sent. */
  body: string | null;
  note: string | null;
  tries: Generated<number>;
  created_at: string;
  next_at: string | null;
  sent_at: string | null;
  /** Demo mode only: SHA-256 of the token that shows the email. */
  view_hash: Buffer | null;
  bulk: Generated<boolean>;
  /** Not sent after this time. */
  expires_at: string | null;
  /** How the address was refused at the last try that reached it; null also after the bounce is cleared. */
  bounce: Bounce | null;
}

/** `hard`: permanent; `soft`: temporary on each try, until the tries were used up. */
export type Bounce = 'hard' | 'soft';

/** Notifications have their own log: no foreign key, as either row may be deleted first. */
type MailDeliveriesTable = { delivery_id: number; mail_id: number };

declare module '../db.ts' {
  interface Tables {
    mail_outbox: MailOutboxTable;
    mail_deliveries: MailDeliveriesTable;
  }
}

export type NewMail = Pick<
  MailOutboxTable,
  'kind' | 'address' | 'subject' | 'state' | 'created_at' | 'next_at' | 'view_hash' | 'expires_at'
> & { body: string; bulk: boolean };
export type PendingMail = {
  id: number;
  kind: string;
  address: string;
  subject: string;
  body: string;
  created_at: string;
  /** The current try, from 1. */
  tries: number;
  expires_at: string | null;
  /** Of the previous try. */
  note: string | null;
  bounce: Bounce | null;
};

/** Wakes the workers when the transaction that posted commits. */
export const MAIL_CHANNEL = 'mail_posted';
const RETENTION_DAYS = 30;

export async function addMail(db: Db, mail: NewMail, deliveryIds: readonly number[]): Promise<number> {
  const { id } = await db.insertInto('mail_outbox').values(mail).returning('id').executeTakeFirstOrThrow();
  if (deliveryIds.length > 0)
    await sql`insert into mail_deliveries (delivery_id, mail_id)
      select each, ${id}::bigint from unnest(${[...deliveryIds]}::bigint[]) each`.execute(db);
  if (mail.state === 'waiting') await sql`select pg_notify(${MAIL_CHANNEL}, '')`.execute(db);
  return id;
}

/** Claims one due email until `until`; the claim of a dead process expires. */
export async function claimMail(db: Db, now: Date, until: Date): Promise<PendingMail | undefined> {
  const { rows } = await sql<PendingMail>`update mail_outbox
    set tries = tries + 1, next_at = ${until.toISOString()}
    where id = (
      select id from mail_outbox where state = 'waiting' and next_at <= ${now.toISOString()}
      order by bulk, next_at, id limit 1 for update skip locked
    )
    returning id, kind, address, subject, body, created_at, tries, expires_at, note, bounce`.execute(db);
  return rows[0];
}

export async function markSent(db: Db, id: number, now: Date): Promise<void> {
  const sent = {
    state: 'sent',
    body: null,
    note: null,
    next_at: null,
    sent_at: now.toISOString(),
    bounce: null,
  } as const;
  await db.updateTable('mail_outbox').set(sent).where('id', '=', id).execute();
}

/** The current try; a later one belongs to another process. */
type Attempt = Pick<PendingMail, 'id' | 'tries'>;

export async function markForRetry(
  db: Db,
  { id, tries }: Attempt,
  note: string,
  next: Date,
  bounce: Bounce | null,
): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ note, next_at: next.toISOString(), bounce })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('state', '=', 'waiting')
    .execute();
}

/** False when another process has already settled it. */
export async function markFailed(
  db: Db,
  { id, tries }: Attempt,
  note: string,
  bounce: Bounce | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mail_outbox')
    .set({ note, next_at: null, state: 'failed', bounce })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The notifications that an email carries. */
export async function findMailDeliveries(db: Db, mailId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('mail_deliveries')
    .select('delivery_id')
    .where('mail_id', '=', mailId)
    .orderBy('delivery_id')
    .execute();
  return rows.map(({ delivery_id }) => delivery_id);
}

export async function findMailByViewHash(db: Db, hash: Buffer, since: Date) {
  return db
    .selectFrom('mail_outbox')
    .select(['address', 'subject', 'body'])
    .where('view_hash', '=', hash)
    .where('created_at', '>', since.toISOString())
    .executeTakeFirst();
}

export async function deleteOldMails(db: Db, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - RETENTION_DAYS * 86_400_000).toISOString();
  await db.deleteFrom('mail_outbox').where('created_at', '<', limit).execute();
}
