import { beforeAll, describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import {
  type Authenticator,
  type AuthenticatorOverrides,
  createAuthenticator,
  ORIGIN,
  type PasskeyChallenge,
} from '#tests/support/passkey.ts';
import { PASSWORD, registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import { dumpDatabase, readAudit, sortedStatuses, statusAndMessage } from '#tests/support/rows.ts';

const QUARTER_MS = 900_000;
const FIVE_MINUTES_MS = 300_000;

type Odd = AuthenticatorOverrides & { idBytes?: number };

const s = fileProduct({ env: { PUBLIC_URL: ORIGIN } });

const begin = async (who: TestUser) => (await who.post('/api/auth/passkeys/options')).json<PasskeyChallenge>();
const finish = (who: TestUser, challenge: string, response: unknown, name: unknown = 'Laptop') =>
  who.post('/api/auth/passkeys', { challenge, name, response });
async function add(
  who: TestUser,
  on: Authenticator = createAuthenticator(ORIGIN),
  odd: Odd = {},
  name: unknown = 'Laptop',
) {
  const { challenge, options } = await begin(who);
  return finish(who, challenge, on.create(options, odd), name);
}
const listOf = async (who: TestUser) => (await who.get('/api/auth/passkeys')).json<{ passkeys: unknown[] }>().passkeys;

test('200: the options request a discoverable passkey and do not reveal the account', async () => {
  const ann = await registerUser(s, 'ann');
  const { challenge, options } = await begin(ann);
  expect(challenge).toMatch(/^pa_/);
  expect(options).toMatchObject({
    rp: { name: 'Meridian', id: 'meridian.example' },
    user: { name: ann.email, displayName: ann.email },
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: FIVE_MINUTES_MS,
  });
  const { user } = options as { user: { id: string } };
  expect(Buffer.from(user.id, 'base64url')).toHaveLength(32);
  expect((await begin(ann)).options).toMatchObject({ user: { id: user.id } });
  expect((await begin(await registerUser(s, 'amy'))).options).not.toMatchObject({ user: { id: user.id } });
});

test('200: adds a passkey, lists it, sends an email and writes to the log', async () => {
  const bea = await registerUser(s, 'bea');
  const answer = await add(bea, createAuthenticator(ORIGIN), {}, '  My laptop ');
  const added = { id: expect.any(Number), name: 'My laptop', createdAt: s.clock.now().toISOString(), lastUsedAt: null };
  expect([answer.statusCode, answer.json()]).toEqual([200, added]);
  expect(await listOf(bea)).toEqual([added]);
  const mail = (await emailsTo(s, bea.email)).find(({ kind }) => kind === 'passkey-changed');
  expect([mail?.subject, mail?.text.includes('My laptop'), mail?.links[0]?.href]).toEqual([
    'A passkey was added',
    true,
    `${ORIGIN}/app/profile?tab=security`,
  ]);
  expect(await readAudit(s, bea.id, 'passkey')).toEqual([
    { action: 'passkey.add', details: { passkey: answer.json().id }, network: '127.0.0.0/24' },
  ]);
});

test('excludes registered passkeys the next time; a device cannot be registered twice', async () => {
  const cat = await registerUser(s, 'cat');
  const { challenge, options } = await begin(cat);
  const response = createAuthenticator(ORIGIN).create(options);
  await finish(cat, challenge, response);
  const next = await begin(cat);
  expect(next.options['excludeCredentials']).toEqual([
    { id: response['id'], type: 'public-key', transports: ['hybrid', 'internal'] },
  ]);
  const id = response['id'] as string;
  expect(statusAndMessage(await add(cat, createAuthenticator(ORIGIN), { id }))).toEqual([
    409,
    'This passkey is already registered',
  ]);
  const other = await registerUser(s, 'cid');
  expect(statusAndMessage(await add(other, createAuthenticator(ORIGIN), { id }))).toEqual([
    409,
    'This passkey is already registered',
  ]);
  expect([await listOf(cat), await listOf(other)].map(({ length }) => length)).toEqual([1, 0]);
});

test('403: adding and removing require a proof no older than 15 minutes', async () => {
  const dan = await registerUser(s, 'dan');
  const { id } = (await add(dan)).json<{ id: number }>();
  s.advance(QUARTER_MS);
  for (const answer of [await dan.post('/api/auth/passkeys/options'), await dan.remove(`/api/auth/passkeys/${id}`)])
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'reauthentication_required']);
  await dan.post('/api/auth/reauthenticate', { password: PASSWORD });
  expect((await dan.remove(`/api/auth/passkeys/${id}`)).statusCode).toBe(200);
});

test('200: removes a passkey, sends an email and writes to the log; a repeat returns 404', async () => {
  const eve = await registerUser(s, 'eve');
  const { id } = (await add(eve, createAuthenticator(ORIGIN), {}, 'Old phone')).json<{ id: number }>();
  const answers = await Promise.all([1, 2].map(() => eve.remove(`/api/auth/passkeys/${id}`)));
  expect(sortedStatuses(answers)).toEqual([200, 404]);
  expect(await listOf(eve)).toEqual([]);
  const mails = (await emailsTo(s, eve.email)).filter(({ kind }) => kind === 'passkey-changed');
  expect(mails.map(({ subject }) => subject)).toEqual(['A passkey was added', 'A passkey was removed']);
  expect(mails.at(-1)?.text).toContain('Old phone');
  expect((await readAudit(s, eve.id, 'passkey')).map(({ action }) => action)).toEqual([
    'passkey.add',
    'passkey.remove',
  ]);
});

test('409: an account has at most ten passkeys, even with concurrent requests', async () => {
  const hal = await registerUser(s, 'hal');
  const begun = await Promise.all(Array.from({ length: 12 }, () => begin(hal)));
  const answers = await Promise.all(
    begun.map(({ challenge, options }) => finish(hal, challenge, createAuthenticator(ORIGIN).create(options))),
  );
  expect(sortedStatuses(answers)).toEqual([...Array.from({ length: 10 }, () => 200), 409, 409]);
  const words = 'Limit reached: 10 passkeys per account. Remove one to add another.';
  expect(statusAndMessage(await hal.post('/api/auth/passkeys/options'))).toEqual([409, words]);
  expect(await listOf(hal)).toHaveLength(10);
});

describe('400: a response that is not valid in every part is not registered', () => {
  const odd: [string, Odd][] = [
    ['another origin', { origin: 'https://meridian.evil' }],
    ['its own address without https', { origin: 'http://meridian.example' }],
    ['another domain', { rpId: 'meridian.evil' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['an answer to a sign-in', { type: 'webauthn.get' }],
    ['nobody present', { present: false }],
    ['an id that is longer than any', { idBytes: 1100 }],
  ];
  let who: TestUser;
  beforeAll(async () => {
    who = await registerUser(s, 'odd');
  });
  test.each(odd)('%s', async (_what, oddity) => {
    expect(statusAndMessage(await add(who, createAuthenticator(ORIGIN), oddity))).toEqual([
      400,
      'Couldn’t verify the passkey. Please try again.',
    ]);
    expect(await listOf(who)).toEqual([]);
  });

  test('nonsense instead of a response', async () => {
    const ida = await registerUser(s, 'ida');
    for (const response of [
      {},
      { id: 'x', rawId: 'x', type: 'public-key' },
      { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 7, attestationObject: null } },
      { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'e30', attestationObject: 'AAAA' } },
    ])
      expect(statusAndMessage(await finish(ida, (await begin(ida)).challenge, response))).toEqual([
        400,
        'Couldn’t verify the passkey. Please try again.',
      ]);
    expect((await finish(ida, (await begin(ida)).challenge, 'text')).statusCode).toBe(400);
  });

  test.each([
    ['no name', ''],
    ['a name of 61 letters', 'x'.repeat(61)],
    ['a name with a line break', 'Laptop\nof Ann'],
    ['a name that is no text', 7],
  ])('%s', async (_what, name) => {
    expect((await add(who, createAuthenticator(ORIGIN), {}, name)).statusCode).toBe(400);
    expect(await listOf(who)).toEqual([]);
  });
});

describe('the challenge of a new passkey', () => {
  const tooLong = [400, 'This took too long. Please try again.'];

  test('is used up by one response: of two concurrent ones, one is added', async () => {
    const jon = await registerUser(s, 'jon');
    const { challenge, options } = await begin(jon);
    const answers = await Promise.all(
      [createAuthenticator(ORIGIN), createAuthenticator(ORIGIN)].map((on) =>
        finish(jon, challenge, on.create(options)),
      ),
    );
    expect(sortedStatuses(answers)).toEqual([200, 400]);
    expect(statusAndMessage(await finish(jon, challenge, createAuthenticator(ORIGIN).create(options)))).toEqual(
      tooLong,
    );
    expect(await listOf(jon)).toHaveLength(1);
  });

  test('expires after five minutes', async () => {
    const kim = await registerUser(s, 'kim');
    const { challenge, options } = await begin(kim);
    s.advance(FIVE_MINUTES_MS);
    expect(statusAndMessage(await finish(kim, challenge, createAuthenticator(ORIGIN).create(options)))).toEqual(
      tooLong,
    );
  });

  test('belongs to one account and one session, and is not valid for sign-in', async () => {
    const lea = await registerUser(s, 'lea');
    const max = await registerUser(s, 'max');
    const login = await sendRequest(s, 'POST', '/api/auth/login', { email: lea.email, password: PASSWORD });
    const token = login.json<{ token: string }>().token;
    for (const by of [max.token, token]) {
      const { challenge, options } = await begin(lea);
      const body = { challenge, name: 'Laptop', response: createAuthenticator(ORIGIN).create(options) };
      expect(statusAndMessage(await sendRequest(s, 'POST', '/api/auth/passkeys', body, { token: by }))).toEqual(
        tooLong,
      );
    }
    const { options } = await begin(lea);
    const { challenge } = (await sendRequest(s, 'POST', '/api/auth/passkey/options')).json<PasskeyChallenge>();
    expect(statusAndMessage(await finish(lea, challenge, createAuthenticator(ORIGIN).create(options)))).toEqual(
      tooLong,
    );
  });

  test('is not stored in plain text in any table, neither as our token nor as the text to sign', async () => {
    const ned = await registerUser(s, 'ned');
    const { challenge, options } = await begin(ned);
    const login = (await sendRequest(s, 'POST', '/api/auth/passkey/options')).json<PasskeyChallenge>();
    const rows = await dumpDatabase(s);
    expect(rows).toContain('passkey_registration');
    for (const text of [challenge, login.challenge, options['challenge'], login.options['challenge']].map(String)) {
      expect(rows).not.toContain(text);
      expect(rows).not.toContain(Buffer.from(text).toString('hex'));
      expect(rows).not.toContain(Buffer.from(text, 'base64url').toString('hex'));
    }
  });
});

test('409: an installation reached by a network address has no passkeys, and the response explains why', async () => {
  const other = await s.another({ PUBLIC_URL: 'http://192.168.1.5:3000' });
  const answer = await other.app.inject({ method: 'POST', url: '/api/auth/passkey/options' });
  expect(statusAndMessage(answer)).toEqual([
    409,
    'Passkeys require a domain name, but this site uses a network address.',
  ]);
});
