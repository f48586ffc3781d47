import { z } from 'zod/mini';

import { endpoint, plan, topic } from '#shared/contract.ts';

const LONGEST_ADDRESS = 254;
/** Hashing reads the whole password: a bound keeps its cost bounded. */
const LONGEST_PASSWORD = 1000;

const anyEmail = z
  .string('Email is required')
  .check(z.minLength(1, 'Email is required'), z.maxLength(1000, 'Please enter a valid email address'));
const email = z
  .string('Email is required')
  .check(
    z.trim(),
    z.minLength(1, 'Email is required'),
    z.maxLength(LONGEST_ADDRESS, 'Please enter a valid email address'),
    z.email('Please enter a valid email address'),
  );
const password = z
  .string('Password is required')
  .check(
    z.minLength(1, 'Password is required'),
    z.maxLength(LONGEST_PASSWORD, `Passwords can have at most ${LONGEST_PASSWORD} characters`),
  );
/** A link, ticket or challenge that we made. */
export const token = z.string().check(z.minLength(1), z.maxLength(200));

/** Shown only after the correct credentials. */
export const SIGN_UPS_CLOSED = 'Sign-ups are currently closed. Please come back later.';
export const ACCOUNT_DISABLED = 'This account is disabled. If you think this is a mistake, contact support.';

export const UNUSABLE_RESET_LINK = 'This password reset link is invalid or has expired. Please request a new one.';
const resetToken = z
  .string(UNUSABLE_RESET_LINK)
  .check(z.minLength(1, UNUSABLE_RESET_LINK), z.maxLength(200, UNUSABLE_RESET_LINK));
const credentials = z.strictObject({ email, password });
const message = z.object({
  message: z.string(),
  /** Demo mode only: where the mail that would have been sent can be read. */
  demoMail: z.optional(z.string()),
});

/** A user counts as valid only with id and email. */
export const user = z.object({
  id: z.number(),
  email: z.string(),
  role: z.enum(['user', 'admin']),
  isAdmin: z.boolean(),
  plan,
});
export type User = z.infer<typeof user>;

export const signedIn = z.object({ token: z.string(), user });
export type SignedIn = z.infer<typeof signedIn>;
const needsConfirmation = z.object({
  requiresConfirmation: z.literal(true),
  email: z.string(),
  demoMail: z.optional(z.string()),
});
const needsTwoFactor = z.object({ requiresTwoFactor: z.literal(true), challenge: z.string() });

/** What the sign-in dialog may offer on this installation. */
export const getSignInOptions = endpoint({
  method: 'GET',
  path: '/api/auth/options',
  access: 'public',
  reply: z.object({
    confirmationRequired: z.boolean(),
    /** False while an administrator has closed sign-ups. */
    signUpsOpen: z.boolean(),
    /** Demo mode only: one account per plan, for one-click sign-in. */
    demoAccounts: z.array(z.object({ plan, planName: z.string(), email: z.string(), password: z.string() })),
  }),
});

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  access: 'public',
  body: credentials,
  reply: z.union([signedIn, needsConfirmation, needsTwoFactor]),
});

export const register = endpoint({
  method: 'POST',
  path: '/api/auth/register',
  access: 'public',
  body: credentials,
  reply: z.union([signedIn, needsConfirmation]),
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  access: 'public',
  body: z.strictObject({ email: anyEmail }),
  reply: message,
});

export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/api/auth/resend-confirmation',
  access: 'public',
  body: z.strictObject({ email: anyEmail }),
  reply: message,
});

const remainingAccess = z.object({ kind: z.enum(['api_key', 'webhook', 'telegram', 'passkey']), name: z.string() });
export type RemainingAccess = z.infer<typeof remainingAccess>;

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  access: 'public',
  body: z.strictObject({ token: resetToken, newPassword: password }),
  reply: z.object({
    success: z.literal(true),
    message: z.string(),
    /** What still uses the account without a sign-in, and what ends all of it; null when nothing does. */
    remaining: z.array(remainingAccess),
    endToken: z.nullable(z.string()),
  }),
});

/** For the link in the mail about a reset: 24 hours. */
export const getRemainingAccess = endpoint({
  method: 'POST',
  path: '/api/auth/access',
  access: 'public',
  body: z.strictObject({ token }),
  reply: z.object({ remaining: z.array(remainingAccess) }),
});

/** Ends API keys, webhooks, Telegram chats and passkeys of the account, once. */
export const endRemainingAccess = endpoint({
  method: 'POST',
  path: '/api/auth/access/end',
  access: 'public',
  body: z.strictObject({ token }),
  reply: z.object({ success: z.literal(true) }),
});

/** The five rules that bind at reset, in the order of the checklist. */
export const PASSWORD_RULES: readonly { text: string; holds: (password: string) => boolean }[] = [
  { text: 'At least 8 characters', holds: (text) => text.length >= 8 },
  { text: 'One uppercase letter', holds: (text) => /[A-Z]/.test(text) },
  { text: 'One lowercase letter', holds: (text) => /[a-z]/.test(text) },
  { text: 'One number', holds: (text) => /\d/.test(text) },
  { text: 'One special character (!@#$%^&*(),.?":{}|<>)', holds: (text) => /[!@#$%^&*(),.?":{}|<>]/.test(text) },
];

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  access: 'free',
  reply: z.object({ success: z.literal(true) }),
});

/** Who the bearer token belongs to. */
export const getUser = endpoint({ method: 'GET', path: '/api/auth/user', access: 'free', reply: user });

/** What the link in a mail leads to: the page that it opens confirms the address, of a new account or of one that moves. */
export const confirmEmail = endpoint({
  method: 'POST',
  path: '/api/auth/confirm',
  access: 'public',
  body: z.strictObject({
    token: z
      .string('Confirmation token is required')
      .check(z.minLength(1, 'Confirmation token is required'), z.maxLength(200, 'Invalid confirmation token')),
  }),
  reply: z.object({
    email: z.string(),
    /** Signs in for a minute, unless it is exchanged; only with the first use of the link of a new account. */
    token: z.optional(z.string()),
  }),
});

/** Replaces the token of a confirmation, which was in an address, with one that was not. */
export const exchangeToken = endpoint({
  method: 'POST',
  path: '/api/auth/exchange',
  access: 'public',
  body: z.strictObject({ token }),
  reply: signedIn,
});

/**
 * Proves the person again; acts that cannot be undone ask for it when the last proof is older than 15 minutes.
 * Refused where a second factor is on: then a code proves it.
 */
export const reauthenticate = endpoint({
  method: 'POST',
  path: '/api/auth/reauthenticate',
  access: 'free',
  body: z.strictObject({ password }),
  reply: z.object({ until: z.iso.datetime() }),
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/auth/change-password',
  access: 'free',
  body: z.strictObject({ currentPassword: password, newPassword: password }),
  reply: z.object({ success: z.literal(true) }),
});

/** Asks for a fresh proof. The stream and every other session of the account end. */
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/auth/delete-account',
  access: 'free',
  reply: z.object({ message: z.string() }),
});

const session = z.object({
  id: z.string(),
  current: z.boolean(),
  /** In words, such as 'Chrome on Windows'. */
  device: z.string(),
  network: z.string(),
  createdAt: z.iso.datetime(),
  seenAt: z.iso.datetime(),
});
export type Session = z.infer<typeof session>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/auth/sessions',
  access: 'free',
  reply: z.object({ sessions: z.array(session) }),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/auth/sessions/:id',
  access: 'free',
  params: z.object({ id: z.string().check(z.regex(/^\d{1,15}$/, 'must be the id of a session')) }),
  reply: z.object({ success: z.literal(true) }),
});

/** Ends every session of the account, or every other one. */
export const endSessions = endpoint({
  method: 'POST',
  path: '/api/auth/sessions/end',
  access: 'free',
  body: z.strictObject({ keepCurrent: z.boolean() }),
  reply: z.object({ ended: z.number() }),
});

/** Single use, 30 seconds: the browser's EventSource cannot send a header. */
export const issueStreamTicket = endpoint({
  method: 'POST',
  path: '/api/stream/ticket',
  access: 'free',
  reply: z.object({
    ticket: z.string(),
    expiresAt: z.iso.datetime(),
    /** The private topics that this caller may read. */
    topics: z.array(z.string()),
  }),
});

/** To the streams of one account: what of it has changed and is to be read again. */
export const accountTopic = topic({
  name: 'account',
  access: 'free',
  data: z.object({ changed: z.array(z.enum(['subscription', 'sessions', 'profile', 'notifications', 'payments'])) }),
});
