import { z } from 'zod/mini';

import { endpoint, plan, topic } from '#shared/contract.ts';

const LONGEST_ADDRESS = 254;
/** Hashing reads the whole password: a bound keeps its cost bounded. */
const LONGEST_PASSWORD = 1000;

const anyEmail = z.string('Email is required').check(z.minLength(1, 'Email is required'));
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
    z.maxLength(LONGEST_PASSWORD, `Passwords have at most ${LONGEST_PASSWORD} characters`),
  );
const token = z.string().check(z.minLength(1), z.maxLength(200));
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

const signedIn = z.object({ token: z.string(), user });
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

/** `code`: six digits of the authenticator, or one of the backup codes. */
export const completeTwoFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor',
  access: 'public',
  body: z.strictObject({ challenge: token, code: z.string().check(z.minLength(6), z.maxLength(32)) }),
  reply: signedIn,
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

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  access: 'public',
  body: z.strictObject({ token, newPassword: password }),
  reply: z.object({ success: z.literal(true), message: z.string() }),
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

/** Proves the person again; acts that cannot be undone ask for it when the last proof is older than 15 minutes. */
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

export const getTwoFactor = endpoint({
  method: 'GET',
  path: '/api/auth/two-factor',
  access: 'free',
  reply: z.object({ enabled: z.boolean(), backupCodesLeft: z.number() }),
});

/** Asks for a fresh proof. Makes a secret that counts only once a code of it was shown. */
export const setUpTwoFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/setup',
  access: 'free',
  reply: z.object({ secret: z.string(), uri: z.string() }),
});

const sixDigits = z.string().check(z.regex(/^\d{6}$/, 'The code has six digits'));
const backupCodes = z.object({ backupCodes: z.array(z.string()) });

/** The ten backup codes are shown this once. */
export const enableTwoFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/enable',
  access: 'free',
  body: z.strictObject({ code: sixDigits }),
  reply: backupCodes,
});

/** Asks for a fresh proof. */
export const disableTwoFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/disable',
  access: 'free',
  reply: z.object({ success: z.literal(true) }),
});

/** Asks for a fresh proof. The old codes end. */
export const renewBackupCodes = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/backup-codes',
  access: 'free',
  reply: backupCodes,
});

const passkey = z.object({
  id: z.number(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type Passkey = z.infer<typeof passkey>;

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/auth/passkeys',
  access: 'free',
  reply: z.object({ passkeys: z.array(passkey) }),
});

/** WebAuthn's own JSON forms: the browser's library makes and reads them, the server's library checks them. */
const webAuthnJson = z.record(z.string(), z.unknown());

/** Asks for a fresh proof. */
export const startPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys/options',
  access: 'free',
  reply: z.object({ challenge: z.string(), options: webAuthnJson }),
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkeys',
  access: 'free',
  body: z.strictObject({
    challenge: token,
    name: z.string().check(z.trim(), z.minLength(1, 'Name is required'), z.maxLength(60)),
    response: webAuthnJson,
  }),
  reply: passkey,
});

/** Asks for a fresh proof. */
export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/auth/passkeys/:id',
  access: 'free',
  params: z.object({ id: z.string().check(z.regex(/^\d{1,15}$/, 'must be the id of a passkey')) }),
  reply: z.object({ success: z.literal(true) }),
});

export const startPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/options',
  access: 'public',
  reply: z.object({ challenge: z.string(), options: webAuthnJson }),
});

/** Also a fresh proof for whoever is signed in with the same account. */
export const passkeyLogin = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/login',
  access: 'public',
  body: z.strictObject({ challenge: token, response: webAuthnJson }),
  reply: signedIn,
});

/** Single use, 30 seconds: the browser's EventSource cannot send a header. */
export const issueStreamTicket = endpoint({
  method: 'POST',
  path: '/api/stream/ticket',
  access: 'free',
  reply: z.object({ ticket: z.string(), expiresAt: z.iso.datetime() }),
});

/** To the streams of one account: what of it has changed and is to be read again. */
export const accountTopic = topic({
  name: 'account',
  access: 'free',
  data: z.object({ changed: z.array(z.enum(['subscription', 'sessions', 'profile'])) }),
});
