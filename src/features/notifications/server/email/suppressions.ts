import type { EmailStatus } from '#features/notifications/contract/email.ts';
import type { Settle } from '#features/notifications/server/notifications/channel.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { SettledMail } from '#kernel/mail/mail.ts';
import { oneLine } from '#kernel/mail/smtp.ts';
import type { Secrets } from '#kernel/secrets.ts';
import { dateTime } from '#shared/format.ts';

import type { EmailContext } from './context.ts';
import { countSoftBounces, deleteSuppression, findRecipients, type Suppression, suppress } from './store.ts';

const DAY_MS = 86_400_000;
const SOFT_BOUNCE_WINDOW_DAYS = 7;
const MAX_SOFT_BOUNCES = 3;
const PAUSE_DAYS = 7;
const MAX_NOTE_LENGTH = 200;
const BEFORE_WORDS = /^Can't send mail - all recipients were rejected: /;

/** The mail server's message, shortened for the log. */
const shortNote = (note: string) => oneLine(note.replace(BEFORE_WORDS, ''), MAX_NOTE_LENGTH);

/** Hash of an address as stored by accounts. */
export const createAddressHash =
  (secrets: Secrets) =>
  (email: string): Buffer =>
    secrets.lastingMac('mail-address', email.toLowerCase());

/** Why email is paused, shown to the owner of the address. */
export function pausedNote({ reason, until, note }: Suppression): string {
  if (reason === 'refused' || until === null) return `Your mail server rejects email to your address: ${note}`;
  return `Three deliveries to your address failed (${note}). Email is paused until ${dateTime(Date.parse(until))}`;
}

type Deps = Pick<EmailContext, 'secrets'> & { settle: Settle };

/** Tracks each email to completion: settles its delivery and updates the suppression of its address. */
export function trackMails({ secrets, settle }: Deps): (tx: Db, mail: SettledMail) => Promise<void> {
  const hashOf = createAddressHash(secrets);

  async function updateSuppression(tx: Db, { address, at, end }: SettledMail): Promise<void> {
    const hash = hashOf(address);
    if (end.state === 'sent') return deleteSuppression(tx, hash, address);
    const { bounce, note } = end;
    if (bounce === null) return undefined;
    const shortened = shortNote(note);
    const details = { hash, email: address, note: shortened, at: at.toISOString() };
    if (bounce === 'hard') return suppress(tx, { ...details, reason: 'refused', until: null });
    const since = new Date(at.getTime() - SOFT_BOUNCE_WINDOW_DAYS * DAY_MS);
    if ((await countSoftBounces(tx, address, since)) < MAX_SOFT_BOUNCES) return undefined;
    const until = new Date(at.getTime() + PAUSE_DAYS * DAY_MS).toISOString();
    return suppress(tx, { ...details, reason: 'unreachable', until });
  }

  return async (tx, mail) => {
    await updateSuppression(tx, mail);
    const { deliveryIds, end } = mail;
    const outcome =
      end.state === 'sent'
        ? { state: 'sent' as const }
        : { state: 'failed' as const, note: failedNote(end.note, end.bounce) };
    for (const id of deliveryIds) await settle(tx, id, outcome);
  };
}

function failedNote(note: string, bounce: 'hard' | 'soft' | null): string {
  const shortened = shortNote(note);
  return bounce === 'hard' ? `${shortened}. Notification email to this address is suspended` : shortened;
}

type Context = Pick<EmailContext, 'db' | 'now' | 'secrets'>;

async function getRecipient({ db, now, secrets }: Context, userId: number) {
  const recipient = (await findRecipients(db, [userId], now(), createAddressHash(secrets))).get(userId);
  if (!recipient) throw new AppError('not_found', 'Account not found');
  return recipient;
}

export async function readStatus(ctx: Context, userId: number): Promise<EmailStatus> {
  const { email, suppression } = await getRecipient(ctx, userId);
  if (!suppression) return { address: email, suppressed: null };
  const { reason, until, at } = suppression;
  return { address: email, suppressed: { reason, until, at, note: pausedNote(suppression) } };
}

/** Returns the same when nothing was paused. */
export async function resume(ctx: Context, userId: number): Promise<EmailStatus> {
  const { email, suppression } = await getRecipient(ctx, userId);
  if (suppression?.reason === 'refused')
    throw new AppError(
      'conflict',
      'This address permanently rejects email. Change it, or make sure it can receive account emails.',
    );
  await deleteSuppression(ctx.db, createAddressHash(ctx.secrets)(email), email, 'unreachable');
  return readStatus(ctx, userId);
}
