import { generateKeyPairSync } from 'node:crypto';

import { beforeAll, describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import {
  type AuthenticatorOverrides,
  createAuthenticator,
  createTwoFactorUser,
  createUserWithPasskey,
  finishPasskeySignIn,
  ORIGIN,
  type PasskeyChallenge,
  registerPasskey,
  signIn,
  startPasskeySignIn,
} from '#tests/support/passkey.ts';
import { PASSWORD, registerUser, sendRequest } from '#tests/support/people.ts';
import { readAudit, sortedStatuses, statusAndMessage } from '#tests/support/rows.ts';

const QUARTER_MS = 900_000;
const FIVE_MINUTES_MS = 300_000;

const s = fileProduct({ env: { PUBLIC_URL: ORIGIN } });

test('200: the options name neither passkey nor account', async () => {
  const { challenge, options } = await startPasskeySignIn(s);
  expect(challenge).toMatch(/^pa_/);
  expect(options).toEqual({
    rpId: 'meridian.example',
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: FIVE_MINUTES_MS,
    userVerification: 'preferred',
  });
});

test('200: a passkey signs in, and its last use is recorded', async () => {
  const ann = await createUserWithPasskey(s, 'ann');
  s.advance(1000);
  const signedIn = await signIn(s, ann.on);
  expect([signedIn.statusCode, signedIn.json()]).toEqual([
    200,
    {
      token: expect.stringMatching(/^s_/),
      user: { id: ann.userId, email: ann.email, role: 'user', isAdmin: false, plan: 'free' },
    },
  ]);
  const { token } = signedIn.json<{ token: string }>();
  expect((await sendRequest(s, 'GET', '/api/auth/user', undefined, { token })).statusCode).toBe(200);
  expect((await readAudit(s, ann.userId, 'session')).at(-1)?.details).toMatchObject({ how: 'passkey' });
  const { passkeys } = (await ann.get('/api/auth/passkeys')).json<{ passkeys: { lastUsedAt: string }[] }>();
  expect(passkeys[0]?.lastUsedAt).toBe(s.clock.now().toISOString());
});

test('a sign-in with a passkey from a new device triggers an email', async () => {
  const bea = await createUserWithPasskey(s, 'bea');
  const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1';
  await signIn(s, bea.on, {}, { agent, ip: '203.0.113.41' });
  const mail = (await emailsTo(s, bea.email)).find(({ kind }) => kind === 'new-sign-in');
  expect(mail?.text).toContain('Safari on iPhone');
});

test('200: a signed-in user renews the proof and keeps the session; no extra session is left behind', async () => {
  const cat = await createUserWithPasskey(s, 'cat');
  s.advance(QUARTER_MS);
  expect((await cat.post('/api/auth/passkeys/options')).statusCode).toBe(403);
  const { challenge, options } = await startPasskeySignIn(s, { token: cat.token });
  expect(options['allowCredentials']).toEqual([
    { id: cat.credential, type: 'public-key', transports: ['hybrid', 'internal'] },
  ]);
  const proof = await finishPasskeySignIn(s, challenge, cat.on.get(options), { token: cat.token });
  expect([proof.statusCode, proof.json().token, proof.json().user.id]).toEqual([200, cat.token, cat.userId]);
  expect((await cat.post('/api/auth/passkeys/options')).statusCode).toBe(200);
  const { sessions } = (await cat.get('/api/auth/sessions')).json<{ sessions: unknown[] }>();
  expect(sessions).toHaveLength(1);
});

test("200: another account's passkey signs in to that account and proves nothing for the current one", async () => {
  const dan = await createUserWithPasskey(s, 'dan');
  const eve = await createUserWithPasskey(s, 'eve');
  s.advance(QUARTER_MS);
  const { challenge, options } = await startPasskeySignIn(s);
  const other = await finishPasskeySignIn(s, challenge, eve.on.get(options), { token: dan.token });
  expect([other.statusCode, other.json().user.id]).toEqual([200, eve.userId]);
  expect([dan.token, eve.token]).not.toContain(other.json().token);
  expect((await dan.post('/api/auth/passkeys/options')).statusCode).toBe(403);
});

test('an unknown token is ignored: the passkey signs in', async () => {
  const fay = await createUserWithPasskey(s, 'fay');
  await fay.post('/api/auth/logout');
  const again = await signIn(s, fay.on, {}, { token: fay.token });
  expect([again.statusCode, again.json().token === fay.token]).toEqual([200, false]);
});

test('a recently ended session, not yet known here, is ignored too', async () => {
  const gus = await createUserWithPasskey(s, 'gus');
  await gus.get('/api/auth/user');
  const { challenge, options } = await startPasskeySignIn(s);
  await s.product.billing.db.deleteFrom('sessions').where('user_id', '=', gus.userId).execute();
  const again = await finishPasskeySignIn(s, challenge, gus.on.get(options), { token: gus.token });
  expect([again.statusCode, again.json().token === gus.token]).toEqual([200, false]);
  const proof = await gus.post('/api/auth/reauthenticate', { password: PASSWORD });
  expect(statusAndMessage(proof)).toEqual([401, 'Authentication required']);
});

describe('a passkey and the account’s other safeguards', () => {
  test('200: no code is requested; 403: a key without user verification does not replace password and code', async () => {
    const who = await createTwoFactorUser(s, 'quin');
    const on = createAuthenticator(ORIGIN);
    await registerPasskey(who, on);
    expect((await signIn(s, on)).json()).toMatchObject({ token: expect.any(String), user: { id: who.id } });
    expect(statusAndMessage(await signIn(s, on, { verified: false }))).toEqual([
      403,
      'This passkey did not verify your PIN, fingerprint or face. Please sign in with your password and a code.',
    ]);
    const roy = await createUserWithPasskey(s, 'roy');
    expect((await signIn(s, roy.on, { verified: false })).statusCode).toBe(200);
  });

  test('403: an unconfirmed address cannot sign in', async () => {
    const sue = await createUserWithPasskey(s, 'sue');
    const other = await s.another({ EMAIL_CONFIRMATION: 'on' });
    const { challenge, options } = await startPasskeySignIn(s);
    const payload = { challenge, response: sue.on.get(options) };
    const refused = await other.app.inject({ method: 'POST', url: '/api/auth/passkey/login', payload });
    expect(statusAndMessage(refused)).toEqual([403, 'Please confirm your email address before you sign in.']);
  });
});

describe('a local server', () => {
  test('has passkeys for localhost at its port, and for no other address', async () => {
    const local = { ...s, product: await s.another({ PUBLIC_URL: '' }) };
    const origin = `http://localhost:${new URL(local.product.auth.ctx.publicUrl()).port}`;
    const on = createAuthenticator(origin);
    const tom = await registerUser(local, 'tom');
    const made = (await tom.post('/api/auth/passkeys/options')).json<PasskeyChallenge>();
    expect(made.options).toMatchObject({ rp: { id: 'localhost' } });
    const added = { challenge: made.challenge, name: 'Laptop', response: on.create(made.options) };
    expect((await tom.post('/api/auth/passkeys', added)).statusCode).toBe(200);
    const login = async (odd: AuthenticatorOverrides) => {
      const { challenge, options } = (
        await sendRequest(local, 'POST', '/api/auth/passkey/options')
      ).json<PasskeyChallenge>();
      const body = { challenge, response: on.get(options, odd) };
      return (await sendRequest(local, 'POST', '/api/auth/passkey/login', body)).statusCode;
    };
    expect([await login({}), await login({ origin: 'http://localhost:1' }), await login({ origin: ORIGIN })]).toEqual([
      200, 401, 401,
    ]);
  });
});

describe('401: a response that is not valid in every part does not sign in', () => {
  const failed = [401, 'Couldn’t verify the passkey. Please try again.'];
  const odd: [string, AuthenticatorOverrides][] = [
    ['another origin', { origin: 'https://meridian.evil' }],
    ['its own address without https', { origin: 'http://meridian.example' }],
    ['a domain below it', { origin: 'https://evil.meridian.example' }],
    ['the localhost of a public address', { origin: 'http://localhost:3000' }],
    ['another domain', { rpId: 'meridian.evil' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['an answer to a registration', { type: 'webauthn.create' }],
    ['nobody present', { present: false }],
    ['another key', { signedBy: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['another owner', { handle: 'AAAA' }],
  ];
  let who: Awaited<ReturnType<typeof createUserWithPasskey>>;
  beforeAll(async () => {
    who = await createUserWithPasskey(s, 'odd');
  });
  test.each(odd)('%s', async (_what, oddity) => {
    expect(statusAndMessage(await signIn(s, who.on, oddity))).toEqual(failed);
    expect((await readAudit(s, who.userId, 'passkey')).at(-1)).toEqual({
      action: 'passkey.refuse',
      details: { passkey: who.id, why: 'not verified' },
      network: '127.0.0.0/24',
    });
    expect((await signIn(s, who.on)).statusCode).toBe(200);
  });

  test("another account's credential: its id or its owner with the attacker's own signature", async () => {
    const gil = await createUserWithPasskey(s, 'gil');
    const hal = await createUserWithPasskey(s, 'hal');
    expect(statusAndMessage(await signIn(s, hal.on, { id: gil.credential }))).toEqual(failed);
    const { options } = (await gil.post('/api/auth/passkeys/options')).json<PasskeyChallenge>();
    const { user } = options as { user: { id: string } };
    expect(statusAndMessage(await signIn(s, hal.on, { handle: user.id }))).toEqual(failed);
    expect(statusAndMessage(await signIn(s, hal.on, { id: gil.credential, handle: user.id }))).toEqual(failed);
  });

  test('a credential that is unknown, removed or malformed', async () => {
    const unknown = [401, 'Unknown passkey'];
    const ida = await createUserWithPasskey(s, 'ida');
    await ida.remove(`/api/auth/passkeys/${ida.id}`);
    expect(statusAndMessage(await signIn(s, ida.on))).toEqual(unknown);
    for (const id of ['', 'x', 'x'.repeat(2000), "' or 1=1", 7, null])
      expect(statusAndMessage(await finishPasskeySignIn(s, (await startPasskeySignIn(s)).challenge, { id }))).toEqual(
        unknown,
      );
    expect(statusAndMessage(await finishPasskeySignIn(s, (await startPasskeySignIn(s)).challenge, {}))).toEqual(
      unknown,
    );
    expect(
      statusAndMessage(await finishPasskeySignIn(s, (await startPasskeySignIn(s)).challenge, { id: '\u0000' }))[0],
    ).toBe(400);
  });

  test('nonsense for a known credential', async () => {
    const jon = await createUserWithPasskey(s, 'jon');
    const { credential: id } = jon;
    for (const response of [
      { id },
      { id, rawId: id, type: 'public-key', response: null },
      { id, rawId: id, type: 'public-key', response: { clientDataJSON: 'e30', authenticatorData: 7, signature: [] } },
    ])
      expect(statusAndMessage(await finishPasskeySignIn(s, (await startPasskeySignIn(s)).challenge, response))).toEqual(
        failed,
      );
  });
});

describe('the challenge of a sign-in', () => {
  const tooLong = [401, 'This took too long. Please try again.'];

  test('is used up by one response, right or wrong: a replay is rejected', async () => {
    const kim = await createUserWithPasskey(s, 'kim');
    const { challenge, options } = await startPasskeySignIn(s);
    const response = kim.on.get(options);
    expect((await finishPasskeySignIn(s, challenge, response)).statusCode).toBe(200);
    expect(statusAndMessage(await finishPasskeySignIn(s, challenge, response))).toEqual(tooLong);
    const second = await startPasskeySignIn(s);
    expect((await finishPasskeySignIn(s, second.challenge, response)).statusCode).toBe(401);
    expect(statusAndMessage(await finishPasskeySignIn(s, second.challenge, kim.on.get(second.options)))).toEqual(
      tooLong,
    );
  });

  test('of eight concurrent uses in two processes, one wins', async () => {
    const lea = await createUserWithPasskey(s, 'lea');
    const other = await s.another();
    const { challenge, options } = await startPasskeySignIn(s);
    const payload = { challenge, response: lea.on.get(options) };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 ? s.product : other).app.inject({ method: 'POST', url: '/api/auth/passkey/login', payload }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(7);
  });

  test('expires after five minutes; a challenge for a new passkey is not valid', async () => {
    const max = await createUserWithPasskey(s, 'max');
    const { challenge, options } = await startPasskeySignIn(s);
    const registration = (await max.post('/api/auth/passkeys/options')).json<PasskeyChallenge>();
    expect(statusAndMessage(await finishPasskeySignIn(s, registration.challenge, max.on.get(options)))).toEqual(
      tooLong,
    );
    s.advance(FIVE_MINUTES_MS);
    expect(statusAndMessage(await finishPasskeySignIn(s, challenge, max.on.get(options)))).toEqual(tooLong);
  });
});

describe('the counter', () => {
  const words = 'This passkey was rejected because it may have been copied. Please sign in another way.';

  test('only increases: a repeated or lower value is rejected and written to the log', async () => {
    const ned = await createUserWithPasskey(s, 'ned');
    expect((await signIn(s, ned.on, { counter: 7 })).statusCode).toBe(200);
    for (const counter of [7, 6, 1, 0])
      expect(statusAndMessage(await signIn(s, ned.on, { counter }))).toEqual([401, words]);
    expect((await readAudit(s, ned.userId, 'passkey')).at(-1)).toEqual({
      action: 'passkey.refuse',
      details: { passkey: ned.id, why: 'counter went back' },
      network: '127.0.0.0/24',
    });
    expect((await signIn(s, ned.on, { counter: 8 })).statusCode).toBe(200);
  });

  test('of two concurrent responses with the same value, one signs in', async () => {
    const oda = await createUserWithPasskey(s, 'oda');
    const answers = await Promise.all([1, 2, 3].map(() => signIn(s, oda.on, { counter: 5 })));
    expect(sortedStatuses(answers)).toEqual([200, 401, 401]);
  });

  test('of a passkey that does not count stays at zero for repeated sign-ins', async () => {
    const pat = await createUserWithPasskey(s, 'pat', createAuthenticator(ORIGIN, { counts: false }));
    for (let i = 0; i < 3; i++) expect((await signIn(s, pat.on)).statusCode).toBe(200);
  });
});
