import { type RawBuilder, sql } from 'kysely';

import type { SuppressionReason } from '#features/notifications/contract/email.ts';
import type { Db } from '#kernel/db.ts';

type MailSuppressionsTable = {
  /** Keyed hash: the address cannot be recovered from it. */
  address_hash: Buffer;
  /** Owner of the address at the time of the refusal. */
  user_id: number;
  reason: SuppressionReason;
  /** The mail server's message. */
  note: string;
  until: string | null;
  at: string;
};

declare module '#kernel/db.ts' {
  interface Tables {
    mail_suppressions: MailSuppressionsTable;
  }
}

/** Suppressions from before the address was confirmed no longer count. */
const holds = (now: Date) => sql<boolean>`s.at >= coalesce(u.email_verified_at, u.created_at)
  and (s.until is null or s.until > ${now.toISOString()})`;

/** Users that notification email can currently reach. */
export const reachable = (now: Date, confirmed: boolean): RawBuilder<{ user_id: number }> => sql<{ user_id: number }>`
  select u.id as user_id from users u
  where (u.email_verified_at is not null or not ${sql.lit(confirmed)})
    and not exists (select from mail_suppressions s where s.user_id = u.id and ${holds(now)})`;

export type Suppression = { reason: SuppressionReason; note: string; until: string | null; at: string };
export type Recipient = {
  id: number;
  email: string;
  confirmed: boolean;
  timeZone: string;
  suppression: Suppression | null;
};

/** `hashOf` is the keyed hash of an address. */
export async function findRecipients(
  db: Db,
  ids: readonly number[],
  now: Date,
  hashOf: (email: string) => Buffer,
): Promise<Map<number, Recipient>> {
  const users = await db
    .selectFrom('users')
    .select(['id', 'email', 'email_verified_at', 'created_at'])
    .select(sql<string>`notification_preferences->>'timeZone'`.as('time_zone'))
    .where('id', 'in', ids.length > 0 ? [...new Set(ids)] : [0])
    .execute();
  const hashes = users.map(({ email }) => hashOf(email));
  const rows = hashes.length
    ? await db
        .selectFrom('mail_suppressions')
        .select(['address_hash', 'reason', 'note', 'until', 'at'])
        .where('address_hash', 'in', hashes)
        .execute()
    : [];
  const byHash = new Map(rows.map((row) => [row.address_hash.toString('hex'), row]));
  return new Map(
    users.map((user, index) => {
      const row = byHash.get(hashes[index]?.toString('hex') ?? '');
      const since = user.email_verified_at ?? user.created_at;
      const isHeld = row !== undefined && row.at >= since && (row.until === null || row.until > now.toISOString());
      const { id, email, email_verified_at, time_zone: timeZone } = user;
      const suppression = isHeld ? { reason: row.reason, note: row.note, until: row.until, at: row.at } : null;
      return [id, { id, email, confirmed: email_verified_at !== null, timeZone, suppression }];
    }),
  );
}

type NewSuppression = Suppression & { hash: Buffer; email: string };

/**
 * Nothing is stored for an address without an account, as it gets no notifications. A later response replaces an
 * earlier one, but a permanent refusal is not downgraded.
 */
export async function suppress(db: Db, { hash, email, reason, note, until, at }: NewSuppression): Promise<void> {
  await sql`insert into mail_suppressions as s (address_hash, user_id, reason, note, until, at)
    select ${hash}, id, ${reason}, ${note}, ${until}::timestamptz, ${at}::timestamptz from users where email = ${email}
    on conflict (address_hash) do update set user_id = excluded.user_id, reason = excluded.reason, note = excluded.note,
      until = excluded.until, at = excluded.at
    where s.reason <> 'refused' or excluded.reason = 'refused'`.execute(db);
}

/** Emails to an address abandoned since then because it was unreachable each time. */
export async function countSoftBounces(db: Db, address: string, since: Date): Promise<number> {
  const { n } = await db
    .selectFrom('mail_outbox')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('address', '=', address)
    .where('bounce', '=', 'soft')
    .where('state', '=', 'failed')
    .where('created_at', '>', since.toISOString())
    .executeTakeFirstOrThrow();
  return n;
}

/** Removes the suppression of an address. `only` limits it to one reason. */
export async function deleteSuppression(
  db: Db,
  hash: Buffer,
  address: string,
  only?: SuppressionReason,
): Promise<void> {
  let query = db.deleteFrom('mail_suppressions').where('address_hash', '=', hash);
  if (only) query = query.where('reason', '=', only);
  await query.execute();
  await db
    .updateTable('mail_outbox')
    .set({ bounce: null })
    .where('address', '=', address)
    .where('bounce', '=', 'soft')
    .execute();
}

/** Disables notification email for an account and returns its address; undefined when the account does not exist. */
export async function disableEmail(db: Db, userId: number): Promise<{ email: string; changed: boolean } | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['email', 'notify_email'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!user) return undefined;
  if (user.notify_email) await db.updateTable('users').set({ notify_email: false }).where('id', '=', userId).execute();
  return { email: user.email, changed: user.notify_email };
}

export type Handed = { deliveryId: number; state: 'kept' | 'waiting' | 'sent' | 'failed'; note: string | null };

/**
 * When a lease ends early, two workers may hold one delivery: the second waits here, then finds the email of the first.
 */
export async function lockDeliveries(tx: Db, deliveryIds: readonly number[]): Promise<void> {
  await sql`select from notification_deliveries where id = any(${[...deliveryIds]}::bigint[])
    order by id for no key update`.execute(tx);
}

/** Existing emails of the deliveries. */
export async function findHandedMails(db: Db, deliveryIds: readonly number[]): Promise<Handed[]> {
  const rows = await db
    .selectFrom('mail_deliveries as d')
    .innerJoin('mail_outbox as m', 'm.id', 'd.mail_id')
    .select(['d.delivery_id', 'm.state', 'm.note'])
    .where(sql<boolean>`d.delivery_id = any(${[...deliveryIds]}::bigint[])`)
    .execute();
  return rows.map(({ delivery_id, state, note }) => ({ deliveryId: delivery_id, state, note }));
}

/** Unlinks deliveries from a failed email, so that another one can be sent. */
export async function releaseDeliveries(db: Db, deliveryIds: readonly number[]): Promise<void> {
  await sql`delete from mail_deliveries where delivery_id = any(${[...deliveryIds]}::bigint[])`.execute(db);
}

type LostDelivery = { deliveryId: number; mail: Omit<Handed, 'deliveryId'> | null };

/** Deliveries handed over before that time whose email is settled or gone. */
export async function lostHanded(db: Db, before: Date, limit: number): Promise<LostDelivery[]> {
  type Row = { id: number; state: Handed['state'] | null; note: string | null };
  const { rows } = await sql<Row>`select d.id, m.state, m.note from notification_deliveries d
    left join mail_deliveries l on l.delivery_id = d.id
    left join mail_outbox m on m.id = l.mail_id
    where d.channel = 'email' and d.state = 'handed' and d.queued_at < ${before.toISOString()}::timestamptz
      and (m.id is null or m.state <> 'waiting')
    order by d.id limit ${limit}`.execute(db);
  return rows.map(({ id, state, note }) => ({ deliveryId: id, mail: state && { state, note } }));
}

/** Removes expired pauses, and refusals after a year, so that delivery is tried once more. */
export async function deleteOldSuppressions(db: Db, now: Date): Promise<void> {
  const yearAgo = new Date(now.getTime() - 365 * 86_400_000).toISOString();
  await sql`delete from mail_suppressions
    where until < ${now.toISOString()}::timestamptz or at < ${yearAgo}::timestamptz`.execute(db);
}
