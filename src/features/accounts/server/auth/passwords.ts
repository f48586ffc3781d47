import { availableParallelism } from 'node:os';

import { hash, verify } from '@node-rs/argon2';

import { AppError } from '#kernel/errors.ts';
import { addressWords, buildRanks, EASY_GUESSES, guessesFor, type Ranks, withOwn } from '#shared/guesses.ts';

/** OWASP's minimum for argon2id: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PARAMETERS = `$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** A flood of sign-ins must leave one core for everything else. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const LONGEST_QUEUE = 200;
/** A client that waits longer has most likely disconnected. */
const LONGEST_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 30;

let running = 0;
const queue: (() => void)[] = [];

const tooManyHashes = () =>
  new AppError('unavailable', 'Sign-in is busy right now. Please try again in a minute.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (queue.length >= LONGEST_QUEUE) throw tooManyHashes();
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        queue.splice(queue.indexOf(acquireSlot), 1);
        reject(tooManyHashes());
      }, LONGEST_WAIT_MS);
      const acquireSlot = () => {
        clearTimeout(late);
        resolve();
      };
      queue.push(acquireSlot);
    });
  } else running += 1;
  try {
    return await work();
  } finally {
    // The slot is handed to the next in the queue, so that no other caller can take it.
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }
}

export function hashPassword(password: string): Promise<string> {
  return withHashSlot(() => hash(password, COST));
}

let dummy: Promise<string> | undefined;

/**
 * Verifies a password. Without a hash it takes as long and returns false: a missing account must not respond faster.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hash('nobody', COST);
  const against = stored ?? (await dummy);
  const matches = await withHashSlot(() => verify(against, password));
  return stored !== null && matches;
}

/** True for a hash with outdated parameters. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith('$argon2id$') || !stored.includes(PARAMETERS);
}

type Known = { passwords: ReadonlySet<string>; ranks: Ranks };
let known: Promise<Known> | undefined;

async function loadCommonPasswords(): Promise<Known> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const passwords = dictionary['passwords-common'];
  return { passwords: new Set(passwords), ranks: buildRanks(passwords, dictionary['diceware-common']) };
}

const commonPasswords = () => (known ??= loadCommonPasswords());

/** Whether it is on the offline list of the most common passwords, ignoring case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonPasswords()).passwords.has(password.toLowerCase());
}

/** Number of guesses needed by someone who knows the address. */
export async function estimateGuesses(password: string, email: string): Promise<number> {
  return guessesFor(password, withOwn((await commonPasswords()).ranks, addressWords(email)));
}

export const isWeakPassword = async (password: string, email: string): Promise<boolean> =>
  (await estimateGuesses(password, email)) < EASY_GUESSES;
