import { expect } from 'vitest';

import { type Device, device, type Oddities } from './passkey.ts';
import { ask, type Person, person } from './people.ts';
import type { Started } from './start.ts';

/** The address that suites with passkeys start at. */
export const HERE = 'https://meridian.example';

export type Begun = { challenge: string; options: Record<string, unknown> };
type From = { token?: string; ip?: string; agent?: string };

export const beginSignIn = async (s: Started, from: From = {}): Promise<Begun> =>
  (await ask(s, 'POST', '/api/auth/passkey/options', undefined, from)).json<Begun>();

export const answerSignIn = (s: Started, challenge: string, response: unknown, from: From = {}) =>
  ask(s, 'POST', '/api/auth/passkey/login', { challenge, response }, from);

export async function signIn(s: Started, on: Device, odd: Oddities = {}, from: From = {}) {
  const { challenge, options } = await beginSignIn(s, from);
  return answerSignIn(s, challenge, on.get(options, odd), from);
}

export async function givePasskey(who: Person, on: Device): Promise<{ id: number; credential: string }> {
  const { challenge, options } = (await who.post('/api/auth/passkeys/options')).json<Begun>();
  const made = on.create(options);
  const added = await who.post('/api/auth/passkeys', { challenge, name: 'Laptop', response: made });
  expect(added.statusCode, added.body).toBe(200);
  return { id: added.json<{ id: number }>().id, credential: String(made['id']) };
}

/** Someone with a passkey on a device; `id` is the passkey's. */
export async function passkeyOwner(s: Started, name: string, on: Device = device(HERE)) {
  const who = await person(s, name);
  return { ...who, on, userId: who.id, ...(await givePasskey(who, on)) };
}
