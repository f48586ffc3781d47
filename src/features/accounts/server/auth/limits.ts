import { AppError } from '#kernel/errors.ts';

import type { AuthContext } from './context.ts';
import { countAttempt, forgetAttempts } from './store/access.ts';
import { isKnownNetwork } from './store/sessions.ts';
import { normal } from './store/users.ts';

type Limit = { most: number; seconds: number };

const HOUR = 3600;
const QUARTER = 900;

/** Attempts per network. Generous: an office or a mobile carrier shares one. */
const BY_NETWORK = {
  login: { most: 100, seconds: QUARTER },
  register: { most: 30, seconds: HOUR },
  forgot: { most: 30, seconds: HOUR },
  resend: { most: 30, seconds: HOUR },
  reset: { most: 30, seconds: HOUR },
  // Counts invalid links only.
  unsubscribe: { most: 30, seconds: HOUR },
  contact: { most: 5, seconds: HOUR },
  captcha: { most: 60, seconds: HOUR },
  passkey: { most: 100, seconds: QUARTER },
  // Also requested when the dialog opens, so that the browser can suggest passkeys.
  passkeyOptions: { most: 300, seconds: QUARTER },
} satisfies Record<string, Limit>;
export type Limited = keyof typeof BY_NETWORK;

const LOGIN_BY_ADDRESS_AND_NETWORK: Limit = { most: 10, seconds: QUARTER };
/** For all networks together. Networks the account has used are exempt, so a stranger cannot lock out the owner. */
const LOGIN_BY_ADDRESS: Limit = { most: 50, seconds: QUARTER };
const LOGIN_TO_WEAK: Limit = { most: 5, seconds: HOUR };
const MAIL_BY_ADDRESS: Limit = { most: 3, seconds: HOUR };
const SECOND_FACTOR: Limit = { most: 5, seconds: 300 };
const PROOF: Limit = { most: 10, seconds: QUARTER };

type Counting = Pick<AuthContext, 'db' | 'now'>;

async function take(ctx: Counting, key: string, { most, seconds }: Limit): Promise<Date | null> {
  const { hits, resetsAt } = await countAttempt(ctx.db, key, seconds, ctx.now());
  return hits > most ? resetsAt : null;
}

function refuse(ctx: Counting, resetsAt: Date): never {
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - ctx.now().getTime()) / 1000));
  throw new AppError('rate_limited', 'Too many attempts. Please try again later.', { retryAfterSeconds });
}

async function demand(ctx: Counting, key: string, limit: Limit): Promise<void> {
  const resetsAt = await take(ctx, key, limit);
  if (resetsAt) refuse(ctx, resetsAt);
}

export const limitNetwork = (ctx: AuthContext, what: Limited, network: string): Promise<void> =>
  demand(ctx, `${what}:${network}`, BY_NETWORK[what]);

const loginKey = (email: string, network: string) => `login:${normal(email)}:${network}`;

/**
 * Counts a password sign-in. Called before the password is checked, so that even a correct guess beyond the limit is
 * refused.
 */
export async function limitLogin(ctx: AuthContext, email: string, network: string): Promise<void> {
  await limitNetwork(ctx, 'login', network);
  await demand(ctx, loginKey(email, network), LOGIN_BY_ADDRESS_AND_NETWORK);
  const over = await take(ctx, `login:${normal(email)}`, LOGIN_BY_ADDRESS);
  if (over && !(await isKnownNetwork(ctx.db, normal(email), network))) refuse(ctx, over);
}

/** Stricter limit for accounts with an easily guessed password. Networks the account has used are exempt. */
export async function isOverWeakLimit(ctx: AuthContext, email: string, network: string): Promise<boolean> {
  if (await isKnownNetwork(ctx.db, normal(email), network)) return false;
  return (await take(ctx, `weak-login:${normal(email)}`, LOGIN_TO_WEAK)) !== null;
}

export const forgiveLogin = (ctx: AuthContext, email: string, network: string): Promise<void> =>
  forgetAttempts(ctx.db, loginKey(email, network));

/**
 * False when this address has reached its limit for such emails: the caller stays silent, as a refusal would reveal
 * that the account exists.
 */
export async function mayMail(ctx: AuthContext, kind: string, email: string): Promise<boolean> {
  return (await take(ctx, `mail:${kind}:${normal(email)}`, MAIL_BY_ADDRESS)) === null;
}

/** `mayMail` for cases where the user may see the refusal. */
export const limitMail = (ctx: AuthContext, kind: string, key: string): Promise<void> =>
  demand(ctx, `mail:${kind}:${key}`, MAIL_BY_ADDRESS);

const secondFactorKey = (userId: number) => `second-factor:${userId}`;

export const limitSecondFactor = (ctx: AuthContext, userId: number): Promise<void> =>
  demand(ctx, secondFactorKey(userId), SECOND_FACTOR);

/** Correct codes do not count as attempts. */
export const forgiveSecondFactor = (ctx: AuthContext, userId: number): Promise<void> =>
  forgetAttempts(ctx.db, secondFactorKey(userId));

const BACKUP_CODE: Limit = { most: 10, seconds: QUARTER };
const backupCodeKey = (userId: number, network: string) => `backup-code:${userId}:${network}`;

/**
 * Per network, so that wrong codes from elsewhere never block the owner's backup code. Returns the number of this
 * attempt.
 */
export async function limitBackupCode(ctx: AuthContext, userId: number, network: string): Promise<number> {
  const { hits, resetsAt } = await countAttempt(ctx.db, backupCodeKey(userId, network), BACKUP_CODE.seconds, ctx.now());
  if (hits > BACKUP_CODE.most) refuse(ctx, resetsAt);
  return hits;
}

export const forgiveBackupCodes = (ctx: AuthContext, userId: number, network: string): Promise<void> =>
  forgetAttempts(ctx.db, backupCodeKey(userId, network));

export const limitProof = (ctx: AuthContext, userId: number): Promise<void> => demand(ctx, `proof:${userId}`, PROOF);

/** Rate limit for an action of a user. */
export const limitPerson = (ctx: Counting, what: string, userId: number, limit: Limit): Promise<void> =>
  demand(ctx, `${what}:${userId}`, limit);
