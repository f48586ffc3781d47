import { sql } from 'kysely';

import type { AlertDraft } from '#features/alerts/server/alerts/raise.ts';

import { createDraft, raise } from './alerts.ts';
import type { TestUser } from './people.ts';
import { type ReceivedEmail, type SmtpSink, startSmtpSink } from './smtp-sink.ts';
import { start, type TestProduct } from './start.ts';

export const SITE = 'https://meridian.test';

/** A product that sends email to a mail server on loopback, and that server. */
export async function startWithMail(env: Record<string, string> = {}): Promise<{ s: TestProduct; sink: SmtpSink }> {
  const sink = await startSmtpSink();
  const settings = { SMTP_URL: sink.url, MAIL_FROM: 'Meridian <mail@meridian.test>', PUBLIC_URL: SITE };
  return { s: await start({ env: { ...settings, EMAIL_CONFIRMATION: 'off', ...env } }), sink };
}

/** An alert of a custom rule, sent by email if the mail server accepts it. */
export async function emailAlert(
  s: TestProduct,
  { id }: TestUser,
  once: string,
  overrides: Partial<AlertDraft> = {},
): Promise<void> {
  await raise(s, [createDraft(once, { own: { userId: id, ruleId: 1 }, sourceAt: s.clock.now(), ...overrides })]);
  await s.product.notifications.deliver();
  await s.product.mail.deliver();
}

export type EmailDelivery = { state: string; note: string | null; tries: number; sent_at: string | null };

/** Email deliveries to a user, oldest first. */
export async function readDeliveries(s: TestProduct, { id }: TestUser): Promise<EmailDelivery[]> {
  const { rows } = await sql<EmailDelivery>`select state, note, tries, sent_at from notification_deliveries
    where user_id = ${id} and channel = 'email' order by id`.execute(s.product.market.ctx.db);
  return rows;
}

export const headerOf = (mail: ReceivedEmail | undefined, name: string): string | undefined =>
  mail?.headers.find(({ key }) => key === name.toLowerCase())?.value;

/** Path and query of the unsubscribe link. */
export function unsubscribeLink(mail: ReceivedEmail | undefined): string {
  const [, link = ''] = /^<(.+)>$/.exec(headerOf(mail, 'List-Unsubscribe') ?? '') ?? [];
  const { origin, pathname, search } = new URL(link);
  if (origin !== SITE) throw new Error(`The link leads to ${origin}`);
  return pathname + search;
}
