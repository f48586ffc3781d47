import { AppError } from '#kernel/errors.ts';

import type { AuthContext } from './context.ts';
import { countAttempt, deleteAttempts } from './store/access.ts';
import { isKnownNetwork } from './store/sessions.ts';
import { normalizeEmail } from './store/users.ts';

type Limit = { most: number; seconds: number };

const HOUR = 3600;
const QUARTER_HOUR = 900;

/** Attempts per network. Generous: an office or a mobile carrier shares one. */
const BY_NETWORK = {
  login: { most: 100, seconds: QUARTER_HOUR },
  register: { most: 30, seconds: HOUR },
  forgot: { most: 30, seconds: HOUR },
  resend: { most: 30, seconds: HOUR },
  reset: { most: 30, seconds: HOUR },
  // Counts invalid links only.
  unsubscribe: { most: 30, seconds: HOUR },
  contact: { most: 5, seconds: HOUR },
  captcha: { most: 60, seconds: HOUR },
  passkey: { most: 100, seconds: QUARTER_HOUR },
  // Also requested when the dialog opens, so that the browser can suggest passkeys.
  passkeyOptions: { most: 300, seconds: QUARTER_HOUR },
} satisfies Record<string, Limit>;
export type NetworkLimit = keyof typeof BY_NETWORK;

const LOGIN_BY_ADDRESS_AND_NETWORK: Limit = { most: 10, seconds: QUARTER_HOUR };
/** For all networks together. Networks the account has used are exempt, so a stranger cannot lock out the owner. */
const LOGIN_BY_ADDRESS: Limit = { most: 50, seconds: QUARTER_HOUR };
const LOGIN_WITH_WEAK_PASSWORD: Limit = { most: 5, seconds: HOUR };
const MAIL_BY_ADDRESS: Limit = { most: 3, seconds: HOUR };
const SECOND_FACTOR: Limit = { most: 5, seconds: 300 };
const PROOF: Limit = { most: 10, seconds: QUARTER_HOUR };

type LimitContext = Pick<AuthContext, 'db' | 'now'>;

async function countAgainst(ctx: LimitContext, key: string, { most, seconds }: Limit): Promise<Date | null> {
  const { hits, resetsAt } = await countAttempt(ctx.db, key, seconds, ctx.now());
  return hits > most ? resetsAt : null;
}

function rejectRateLimited(ctx: LimitContext, resetsAt: Date): never {
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - ctx.now().getTime()) / 1000));
  throw new AppError('rate_limited', 'Too many attempts. Please try again later.', { retryAfterSeconds });
}

async function enforce(ctx: LimitContext, key: string, limit: Limit): Promise<void> {
  const resetsAt = await countAgainst(ctx, key, limit);
  if (resetsAt) rejectRateLimited(ctx, resetsAt);
}

export const limitNetwork = (ctx: AuthContext, what: NetworkLimit, network: string): Promise<void> =>
  enforce(ctx, `${what}:${network}`, BY_NETWORK[what]);

const loginKey = (email: string, network: string) => `login:${normalizeEmail(email)}:${network}`;

/**
 * Counts a password sign-in. Called before the password is checked, so that even a correct guess beyond the limit is
 * refused.
 */
export async function limitLogin(ctx: AuthContext, email: string, network: string): Promise<void> {
  await limitNetwork(ctx, 'login', network);
  await enforce(ctx, loginKey(email, network), LOGIN_BY_ADDRESS_AND_NETWORK);
  const resetsAtOverall = await countAgainst(ctx, `login:${normalizeEmail(email)}`, LOGIN_BY_ADDRESS);
  if (resetsAtOverall && !(await isKnownNetwork(ctx.db, normalizeEmail(email), network)))
    rejectRateLimited(ctx, resetsAtOverall);
}

/** Stricter limit for accounts with an easily guessed password. Networks the account has used are exempt. */
export async function isOverWeakLimit(ctx: AuthContext, email: string, network: string): Promise<boolean> {
  if (await isKnownNetwork(ctx.db, normalizeEmail(email), network)) return false;
  return (await countAgainst(ctx, `weak-login:${normalizeEmail(email)}`, LOGIN_WITH_WEAK_PASSWORD)) !== null;
}

export const resetLoginAttempts = (ctx: AuthContext, email: string, network: string): Promise<void> =>
  deleteAttempts(ctx.db, loginKey(email, network));

/**
 * False when this address has reached its limit for such emails: the caller stays silent, as a refusal would reveal
 * that the account exists.
 */
export async function canSendMail(ctx: AuthContext, kind: string, email: string): Promise<boolean> {
  return (await countAgainst(ctx, `mail:${kind}:${normalizeEmail(email)}`, MAIL_BY_ADDRESS)) === null;
}

/** `canSendMail` for cases where the user may see the refusal. */
export const limitMail = (ctx: AuthContext, kind: string, key: string): Promise<void> =>
  enforce(ctx, `mail:${kind}:${key}`, MAIL_BY_ADDRESS);

const secondFactorKey = (userId: number) => `second-factor:${userId}`;

export const limitSecondFactor = (ctx: AuthContext, userId: number): Promise<void> =>
  enforce(ctx, secondFactorKey(userId), SECOND_FACTOR);

/** Correct codes do not count as attempts. */
export const resetSecondFactorAttempts = (ctx: AuthContext, userId: number): Promise<void> =>
  deleteAttempts(ctx.db, secondFactorKey(userId));

const BACKUP_CODE: Limit = { most: 10, seconds: QUARTER_HOUR };
const backupCodeKey = (userId: number, network: string) => `backup-code:${userId}:${network}`;

/**
 * Per network, so that wrong codes from elsewhere never block the owner's backup code. Returns the number of this
 * attempt.
 */
export async function limitBackupCode(ctx: AuthContext, userId: number, network: string): Promise<number> {
  const { hits, resetsAt } = await countAttempt(ctx.db, backupCodeKey(userId, network), BACKUP_CODE.seconds, ctx.now());
  if (hits > BACKUP_CODE.most) rejectRateLimited(ctx, resetsAt);
  return hits;
}

export const resetBackupCodeAttempts = (ctx: AuthContext, userId: number, network: string): Promise<void> =>
  deleteAttempts(ctx.db, backupCodeKey(userId, network));

export const limitProof = (ctx: AuthContext, userId: number): Promise<void> => enforce(ctx, `proof:${userId}`, PROOF);

/** Rate limit for an action of a user. */
export const limitUser = (ctx: LimitContext, what: string, userId: number, limit: Limit): Promise<void> =>
  enforce(ctx, `${what}:${userId}`, limit);
