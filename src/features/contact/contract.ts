import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';
import { grouped } from '#shared/format.ts';

export const OPERATORS = ['+', '-', '×'] as const;

/** A sum to solve. Valid for ten minutes and one message: a failed attempt needs a new one. */
export const challenge = z.object({
  a: z.int(),
  b: z.int(),
  operator: z.enum(OPERATORS),
  /** Sent back with the answer. */
  challenge: z.string(),
});
export type Challenge = z.infer<typeof challenge>;

export const getChallenge = endpoint({
  method: 'GET',
  path: '/api/contact/challenge',
  access: 'public',
  reply: challenge,
});

export const MAX_LENGTH = { name: 100, email: 254, subject: 200, message: 10_000 } as const;
export const MIN_MESSAGE_LENGTH = 10;
export const SCREENSHOT_BYTES = 5_242_880;
export const SCREENSHOT_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
export const NO_IMAGE = 'Please select a valid image file (JPEG, PNG, GIF, or WebP)';
export const TOO_LARGE = 'File size must be less than 5MB';
export const WRONG_ANSWER = 'Incorrect captcha answer';

type ContactLetter = { name: string; email: string; subject: string; message: string };

/** The first error of a message, in display order; null when valid. Used by client and server. */
export function findLetterProblem({
  name,
  email,
  subject,
  message,
}: ContactLetter): { field: keyof ContactLetter; words: string } | null {
  if (name.trim() === '') return { field: 'name', words: 'Name is required' };
  if (email.trim() === '') return { field: 'email', words: 'Email is required' };
  if (!email.includes('@')) return { field: 'email', words: 'Please enter a valid email address' };
  if (subject.trim() === '') return { field: 'subject', words: 'Subject is required' };
  if (message.trim() === '') return { field: 'message', words: 'Message is required' };
  if (message.trim().length < MIN_MESSAGE_LENGTH)
    return { field: 'message', words: `Message must be at least ${MIN_MESSAGE_LENGTH} characters long` };
  const values = { name, email, subject, message };
  for (const field of ['name', 'email', 'subject', 'message'] as const)
    if (values[field].trim().length > MAX_LENGTH[field])
      return { field, words: `${LABELS[field]} can have at most ${grouped(MAX_LENGTH[field])} characters` };
  return null;
}

const LABELS = { name: 'Name', email: 'Email', subject: 'Subject', message: 'Message' } as const;

/** Result of a challenge's sum. */
export function challengeResult({ a, b, operator }: Pick<Challenge, 'a' | 'b' | 'operator'>): number {
  if (operator === '+') return a + b;
  return operator === '-' ? a - b : a * b;
}

/**
 * A multipart form: name, email, subject, message, captchaAnswer, `challenge` of the sum, and optionally a screenshot.
 * 400 with the message of `findLetterProblem`, the captcha or the image, 413 for an image that is too large, 429 for too
 * many messages.
 */
export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/contact',
  access: 'public',
  reply: z.object({ success: z.literal(true) }),
});

export const STATUSES = ['new', 'open', 'settled', 'spam'] as const;
export const messageStatus = z.enum(STATUSES);
export type MessageStatus = z.infer<typeof messageStatus>;

const listed = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  status: messageStatus,
  hasScreenshot: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type ContactMessage = z.infer<typeof listed>;

const params = z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) });

/** Newest first, 50 per page, before `before`. `counts` covers all messages. */
export const listMessages = endpoint({
  method: 'GET',
  path: '/api/admin/contact',
  access: 'admin',
  query: z.object({
    status: z.optional(messageStatus),
    before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  }),
  reply: z.object({
    messages: z.array(listed),
    counts: z.object({ new: z.int(), open: z.int(), settled: z.int(), spam: z.int() }),
    more: z.boolean(),
  }),
});

/** `account`: address of the account signed in when it was written. */
export const getMessage = endpoint({
  method: 'GET',
  path: '/api/admin/contact/:id',
  access: 'admin',
  params,
  reply: z.extend(listed, {
    message: z.string(),
    account: z.nullable(z.string()),
    settledAt: z.nullable(z.iso.datetime()),
  }),
});

export const setMessageStatus = endpoint({
  method: 'PUT',
  path: '/api/admin/contact/:id',
  access: 'admin',
  params,
  body: z.strictObject({ status: messageStatus }),
  reply: z.object({ success: z.literal(true) }),
});

/** Returns the image as a download. */
export const getScreenshot = endpoint({
  method: 'GET',
  path: '/api/admin/contact/:id/screenshot',
  access: 'admin',
  params,
  reply: z.never(),
});
