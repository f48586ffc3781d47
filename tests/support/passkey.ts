import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { expect } from 'vitest';

import { PASSWORD, type Person, person, sendRequest } from './people.ts';
import type { Started } from './start.ts';

type Json = Record<string, unknown>;
type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function head(major: number, length: number): Buffer {
  const type = major << 5;
  if (length < 24) return Buffer.from([type | length]);
  return length < 256 ? Buffer.from([type | 24, length]) : Buffer.from([type | 25, length >> 8, length & 0xff]);
}

/** The subset of CBOR that an authenticator writes. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text64 = (data: Buffer) => data.toString('base64url');
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** Deliberate faults and options. */
export type Oddities = {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  counter?: number;
  /** False: user presence without verification. */
  verified?: boolean;
  present?: boolean;
  id?: string;
  handle?: string;
  signedBy?: KeyObject;
};

export type Device = {
  /** Answers `navigator.credentials.create()` in its JSON form. */
  create: (options: Json, odd?: Oddities & { idBytes?: number }) => Json;
  /** Answers `navigator.credentials.get()` with the newest matching passkey. */
  get: (options: Json, odd?: Oddities) => Json;
};

type Kept = { id: string; rpId: string; handle: string; key: KeyObject; counter: number };

/** A software authenticator in a browser at `origin`. It counts its uses unless `counts` is false. */
export function device(origin: string, { counts = true }: { counts?: boolean } = {}): Device {
  const kept: Kept[] = [];

  function signed(type: string, options: Json, flags: number, rpId: string, counter: number, odd: Oddities) {
    const challenge = odd.challenge ?? options['challenge'];
    const clientData = { type: odd.type ?? type, challenge, origin: odd.origin ?? origin, crossOrigin: false };
    const clientDataJSON = Buffer.from(JSON.stringify(clientData));
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const all = flags | (odd.present === false ? 0 : PRESENT) | (odd.verified === false ? 0 : VERIFIED);
    return { clientDataJSON, data: Buffer.concat([sha256(odd.rpId ?? rpId), Buffer.from([all]), count]) };
  }

  return {
    create(options, { idBytes = 32, ...odd } = {}) {
      const { rp, user } = options as { rp: { id: string }; user: { id: string } };
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const id = odd.id === undefined ? randomBytes(idBytes) : Buffer.from(odd.id, 'base64url');
      const counter = odd.counter ?? 0;
      kept.push({ id: text64(id), rpId: rp.id, handle: user.id, key: privateKey, counter });
      const cose = new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const { clientDataJSON, data } = signed('webauthn.create', options, ATTESTED, rp.id, counter, odd);
      const length = Buffer.from([id.length >> 8, id.length & 0xff]);
      const authData = Buffer.concat([data, Buffer.alloc(16), length, id, cbor(cose)]);
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        id: text64(id),
        rawId: text64(id),
        type: 'public-key',
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text64(clientDataJSON),
          attestationObject: text64(cbor(attestation)),
          transports: ['internal', 'hybrid'],
        },
      };
    },
    get(options, odd = {}) {
      const { rpId, allowCredentials } = options as { rpId: string; allowCredentials?: { id: string }[] };
      const allowed = (id: string) => allowCredentials?.some((each) => each.id === id) ?? true;
      const passkey = kept.findLast((each) => each.rpId === rpId && allowed(each.id));
      if (!passkey) throw new Error(`There is no passkey for ${rpId}`);
      if (counts) passkey.counter += 1;
      const counter = odd.counter ?? passkey.counter;
      const { clientDataJSON, data } = signed('webauthn.get', options, 0, rpId, counter, odd);
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), odd.signedBy ?? passkey.key);
      const id = odd.id ?? passkey.id;
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text64(clientDataJSON),
          authenticatorData: text64(data),
          signature: text64(signature),
          userHandle: odd.handle ?? passkey.handle,
        },
      };
    },
  };
}

/** The origin of suites with passkeys. */
export const HERE = 'https://meridian.example';

export type Begun = { challenge: string; options: Record<string, unknown> };
type From = { token?: string; ip?: string; agent?: string };

export const beginSignIn = async (s: Started, from: From = {}): Promise<Begun> =>
  (await sendRequest(s, 'POST', '/api/auth/passkey/options', undefined, from)).json<Begun>();

export const answerSignIn = (s: Started, challenge: string, response: unknown, from: From = {}) =>
  sendRequest(s, 'POST', '/api/auth/passkey/login', { challenge, response }, from);

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

/** A user with a passkey on a device; `id` is that of the passkey. */
export async function passkeyOwner(s: Started, name: string, on: Device = device(HERE)) {
  const who = await person(s, name);
  return { ...who, on, userId: who.id, ...(await givePasskey(who, on)) };
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const STEP_MS = 30_000;

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of an authenticator app for a secret: a second implementation of RFC 6238, to verify the first one. */
export function codeAt(secret: string, at: Date, digits = 6): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / STEP_MS)));
  const mac = createHmac('sha1', bytesOf(secret)).update(step).digest();
  const from = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(from) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
}

export type Guarded = Person & { secret: string; backupCodes: string[] };

/** A user with two-factor sign-in; setup used the code of the current step. */
export async function guardedPerson(s: Started, name: string): Promise<Guarded> {
  const someone = await person(s, name);
  const setup = await someone.post('/api/auth/two-factor/setup');
  const { secret } = setup.json<{ secret: string }>();
  const enabled = await someone.post('/api/auth/two-factor/enable', { code: codeAt(secret, s.clock.now()) });
  if (enabled.statusCode !== 200) throw new Error(`${name} could not enable two-factor: ${enabled.body}`);
  return { ...someone, secret, ...enabled.json<{ backupCodes: string[] }>() };
}

/** Six digits that match none of the three codes valid at that time. */
export function wrongCode(secret: string, at: Date): string {
  const right = new Set([-1, 0, 1].map((steps) => codeAt(secret, new Date(at.getTime() + steps * STEP_MS))));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.has(code)) ?? '';
}

/** The first step of a sign-in. */
export async function challengeFor(s: Started, email: string): Promise<string> {
  const answer = await sendRequest(s, 'POST', '/api/auth/login', { email, password: PASSWORD });
  return answer.json<{ challenge: string }>().challenge;
}
