import type { Transporter } from 'nodemailer';

import { errorMessage } from '../errors.ts';

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

const MAX_LINE_LENGTH = 250;
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const ADDRESS = /^[^\s<>@,;:"()[\]\\\p{Cc}]+@[^\s<>@,;:"()[\]\\\p{Cc}]+$/u;
const HEADER_NAME = /^[A-Za-z][A-Za-z-]*$/;

/** One visible line: no line break, no hidden or direction-changing characters, within the header limit. */
export function oneLine(text: string, longest = MAX_LINE_LENGTH): string {
  const line = text.toWellFormed().replaceAll(INVISIBLE_CHARACTERS, ' ').replaceAll(/ {2,}/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line;
}

/** True for exactly one valid address. */
export const isPlainAddress = (text: string): boolean => ADDRESS.test(text);

/** The email as it may be stored and sent; throws unless the address is exactly one. */
export function validateMessage({
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
  | { state: 'later'; note: string; isServerAway: boolean; address: boolean };

export type Smtp = { send: (letter: Letter) => Promise<Outcome>; close: () => void };

export const MAX_CONNECTIONS = 5;
const SEND_TIMEOUT_MS = 60_000;
const STEP_TIMEOUT_MS = 15_000;

type SmtpFailure = { code?: string; responseCode?: number; command?: string };

/** Class 7 status codes are policy: the sender is refused, not the address (RFC 3463). */
const POLICY = /\b[45]\.7\.\d/;

function toOutcome(error: unknown): Outcome {
  const note = oneLine(errorMessage(error), 300);
  const { code = '', responseCode = 0, command } = error as SmtpFailure;
  const address = command === 'RCPT TO' && responseCode !== 421 && !POLICY.test(note);
  if (code === 'EAUTH') return { state: 'later', note, isServerAway: true, address: false };
  if (responseCode >= 500 && responseCode !== 503) return { state: 'refused', note, address };
  if (code === 'EENVELOPE' && responseCode === 0) return { state: 'refused', note, address: false };
  return { state: 'later', note, isServerAway: responseCode === 0 || responseCode === 421, address };
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
    maxConnections: MAX_CONNECTIONS,
    // For an idle connection that the server has closed; other failures are retried by the outbox.
    maxRequeues: 1,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: 2 * STEP_TIMEOUT_MS,
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
          signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        });
        return { state: 'sent' };
      } catch (error) {
        return toOutcome(error);
      }
    },
    close: () => pool.close(),
  };
}
