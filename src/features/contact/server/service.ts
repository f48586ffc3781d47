import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import {
  type AuthContext,
  canSendMail,
  countAttempt,
  getUser,
  limitNetwork,
  type Origin,
} from '#features/accounts/server/auth/service.ts';
import {
  type Challenge,
  challengeResult,
  findLetterProblem,
  type MessageStatus,
  NO_IMAGE,
  OPERATORS,
  TOO_LARGE,
  WRONG_ANSWER,
} from '#features/contact/contract.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { renderMail } from '#kernel/mail/layout.ts';
import { isPlainAddress, type MailMessage } from '#kernel/mail/smtp.ts';
import type { Caller } from '#kernel/route.ts';
import type { Secrets } from '#kernel/secrets.ts';
import { BRAND } from '#shared/brand.ts';
import type { Form } from './form.ts';
import { addMessage, changeStatus, type Screenshot } from './store.ts';

type Deps = { db: Db; now: () => Date; secrets: Secrets };

const GOOD_SECONDS = 600;
const PURPOSE = 'captcha';
const challengePayload = (id: string, expiry: string, answer: number) => `${id}.${expiry}.${answer}`;

/** The answer is inside the encrypted seal: nothing is stored until it is returned. */
export function createChallenge({ secrets, now }: Deps): Challenge {
  const sum = { a: randomInt(1, 11), b: randomInt(1, 11), operator: OPERATORS[randomInt(OPERATORS.length)] ?? '+' };
  const id = randomBytes(12).toString('base64url');
  const expiry = String(now().getTime() + GOOD_SECONDS * 1000);
  const seal = secrets.mac(PURPOSE, challengePayload(id, expiry, challengeResult(sum))).toString('base64url');
  return { ...sum, challenge: `${id}.${expiry}.${seal}` };
}

const isSame = (given: string, right: Buffer) => {
  const bytes = Buffer.from(given, 'base64url');
  return bytes.length === right.length && timingSafeEqual(bytes, right);
};

const parseChallenge = (challenge: string) => /^([\w-]{16})\.(\d{13})\.([\w-]{43})$/.exec(challenge);

/** True for a correct answer in time. A wrong one uses up the challenge. */
async function isAnswered(deps: Deps, challenge: string, answer: string): Promise<boolean> {
  const [, id, expiry, seal] = parseChallenge(challenge) ?? [];
  if (!id || !expiry || !seal || Number(expiry) <= deps.now().getTime()) return false;
  const right = deps.secrets.macs(PURPOSE, challengePayload(id, expiry, Number(answer)));
  if (/^-?\d{1,3}$/.test(answer) && right.some((mac) => isSame(seal, mac))) return true;
  await useUp(deps, challenge);
  return false;
}

/** True for the first use. */
async function useUp({ db, now }: Deps, challenge: string): Promise<boolean> {
  const { hits } = await countAttempt(db, `captcha:${parseChallenge(challenge)?.[1]}`, GOOD_SECONDS, now());
  return hits === 1;
}

/**
 * Image type from the content, whatever its name: undefined for anything else, for a truncated image, and for one with
 * trailing data.
 */
function detectImageType(bytes: Buffer): string | undefined {
  if (isPng(bytes)) return 'image/png';
  if (isJpeg(bytes)) return 'image/jpeg';
  if (isGif(bytes)) return 'image/gif';
  return isWebp(bytes) ? 'image/webp' : undefined;
}

const PNG_HEAD = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Chunks of length, name, data and checksum: IHDR first, IEND last and nothing after it. */
function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(PNG_HEAD)) return false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(name) || (at === 8 && name !== 'IHDR')) return false;
    at += 12 + length;
    if (name === 'IEND') return length === 0 && at === bytes.length;
  }
  return false;
}

/** Segments up to the first scan, and the end marker at the end of the file. */
function isJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) return false;
  if (bytes[bytes.length - 2] !== 0xff || bytes[bytes.length - 1] !== 0xd9) return false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return false;
    const kind = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || kind < 0xc0 || kind === 0xd9) return false;
    if (kind === 0xda) return at + 2 + length < bytes.length;
    at += 2 + length;
  }
  return false;
}

const colours = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

/** End of the data blocks that begin at `at`; undefined when the file ends first. */
function afterBlocks(bytes: Buffer, at: number): number | undefined {
  let next = at;
  for (;;) {
    const length = bytes[next];
    if (length === undefined) return undefined;
    next += 1 + length;
    if (length === 0) return next;
  }
}

/** Images and extensions, each in blocks, then the trailer and nothing after it. */
function isGif(bytes: Buffer): boolean {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || bytes.length < 14) return false;
  let at: number | undefined = 13 + colours(bytes[10] ?? 0);
  while (at !== undefined && at < bytes.length) {
    const kind: number | undefined = bytes[at];
    if (kind === 0x3b) return at === bytes.length - 1;
    if (kind === 0x21) at = afterBlocks(bytes, at + 2);
    else if (kind === 0x2c) at = afterBlocks(bytes, at + 11 + colours(bytes[at + 9] ?? 0));
    else return false;
  }
  return false;
}

/** RIFF contains its own length. */
function isWebp(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF') return false;
  if (!/^WEBPVP8[ LX]$/.test(bytes.toString('latin1', 8, 16))) return false;
  const length = bytes.readUInt32LE(4) + 8;
  return length === bytes.length;
}

type Written = { name: string; email: string; subject: string; message: string };

const MAX_LINE_LENGTH = 700;
const MAX_LINES = 30;

/** Paragraphs suitable for an email. */
function wrapLines(message: string): string[] {
  const lines = message
    .split(/\r?\n/)
    .flatMap((line) => line.trim().match(new RegExp(`.{1,${MAX_LINE_LENGTH}}`, 'gu')) ?? []);
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '… Read the full message in the inbox.'] : lines;
}

/** Email to support. A reply goes to the sender. */
async function supportMail(
  { name, email, subject, message }: Written,
  { account, hasScreenshot, link }: { account: string | null; hasScreenshot: boolean; link: string },
): Promise<MailMessage> {
  const mail = await renderMail({
    kind: 'contact',
    to: BRAND.supportEmail,
    subject: `Message: ${subject}`,
    title: subject,
    lines: wrapLines(message),
    facts: [
      { label: 'Name', value: name },
      { label: 'Email', value: email },
      { label: 'Account', value: account ?? 'Not signed in' },
      { label: 'Screenshot', value: hasScreenshot ? 'In the inbox' : 'None' },
    ],
    action: { label: 'Open the inbox', url: link },
    because: 'someone used the contact form.',
  });
  return { ...mail, headers: { ...mail.headers, 'Reply-To': email } };
}

/** Acknowledges a message without its content: the address may belong to someone else. */
const acknowledgementMail = (to: string): Promise<MailMessage> =>
  renderMail({
    kind: 'contact-received',
    to,
    subject: 'We received your message',
    title: 'We received your message',
    lines: [
      'Thank you for contacting us. A member of our team will read your message and reply to this address.',
      'Expected reply within 24-48 hours on business days.',
    ],
    because: 'someone used this address in our contact form. If that was not you, you can ignore this email.',
  });

/** A hidden field: only bots fill it. */
export const HONEYPOT = 'website';

function readScreenshot({ screenshot }: Form): Screenshot | null {
  if (!screenshot) return null;
  if (screenshot.isTooLarge) throw new AppError('payload_too_large', TOO_LARGE);
  const type = detectImageType(screenshot.bytes);
  if (!type) throw new AppError('bad_request', NO_IMAGE);
  return { type, bytes: screenshot.bytes };
}

/** Stores a message, emails it to support, and acknowledges it to the sender. */
export async function receive(ctx: AuthContext, form: Form, caller: Caller | null, { network }: Origin): Promise<void> {
  const field = (name: string) => (form.fields.get(name) ?? '').replaceAll('\0', '').toWellFormed();
  const line = (name: string) => field(name).replaceAll(/\s+/g, ' ').trim();
  // Forms submit line breaks with a carriage return.
  const message = field('message').replaceAll('\r\n', '\n').trim();
  const written = { name: line('name'), email: line('email'), subject: line('subject'), message };
  const problem = findLetterProblem(written);
  if (problem) throw new AppError('bad_request', problem.words);
  await limitNetwork(ctx, 'captcha', network);
  const challenge = field('challenge');
  if (!(await isAnswered(ctx, challenge, field('captchaAnswer').trim())))
    throw new AppError('bad_request', WRONG_ANSWER);
  const screenshot = readScreenshot(form);
  await limitNetwork(ctx, 'contact', network);
  if (!(await useUp(ctx, challenge))) throw new AppError('bad_request', WRONG_ANSWER);
  const isSpam = field(HONEYPOT) !== '';
  const account = caller ? (await getUser(ctx.db, caller.userId)).email : null;
  const mails = isSpam
    ? []
    : [
        await supportMail(written, {
          account,
          hasScreenshot: screenshot !== null,
          link: `${ctx.publicUrl()}/app/admin?tab=messages`,
        }),
        ...(isPlainAddress(written.email) && (await canSendMail(ctx, 'contact', written.email))
          ? [await acknowledgementMail(written.email)]
          : []),
      ];
  await ctx.db.transaction().execute(async (tx) => {
    const status = isSpam ? 'spam' : 'new';
    await addMessage(tx, { ...written, userId: caller?.userId ?? null, screenshot, status }, ctx.now());
    for (const mail of mails) await ctx.mail.enqueue(tx, mail);
  });
}

export async function setStatus(ctx: AuthContext, caller: Caller, id: number, status: MessageStatus): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if ((await changeStatus(tx, id, status, ctx.now())) === undefined)
      throw new AppError('not_found', 'Message not found');
    await audit(tx, {
      at: ctx.now(),
      actorId: caller.userId,
      subjectId: null,
      action: 'contact.status',
      details: { message: id, status },
    });
  });
}
