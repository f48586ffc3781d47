import { createHmac } from 'node:crypto';

import { ask, PASSWORD, type Person, person } from './people.ts';
import type { Started } from './start.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const STEP_MS = 30_000;

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an authenticator app shows for a secret: RFC 6238, written down once more, so that both sides check each other. */
export function codeAt(secret: string, at: Date, digits = 6): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / STEP_MS)));
  const mac = createHmac('sha1', bytesOf(secret)).update(step).digest();
  const from = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(from) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
}

export type Guarded = Person & { secret: string; backupCodes: string[] };

/** Someone who has switched two-factor sign-in on; the code of the present step is spent by it. */
export async function guardedPerson(s: Started, name: string): Promise<Guarded> {
  const someone = await person(s, name);
  const setup = await someone.post('/api/auth/two-factor/setup');
  const { secret } = setup.json<{ secret: string }>();
  const enabled = await someone.post('/api/auth/two-factor/enable', { code: codeAt(secret, s.clock.now()) });
  if (enabled.statusCode !== 200) throw new Error(`${name} could not enable two-factor: ${enabled.body}`);
  return { ...someone, secret, ...enabled.json<{ backupCodes: string[] }>() };
}

/** Six digits that are none of the three codes that count at a moment. */
export function wrongCode(secret: string, at: Date): string {
  const right = new Set([-1, 0, 1].map((steps) => codeAt(secret, new Date(at.getTime() + steps * STEP_MS))));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.has(code)) ?? '';
}

/** The first step of a sign-in. */
export async function challengeFor(s: Started, email: string): Promise<string> {
  const answer = await ask(s, 'POST', '/api/auth/login', { email, password: PASSWORD });
  return answer.json<{ challenge: string }>().challenge;
}
