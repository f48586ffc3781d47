import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

import { countAttempt } from '#features/auth/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import type { Secrets } from '#server/platform/secrets.ts';

import { type Challenge, OPERATORS, resultOf } from '../contract.ts';

type Deps = { db: Db; now: () => Date; secrets: Secrets };

const GOOD_SECONDS = 600;
const PURPOSE = 'captcha';
const sumOf = (id: string, expiry: string, answer: number) => `${id}.${expiry}.${answer}`;

/** The answer is in the seal, not beside it: nothing is stored until it comes back. */
export function makeChallenge({ secrets, now }: Deps): Challenge {
  const sum = { a: randomInt(1, 11), b: randomInt(1, 11), operator: OPERATORS[randomInt(OPERATORS.length)] ?? '+' };
  const id = randomBytes(12).toString('base64url');
  const expiry = String(now().getTime() + GOOD_SECONDS * 1000);
  const seal = secrets.mac(PURPOSE, sumOf(id, expiry, resultOf(sum))).toString('base64url');
  return { ...sum, challenge: `${id}.${expiry}.${seal}` };
}

const isSame = (given: string, right: Buffer) => {
  const bytes = Buffer.from(given, 'base64url');
  return bytes.length === right.length && timingSafeEqual(bytes, right);
};

const idOf = (challenge: string) => /^([\w-]{16})\.(\d{13})\.([\w-]{43})$/.exec(challenge);

/** True for the right answer in time. A wrong one uses the challenge up. */
export async function isAnswered(deps: Deps, challenge: string, answer: string): Promise<boolean> {
  const [, id, expiry, seal] = idOf(challenge) ?? [];
  if (!id || !expiry || !seal || Number(expiry) <= deps.now().getTime()) return false;
  const right = deps.secrets.macs(PURPOSE, sumOf(id, expiry, Number(answer)));
  if (/^-?\d{1,3}$/.test(answer) && right.some((mac) => isSame(seal, mac))) return true;
  await useUp(deps, challenge);
  return false;
}

/** True for the first who comes with it. */
export async function useUp({ db, now }: Deps, challenge: string): Promise<boolean> {
  const { hits } = await countAttempt(db, `captcha:${idOf(challenge)?.[1]}`, GOOD_SECONDS, now());
  return hits === 1;
}
