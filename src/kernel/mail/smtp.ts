import type { Transporter } from 'nodemailer';

import { messageOf } from '../errors.ts';

export type MailMessage = {
  /** Its purpose, such as 'reset'. */
  kind: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  headers?: Record<string, string>;
  /** Notification email: sent after account email. */
  bulk?: boolean;
  /** Not sent after this time. */
  expiresAt?: Date;
  /** The notifications it carries: each of them has at most one email. */
  deliveryIds?: readonly number[];
};

/** The part of an email that is sealed at rest. */
export type MailBody = Required<Pick<MailMessage, 'html' | 'text' | 'headers'>>;

const LONGEST_LINE = 250;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const ADDRESS = /^[^\s<>@,;:"()[\]\\\p{Cc}]+@[^\s<>@,;:"()[\]\\\p{Cc}]+$/u;
const HEADER_NAME = /^[A-Za-z][A-Za-z-]*$/;

/** One visible line: no line break, no hidden or direction-changing characters, within the header limit. */
export function oneLine(text: string, longest = LONGEST_LINE): string {
  const line = text.toWellFormed().replaceAll(UNSEEN, ' ').replaceAll(/ {2,}/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line;
}

/** True for exactly one valid address. */
export const isPlainAddress = (text: string): boolean => ADDRESS.test(text);

/** The email as it may be stored and sent; throws unless the address is exactly one. */
export function checkedMessage({
  kind,
  to,
  subject,
  html,
  text,
  headers = {},
}: MailMessage): Omit<Required<MailMessage>, 'bulk' | 'expiresAt' | 'deliveryIds'> {
  if (!isPlainAddress(to)) throw new Error('A mail needs one plain address');
  const checked = Object.entries(headers).map(([name, value]) => {
    if (!HEADER_NAME.test(name)) throw new Error(`A mail header cannot be called ${JSON.stringify(name)}`);
    return [name, oneLine(value, 900)];
  });
  return { kind, to, subject: oneLine(subject), html, text, headers: Object.fromEntries(checked) };
}

export type Letter = Required<Omit<MailMessage, 'kind' | 'bulk' | 'expiresAt' | 'deliveryIds'>> & {
  messageId: string;
  date: Date;
};
export type Outcome =
  | { state: 'sent' }
  /** Retrying is pointless. `address`: the address of the recipient is refused. */
  | { state: 'refused'; note: string; address: boolean }
  /** `away`: the server itself fails, so the next email would fail too. */
  | { state: 'later'; note: string; away: boolean; address: boolean };

export type Smtp = { send: (letter: Letter) => Promise<Outcome>; close: () => void };

export const AT_ONCE = 5;
const SEND_LIMIT_MS = 60_000;
const STEP_LIMIT_MS = 15_000;

type SmtpFailure = { code?: string; responseCode?: number; command?: string };

/** Class 7 status codes are policy: the sender is refused, not the address (RFC 3463). */
const POLICY = /\b[45]\.7\.\d/;

function outcomeOf(error: unknown): Outcome {
  const note = oneLine(messageOf(error), 300);
  const { code = '', responseCode = 0, command } = error as SmtpFailure;
  const address = command === 'RCPT TO' && responseCode !== 421 && !POLICY.test(note);
  if (code === 'EAUTH') return { state: 'later', note, away: true, address: false };
  if (responseCode >= 500 && responseCode !== 503) return { state: 'refused', note, address };
  if (code === 'EENVELOPE' && responseCode === 0) return { state: 'refused', note, address: false };
  return { state: 'later', note, away: responseCode === 0 || responseCode === 421, address };
}

/** 'Name <address>' or an address. */
export function mailbox(text: string): { name: string; address: string } {
  const [, name = '', address = text] = /^(.+) <(.+)>$/.exec(text) ?? [];
  return { name, address };
}

/** A connection pool to the operator's mail server. */
export async function openSmtp(url: string, sender: string): Promise<Smtp> {
  // Loaded lazily, for installations without a mail server.
  const { createTransport } = await import('nodemailer');
  const pool: Transporter = createTransport({
    url,
    pool: true,
    maxConnections: AT_ONCE,
    // For an idle connection that the server has closed; other failures are retried by the outbox.
    maxRequeues: 1,
    connectionTimeout: STEP_LIMIT_MS,
    greetingTimeout: STEP_LIMIT_MS,
    socketTimeout: 2 * STEP_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const from = mailbox(sender);
  return {
    async send({ to, headers, ...letter }) {
      try {
        await pool.sendMail({
          ...letter,
          from,
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
          signal: AbortSignal.timeout(SEND_LIMIT_MS),
        });
        return { state: 'sent' };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    close: () => pool.close(),
  };
}
