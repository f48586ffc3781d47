import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { expect } from 'vitest';

import { PASSWORD, registerUser, sendRequest, type TestUser } from './people.ts';
import type { TestProduct } from './start.ts';

type Json = Record<string, unknown>;
type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function cborHeader(major: number, length: number): Buffer {
  const type = major << 5;
  if (length < 24) return Buffer.from([type | length]);
  return length < 256 ? Buffer.from([type | 24, length]) : Buffer.from([type | 25, length >> 8, length & 0xff]);
}

/** The subset of CBOR that an authenticator writes. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHeader(1, -1 - value) : cborHeader(0, value);
  if (typeof value === 'string') return Buffer.concat([cborHeader(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHeader(2, value.length), value]);
  return Buffer.concat([cborHeader(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_DATA = 0x40;

/** Deliberate faults and options. */
export type AuthenticatorOverrides = {
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

export type Authenticator = {
  /** Answers `navigator.credentials.create()` in its JSON form. */
  create: (options: Json, overrides?: AuthenticatorOverrides & { idBytes?: number }) => Json;
  /** Answers `navigator.credentials.get()` with the newest matching passkey. */
  get: (options: Json, overrides?: AuthenticatorOverrides) => Json;
};

type StoredPasskey = { id: string; rpId: string; handle: string; key: KeyObject; counter: number };

/** A software authenticator in a browser at `origin`. It counts its uses unless `counts` is false. */
export function createAuthenticator(origin: string, { counts = true }: { counts?: boolean } = {}): Authenticator {
  const passkeys: StoredPasskey[] = [];

  function signClientData(
    type: string,
    options: Json,
    flags: number,
    rpId: string,
    counter: number,
    overrides: AuthenticatorOverrides,
  ) {
    const challenge = overrides.challenge ?? options['challenge'];
    const clientData = {
      type: overrides.type ?? type,
      challenge,
      origin: overrides.origin ?? origin,
      crossOrigin: false,
    };
    const clientDataJSON = Buffer.from(JSON.stringify(clientData));
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const all =
      flags | (overrides.present === false ? 0 : USER_PRESENT) | (overrides.verified === false ? 0 : USER_VERIFIED);
    return { clientDataJSON, data: Buffer.concat([sha256(overrides.rpId ?? rpId), Buffer.from([all]), count]) };
  }

  return {
    create(options, { idBytes = 32, ...overrides } = {}) {
      const { rp, user } = options as { rp: { id: string }; user: { id: string } };
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const id = overrides.id === undefined ? randomBytes(idBytes) : Buffer.from(overrides.id, 'base64url');
      const counter = overrides.counter ?? 0;
      passkeys.push({ id: base64url(id), rpId: rp.id, handle: user.id, key: privateKey, counter });
      const cose = new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const { clientDataJSON, data } = signClientData(
        'webauthn.create',
        options,
        ATTESTED_DATA,
        rp.id,
        counter,
        overrides,
      );
      const length = Buffer.from([id.length >> 8, id.length & 0xff]);
      const authData = Buffer.concat([data, Buffer.alloc(16), length, id, cbor(cose)]);
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientDataJSON),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal', 'hybrid'],
        },
      };
    },
    get(options, overrides = {}) {
      const { rpId, allowCredentials } = options as { rpId: string; allowCredentials?: { id: string }[] };
      const allowed = (id: string) => allowCredentials?.some((each) => each.id === id) ?? true;
      const passkey = passkeys.findLast((each) => each.rpId === rpId && allowed(each.id));
      if (!passkey) throw new Error(`There is no passkey for ${rpId}`);
      if (counts) passkey.counter += 1;
      const counter = overrides.counter ?? passkey.counter;
      const { clientDataJSON, data } = signClientData('webauthn.get', options, 0, rpId, counter, overrides);
      const signature = sign(
        'sha256',
        Buffer.concat([data, sha256(clientDataJSON)]),
        overrides.signedBy ?? passkey.key,
      );
      const id = overrides.id ?? passkey.id;
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientDataJSON),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: overrides.handle ?? passkey.handle,
        },
      };
    },
  };
}

/** The origin of suites with passkeys. */
export const ORIGIN = 'https://meridian.example';

export type PasskeyChallenge = { challenge: string; options: Record<string, unknown> };
type RequestOptions = { token?: string; ip?: string; agent?: string };

export const startPasskeySignIn = async (s: TestProduct, from: RequestOptions = {}): Promise<PasskeyChallenge> =>
  (await sendRequest(s, 'POST', '/api/auth/passkey/options', undefined, from)).json<PasskeyChallenge>();

export const finishPasskeySignIn = (s: TestProduct, challenge: string, response: unknown, from: RequestOptions = {}) =>
  sendRequest(s, 'POST', '/api/auth/passkey/login', { challenge, response }, from);

export async function signIn(
  s: TestProduct,
  authenticator: Authenticator,
  overrides: AuthenticatorOverrides = {},
  from: RequestOptions = {},
) {
  const { challenge, options } = await startPasskeySignIn(s, from);
  return finishPasskeySignIn(s, challenge, authenticator.get(options, overrides), from);
}

export async function registerPasskey(
  user: TestUser,
  authenticator: Authenticator,
): Promise<{ id: number; credential: string }> {
  const { challenge, options } = (await user.post('/api/auth/passkeys/options')).json<PasskeyChallenge>();
  const credential = authenticator.create(options);
  const added = await user.post('/api/auth/passkeys', { challenge, name: 'Laptop', response: credential });
  expect(added.statusCode, added.body).toBe(200);
  return { id: added.json<{ id: number }>().id, credential: String(credential['id']) };
}

/** A user with a passkey on a device; `id` is that of the passkey. */
export async function createUserWithPasskey(
  s: TestProduct,
  name: string,
  authenticator: Authenticator = createAuthenticator(ORIGIN),
) {
  const user = await registerUser(s, name);
  return { ...user, on: authenticator, userId: user.id, ...(await registerPasskey(user, authenticator)) };
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const STEP_MS = 30_000;

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (character) => BASE32.indexOf(character).toString(2).padStart(5, '0')).join('');
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

export type TwoFactorUser = TestUser & { secret: string; backupCodes: string[] };

/** A user with two-factor sign-in; setup used the code of the current step. */
export async function createTwoFactorUser(s: TestProduct, name: string): Promise<TwoFactorUser> {
  const user = await registerUser(s, name);
  const setup = await user.post('/api/auth/two-factor/setup');
  const { secret } = setup.json<{ secret: string }>();
  const enabled = await user.post('/api/auth/two-factor/enable', { code: codeAt(secret, s.clock.now()) });
  if (enabled.statusCode !== 200) throw new Error(`${name} could not enable two-factor: ${enabled.body}`);
  return { ...user, secret, ...enabled.json<{ backupCodes: string[] }>() };
}

/** Six digits that match none of the three codes valid at that time. */
export function invalidCode(secret: string, at: Date): string {
  const validCodes = new Set([-1, 0, 1].map((steps) => codeAt(secret, new Date(at.getTime() + steps * STEP_MS))));
  return ['000000', '111111', '222222', '333333'].find((code) => !validCodes.has(code)) ?? '';
}

/** The first step of a sign-in. */
export async function startSignIn(s: TestProduct, email: string): Promise<string> {
  const response = await sendRequest(s, 'POST', '/api/auth/login', { email, password: PASSWORD });
  return response.json<{ challenge: string }>().challenge;
}
