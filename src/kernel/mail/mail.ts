import { createHash, randomBytes } from 'node:crypto';

import type { DataMode } from '#shared/provenance.ts';

import { wait } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db.ts';
import type { ReportError } from '../error-reports.ts';
import type { Listener } from '../listener.ts';
import type { Log } from '../log.ts';
import { type Secrets, UnreadableSecretError } from '../secrets.ts';
import { createThrottle } from '../throttle.ts';
import {
  addMail,
  type Bounce,
  claimMail,
  findMailByViewHash,
  findMailDeliveries,
  MAIL_CHANNEL,
  markFailed,
  markForRetry,
  markSent,
  type PendingMail,
} from './outbox.ts';
import {
  MAX_CONNECTIONS,
  type MailBody,
  type MailMessage,
  mailbox,
  type Outcome,
  openSmtp,
  type Smtp,
  validateMessage,
} from './smtp.ts';

type Deps = {
  db: Db;
  config: Config;
  mode: DataMode;
  now: () => Date;
  log: Log;
  report: ReportError;
  secrets: Secrets;
};

/** An email with a final outcome. */
export type SettledMail = Pick<PendingMail, 'id' | 'kind' | 'address'> & {
  /** The notifications it carried. */
  deliveryIds: number[];
  at: Date;
  end: { state: 'sent' } | { state: 'failed'; note: string; bounce: Bounce | null };
};

export type Mail = {
  /** 'outbox': nothing leaves this machine; emails are stored for the admin pages. */
  delivery: 'smtp' | 'outbox';
  /** Part of the caller's transaction. `demoMail` is where demo mode shows the email. */
  enqueue: (tx: Db, message: MailMessage) => Promise<{ id: number; demoMail: string | null }>;
  /** Sends pending emails and returns how many were sent. A process without the current key leaves them to others. */
  deliver: (signal?: AbortSignal) => Promise<number>;
  /** Called with the outcome of each email, in the transaction that records it. */
  onSettled: (listener: (tx: Db, mail: SettledMail) => Promise<void>) => void;
  /** Delivers as soon as any process has posted. Only workers call it. */
  listen: (listener: Listener) => Promise<void>;
  /** The body; undefined when it was sealed with another key. */
  openBody: (sealed: string) => MailBody | undefined;
  findDemoMail: (token: string) => Promise<{ to: string; subject: string; html: string } | undefined>;
  close: () => Promise<void>;
};

const RETRY_SECONDS = [30, 120, 600, 3600, 3600];
const MAX_ATTEMPTS = RETRY_SECONDS.length + 1;
/** Longer than any send may take. */
const CLAIM_MS = 5 * 60_000;
const DEMO_MAIL_MS = 24 * 3_600_000;
const DELIVERY_INTERVAL_MS = 250;
const GRACE_MS = 4_000;

const rejected = (note: string): Outcome => ({ state: 'refused', note, address: false });
const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** True when addresses must be confirmed before the first sign-in. */
export function isConfirmationRequired({ EMAIL_CONFIRMATION, SMTP_URL }: Config, mode: DataMode): boolean {
  if (EMAIL_CONFIRMATION !== 'auto') return EMAIL_CONFIRMATION === 'on';
  return mode === 'demo' || SMTP_URL !== undefined;
}

/** Emails are stored first: posted with the change they report, sent after the commit, retried until delivered. */
export function openMail({ db, config, mode, now, log, report, secrets }: Deps): Mail {
  const address = mode === 'live' ? config.SMTP_URL : undefined;
  const domain = mailbox(config.MAIL_FROM).address.split('@')[1] ?? '';
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const listeners: ((tx: Db, mail: SettledMail) => Promise<void>)[] = [];
  let smtp: Promise<Smtp> | null = null;
  if (address && domain.endsWith('.example')) log.warn('SMTP_URL is set but MAIL_FROM is not: emails may be rejected');

  const deliveryThrottle = createThrottle(
    DELIVERY_INTERVAL_MS,
    async () => void (await deliver()),
    (error) => report('mail', 'system', 'Failed to deliver email', error),
  );

  /** The same for every try of a row, and unique across installations. */
  const messageId = ({ id, created_at }: PendingMail) =>
    `<${id}.${secrets.lastingMac('message-id', `${id} ${created_at}`).toString('hex').slice(0, 24)}@${domain}>`;

  function openBody(sealed: string): MailBody | undefined {
    try {
      return JSON.parse(secrets.open(sealed)) as MailBody;
    } catch (error) {
      if (error instanceof UnreadableSecretError) return undefined;
      throw error;
    }
  }

  async function send(mail: PendingMail, server: Smtp): Promise<Outcome> {
    if (mail.expires_at !== null && new Date(mail.expires_at) <= now())
      return rejected(mail.note ? `${mail.note}; expired since` : 'Expired before it could be sent');
    if (mail.tries > MAX_ATTEMPTS) return rejected('The last attempt did not complete.');
    const body = openBody(mail.body);
    if (!body) return rejected('The email was encrypted with a different secret key.');
    const { address: to, subject } = mail;
    return server.send({ to, subject, ...body, date: new Date(mail.created_at), messageId: messageId(mail) });
  }

  async function recordOutcome(mail: PendingMail, outcome: SettledMail['end']): Promise<void> {
    const { id, kind, address } = mail;
    const at = now();
    await db.transaction().execute(async (tx) => {
      if (outcome.state === 'sent') await markSent(tx, id, at);
      else if (!(await markFailed(tx, mail, outcome.note, outcome.bounce))) return;
      const deliveryIds = listeners.length > 0 ? await findMailDeliveries(tx, id) : [];
      for (const listener of listeners) await listener(tx, { id, kind, address, deliveryIds, at, end: outcome });
    });
  }

  async function settle(mail: PendingMail, outcome: Outcome): Promise<void> {
    if (outcome.state === 'sent') return recordOutcome(mail, { state: 'sent' });
    const { state, note } = outcome;
    const details = { mail: mail.id, kind: mail.kind, note };
    const seconds = state === 'later' ? RETRY_SECONDS[mail.tries - 1] : undefined;
    if (seconds !== undefined) {
      const next = new Date(now().getTime() + seconds * 1000);
      await markForRetry(db, mail, note, next, outcome.address ? 'soft' : mail.bounce);
      if (state === 'later' && outcome.isServerAway) report('mail', 'system', 'Mail server failing', details);
      return undefined;
    }
    const severity = state === 'refused' ? 'hard' : 'soft';
    await recordOutcome(mail, { state: 'failed', note, bounce: outcome.address ? severity : mail.bounce });
    report('mail', 'system', 'Failed to deliver an email', details);
    return undefined;
  }

  async function sendPending(server: Smtp, signal: AbortSignal): Promise<number> {
    let sent = 0;
    let isServerAway = false;
    const sendLoop = async () => {
      while (!isServerAway && !signal.aborted) {
        const mail = await claimMail(db, now(), new Date(now().getTime() + CLAIM_MS));
        if (!mail) return;
        const outcome = await send(mail, server);
        if (outcome.state === 'sent') sent += 1;
        if (outcome.state === 'later' && outcome.isServerAway) isServerAway = true;
        await settle(mail, outcome);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONNECTIONS }, sendLoop));
    return sent;
  }

  async function deliver(signal?: AbortSignal): Promise<number> {
    if (!address || closing.signal.aborted || secrets.isOutdated()) return 0;
    smtp ??= openSmtp(address, config.MAIL_FROM);
    const run = sendPending(await smtp, signal ? AbortSignal.any([signal, closing.signal]) : closing.signal);
    running.add(run);
    return run.finally(() => running.delete(run));
  }

  return {
    delivery: address ? 'smtp' : 'outbox',
    async enqueue(tx, message) {
      const { kind, to, subject, html, text, headers } = validateMessage(message);
      const body: MailBody = { html, text, headers };
      const { bulk = false, expiresAt, deliveryIds = [] } = message;
      const token = mode === 'demo' ? randomBytes(24).toString('base64url') : null;
      const created_at = now().toISOString();
      const mail = {
        kind,
        address: to,
        subject,
        state: address ? ('waiting' as const) : ('kept' as const),
        body: secrets.seal(JSON.stringify(body)),
        created_at,
        next_at: address ? created_at : null,
        view_hash: token ? sha256(token) : null,
        bulk,
        expires_at: expiresAt?.toISOString() ?? null,
      };
      const id = await addMail(tx, mail, deliveryIds);
      return { id, demoMail: token && `/demo-mail/${token}` };
    },
    deliver,
    onSettled: (listener) => void listeners.push(listener),
    openBody,
    async listen(listener) {
      if (address) await listener.listen(MAIL_CHANNEL, deliveryThrottle.trigger, deliveryThrottle.trigger);
    },
    async findDemoMail(token) {
      const since = new Date(now().getTime() - DEMO_MAIL_MS);
      const mail = mode === 'demo' ? await findMailByViewHash(db, sha256(token), since) : undefined;
      const body = mail?.body ? openBody(mail.body) : undefined;
      return mail && body && { to: mail.address, subject: mail.subject, html: body.html };
    },
    async close() {
      closing.abort();
      deliveryThrottle.stop();
      await Promise.race([Promise.allSettled(running), wait(GRACE_MS)]);
      (await smtp)?.close();
    },
  };
}
