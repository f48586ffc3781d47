import type { Channel, Delivery, Outcome, Settle } from '#features/notifications/server/notifications/channel.ts';
import type { Db } from '#kernel/db.ts';
import { isConfirmationRequired } from '#kernel/mail/mail.ts';
import type { MailMessage } from '#kernel/mail/smtp.ts';

import type { EmailContext } from './context.ts';
import { isReminder, noticeMail, remindersMail } from './mails/notice.ts';
import {
  findHandedMails,
  findRecipients,
  type Handed,
  lockDeliveries,
  type Recipient,
  reachable,
  releaseDeliveries,
} from './store.ts';
import { createAddressHash, pausedNote, trackMails } from './suppressions.ts';

const BATCH = 50;

/** Note on an email that does not leave the machine. */
export const STORED_NOTE: Record<EmailContext['mode'], string> = {
  demo: 'Demo mode sends no email: saved to the outbox',
  live: 'No mail server configured: saved to the outbox',
};

/** Deliveries sent as one email: all event reminders of a user, or a single notice. */
type MailGroup = { to: Recipient; deliveries: readonly Delivery[] };

/** Why no email is sent; null when it is. */
export function suppressionReason(
  { config, mode }: Pick<EmailContext, 'config' | 'mode'>,
  recipient: Recipient | undefined,
): { state: 'dropped'; note: string } | null {
  if (!recipient) return { state: 'dropped', note: 'The account was deleted' };
  if (isConfirmationRequired(config, mode) && !recipient.confirmed)
    return { state: 'dropped', note: 'Your address is not confirmed' };
  return recipient.suppression && { state: 'dropped', note: pausedNote(recipient.suppression) };
}

export const loadRecipients = (
  { now, secrets }: Pick<EmailContext, 'now' | 'secrets'>,
  db: Db,
  ids: readonly number[],
): Promise<Map<number, Recipient>> => findRecipients(db, ids, now(), createAddressHash(secrets));

/** Merges the event reminders of a user into one email, in the position of the first. */
function withReminders(letters: readonly MailGroup[]): MailGroup[] {
  const groups = Map.groupBy(letters, ({ to, deliveries: [delivery] }) =>
    delivery && isReminder(delivery.notice) ? `events ${to.id}` : `one ${delivery?.id}`,
  );
  return [...groups.values()].map((own) => ({
    to: (own[0] as MailGroup).to,
    deliveries: own.flatMap(({ deliveries }) => deliveries),
  }));
}

/**
 * Notifications by email. Emails are first stored as rows, one transaction per batch; the mail server's response
 * settles the delivery.
 */
export function emailChannel({ settle, ...ctx }: EmailContext & { settle: Settle }): Channel {
  ctx.mail.onSettled(trackMails({ secrets: ctx.secrets, settle }));
  const confirmed = isConfirmationRequired(ctx.config, ctx.mode);

  /** Outcome of an email from an earlier attempt; null when a new one is needed. */
  function toOutcome(mail: Handed | undefined): Outcome | null {
    if (!mail || mail.state === 'failed') return null;
    if (mail.state === 'kept') return { state: 'sent', note: STORED_NOTE[ctx.mode] };
    return mail.state === 'sent' ? { state: 'sent' } : { state: 'handed' };
  }

  function buildMail(to: Recipient, deliveries: readonly Delivery[]): Promise<MailMessage> {
    const reminders = deliveries.flatMap(({ id: deliveryId, notice }) =>
      isReminder(notice) ? [{ notice, deliveryId }] : [],
    );
    if (reminders.length > 1) return remindersMail(ctx, to, reminders);
    const [{ id: deliveryId, notice }] = deliveries as [Delivery];
    return noticeMail(ctx, { notice, to, deliveryId });
  }

  async function post(tx: Db, letters: readonly MailGroup[]): Promise<Map<number, Outcome>> {
    const ids = letters.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    await lockDeliveries(tx, ids);
    const before = new Map((await findHandedMails(tx, ids)).map((mail) => [mail.deliveryId, mail]));
    await releaseDeliveries(
      tx,
      ids.filter((id) => before.get(id)?.state === 'failed'),
    );
    const outcomes = new Map<number, Outcome>();
    const state = ctx.mail.delivery === 'smtp' ? 'waiting' : 'kept';
    for (const { to, deliveries } of letters) {
      const due = deliveries.filter(({ id }) => !toOutcome(before.get(id)));
      if (due.length > 0) await ctx.mail.enqueue(tx, await buildMail(to, due));
      for (const { id } of deliveries) {
        const posted = toOutcome({ deliveryId: id, state, note: null }) as Outcome;
        outcomes.set(id, toOutcome(before.get(id)) ?? posted);
      }
    }
    return outcomes;
  }

  return {
    name: 'email',
    get reach() {
      return reachable(ctx.now(), confirmed);
    },
    perSecond: null,
    gathersReminders: true,
    batch: BATCH,
    async send(deliveries) {
      const ids = deliveries.map(({ userId }) => userId);
      const recipients = await loadRecipients(ctx, ctx.db, ids);
      const refused = new Map<number, Outcome>();
      const letters: MailGroup[] = [];
      for (const delivery of deliveries) {
        const to = recipients.get(delivery.userId);
        const outcome = suppressionReason(ctx, to);
        if (outcome || !to) refused.set(delivery.id, outcome as Outcome);
        else letters.push({ to, deliveries: [delivery] });
      }
      const posted = await ctx.db.transaction().execute((tx) => post(tx, withReminders(letters)));
      return deliveries.map(({ id }) => (refused.get(id) ?? posted.get(id)) as Outcome);
    },
  };
}
