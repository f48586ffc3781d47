import { z } from 'zod/mini';

import { endpoint, plan, topic } from '#shared/contract.ts';

const LONGEST_ADDRESS = 254;
/** Hashing reads the whole password: a limit keeps its cost bounded. */
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
/** A link, ticket or challenge issued by us. */
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
  /** Demo mode only: where to read the email that would have been sent. */
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
    /**
     * What still has access to the account without a sign-in, and the token to revoke it all; null when nothing does.
     */
    remaining: z.array(remainingAccess),
    endToken: z.nullable(z.string()),
  }),
});

/** For the link in the password reset email, valid for 24 hours. */
export const getRemainingAccess = endpoint({
  method: 'POST',
  path: '/api/auth/access',
  access: 'public',
  body: z.strictObject({ token }),
  reply: z.object({ remaining: z.array(remainingAccess) }),
});

/** Revokes API keys, webhooks, Telegram chats and passkeys of the account, once. */
export const endRemainingAccess = endpoint({
  method: 'POST',
  path: '/api/auth/access/end',
  access: 'public',
  body: z.strictObject({ token }),
  reply: z.object({ success: z.literal(true) }),
});

/** The five rules enforced at reset, in checklist order. */
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

/** The account of the bearer token. */
export const getUser = endpoint({ method: 'GET', path: '/api/auth/user', access: 'free', reply: user });

/** Target of the confirmation link: the page it opens confirms the address of a new account, or a changed one. */
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
    /** Valid for a minute unless exchanged; only with the first use of a new account's link. */
    token: z.optional(z.string()),
  }),
});

/** Replaces a confirmation's token, which appeared in a URL, with a fresh one. */
export const exchangeToken = endpoint({
  method: 'POST',
  path: '/api/auth/exchange',
  access: 'public',
  body: z.strictObject({ token }),
  reply: signedIn,
});

/**
 * Confirms the user's identity again; irreversible actions require it when the last proof is older than 15 minutes.
 * Refused with a second factor: then a code is required.
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

/** Needs a fresh sign-in. Ends the stream and every other session of the account. */
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/auth/delete-account',
  access: 'free',
  reply: z.object({ message: z.string() }),
});

const session = z.object({
  id: z.string(),
  current: z.boolean(),
  /** Device name, such as 'Chrome on Windows'. */
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
    /** Private topics available to this caller. */
    topics: z.array(z.string()),
  }),
});

/** Sent to the streams of one account: which of its data has changed and should be refetched. */
export const accountTopic = topic({
  name: 'account',
  access: 'free',
  data: z.object({ changed: z.array(z.enum(['subscription', 'sessions', 'profile', 'notifications', 'payments'])) }),
});
