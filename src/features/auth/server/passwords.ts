import { availableParallelism } from 'node:os';

import { hash, verify } from '@node-rs/argon2';

import { AppError } from '#server/platform/errors.ts';

/** OWASP's minimum for argon2id: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PARAMETERS = `$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** A flood of sign-ins must leave a core to everyone else. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const LONGEST_QUEUE = 200;

let running = 0;
const queue: (() => void)[] = [];

async function gated<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (queue.length >= LONGEST_QUEUE)
      throw new AppError('unavailable', 'Too many people are signing in at the moment. Please try again in a minute.');
    await new Promise<void>((resolve) => {
      queue.push(resolve);
    });
  } else running += 1;
  try {
    return await work();
  } finally {
    // The place goes to the next in line, so that nobody can slip in between.
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  }
}

export function hashPassword(password: string): Promise<string> {
  return gated(() => hash(password, COST));
}

let dummy: Promise<string> | undefined;

/** True when the password belongs to the hash. Without one it takes as long and is false: a missing account must not answer faster. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hash('nobody', COST);
  const against = stored ?? (await dummy);
  const matches = await gated(() => verify(against, password));
  return stored !== null && matches;
}

/** True for a hash made with other parameters than today's. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith('$argon2id$') || !stored.includes(PARAMETERS);
}

let common: Promise<ReadonlySet<string>> | undefined;

async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

const LETTERS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '3': 'e',
  $: 's',
  '5': 's',
};
/** `P@ssw0rd12` is `password` in other clothes. */
const undressed = (text: string) => text.replace(/[\d\W_]{0,4}$/, '').replaceAll(/[@401!3$5]/g, (c) => LETTERS[c] ?? c);

/** On the offline list of the most common passwords, as it is or thinly disguised. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= loadCommon();
  const list = await common;
  const lower = password.toLowerCase();
  return list.has(lower) || list.has(undressed(lower));
}
