import { expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo, newestLink } from '#tests/support/mailbox.ts';
import { codeAt, createTwoFactorUser, invalidCode, STEP_MS, startSignIn } from '#tests/support/passkey.ts';
import { PASSWORD, registerUser, sendRequest, type TestUser, userWithToken } from '#tests/support/people.ts';
import { dumpDatabase, readAudit, sortedStatuses, statusAndMessage } from '#tests/support/rows.ts';

const QUARTER_MS = 900_000;

const s = fileProduct();

const stateOf = async (who: TestUser) => (await who.get('/api/auth/two-factor')).json();
const setUp = async (who: TestUser) => (await who.post('/api/auth/two-factor/setup')).json<{ secret: string }>().secret;
const enable = (who: TestUser, code: string) => who.post('/api/auth/two-factor/enable', { code });
const disable = (who: TestUser) => who.post('/api/auth/two-factor/disable');
const renew = (who: TestUser) => who.post('/api/auth/two-factor/backup-codes');

test('403: setup, disabling and new codes require a proof no older than 15 minutes', async () => {
  const ann = await createTwoFactorUser(s, 'ann');
  const bea = await registerUser(s, 'bea');
  s.advance(QUARTER_MS);
  for (const call of [() => bea.post('/api/auth/two-factor/setup'), () => disable(ann), () => renew(ann)])
    expect((await call()).json()).toEqual({
      error: 'Please confirm it’s you to continue.',
      code: 'reauthentication_required',
    });
  expect(await stateOf(ann)).toEqual({ enabled: true, backupCodesLeft: 10 });
  // With a second factor, the password alone is no proof.
  const byPassword = await ann.post('/api/auth/reauthenticate', { password: PASSWORD });
  expect([byPassword.statusCode, byPassword.json().code]).toEqual([403, 'forbidden']);
  expect((await disable(ann)).json().code).toBe('reauthentication_required');
  const byWrongCode = await ann.post('/api/auth/two-factor/prove', { code: invalidCode(ann.secret, s.clock.now()) });
  expect([byWrongCode.statusCode, byWrongCode.json().error]).toEqual([403, 'Invalid code']);
  const proved = await ann.post('/api/auth/two-factor/prove', { code: codeAt(ann.secret, s.clock.now()) });
  expect(proved.json()).toEqual({ until: new Date(s.clock.now().getTime() + QUARTER_MS).toISOString() });
  expect((await disable(ann)).statusCode).toBe(200);
  expect((await ann.post('/api/auth/two-factor/prove', { code: '123456' })).statusCode).toBe(409);
});

test('dismisses the notice about an easily guessed password', async () => {
  const answer = await sendRequest(s, 'POST', '/api/auth/register', { email: 'lou@people.example', password: 'q' });
  const { token, user } = answer.json<{ token: string; user: { id: number; email: string } }>();
  const lou = userWithToken(s, token, user);
  const isWeak = async () => (await lou.get('/api/subscription')).json().weakPassword;
  expect(await isWeak()).toBe(true);
  await enable(lou, codeAt(await setUp(lou), s.clock.now()));
  expect(await isWeak()).toBe(false);
});

test('enabling it revokes the password proofs of other sessions', async () => {
  const eli = await registerUser(s, 'eli');
  const answer = await sendRequest(s, 'POST', '/api/auth/login', { email: eli.email, password: PASSWORD });
  const other = userWithToken(s, answer.json<{ token: string }>().token, eli);
  const { secret } = (await eli.post('/api/auth/two-factor/setup')).json<{ secret: string }>();
  expect((await enable(eli, codeAt(secret, s.clock.now()))).statusCode).toBe(200);
  expect((await disable(other)).json().code).toBe('reauthentication_required');
  expect((await disable(eli)).statusCode).toBe(200);
});

test('200: a secret takes effect once a code is verified; email and log record it', async () => {
  const cat = await registerUser(s, 'cat');
  expect(await stateOf(cat)).toEqual({ enabled: false, backupCodesLeft: 0 });
  const setup = await cat.post('/api/auth/two-factor/setup');
  const { secret, uri } = setup.json<{ secret: string; uri: string }>();
  expect(uri).toContain(`otpauth://totp/Meridian:cat%40people.example?issuer=Meridian&secret=${secret}`);
  expect(await stateOf(cat)).toEqual({ enabled: false, backupCodesLeft: 0 });
  const plain = await sendRequest(s, 'POST', '/api/auth/login', { email: cat.email, password: PASSWORD });
  expect(plain.json()).toHaveProperty('token');

  const answer = await enable(cat, codeAt(secret, s.clock.now()));
  expect([answer.statusCode, answer.json().backupCodes]).toEqual([200, expect.any(Array)]);
  expect(new Set(answer.json().backupCodes).size).toBe(10);
  expect(await stateOf(cat)).toEqual({ enabled: true, backupCodesLeft: 10 });
  const guarded = await sendRequest(s, 'POST', '/api/auth/login', { email: cat.email, password: PASSWORD });
  expect(guarded.json()).toEqual({ requiresTwoFactor: true, challenge: expect.any(String) });
  const mail = (await emailsTo(s, cat.email)).find(({ kind }) => kind === 'two-factor-changed');
  expect([mail?.subject, mail?.links[0]?.pathname]).toEqual(['Two-factor sign-in was turned on', '/app/profile']);
  expect(await readAudit(s, cat.id, 'two_factor')).toEqual([
    { action: 'two_factor.enable', details: {}, network: '127.0.0.0/24' },
  ]);
});

test('400: a wrong code does not enable it; a code from 30 seconds ago does', async () => {
  const dan = await registerUser(s, 'dan');
  const secret = await setUp(dan);
  const refused = await enable(dan, invalidCode(secret, s.clock.now()));
  expect([refused.statusCode, refused.json()]).toEqual([400, { error: 'Invalid code', code: 'bad_request' }]);
  const old = await enable(dan, codeAt(secret, new Date(s.clock.now().getTime() - 2 * STEP_MS)));
  expect(old.statusCode).toBe(400);
  expect(await stateOf(dan)).toEqual({ enabled: false, backupCodesLeft: 0 });
  expect((await enable(dan, codeAt(secret, new Date(s.clock.now().getTime() - STEP_MS)))).statusCode).toBe(200);
});

test('400: anything but a six-digit code', async () => {
  const { token } = await registerUser(s, 'digits');
  for (const code of ['12345', '1234567', 'abcdef', '', 123_456, null]) {
    const answer = await sendRequest(s, 'POST', '/api/auth/two-factor/enable', { code }, { token });
    expect([code, answer.statusCode, answer.json().code]).toEqual([code, 400, 'bad_request']);
  }
});

test('a new setup replaces the previous one: only its codes work', async () => {
  const eve = await registerUser(s, 'eve');
  const first = await setUp(eve);
  const second = await setUp(eve);
  expect(first).not.toBe(second);
  expect((await enable(eve, codeAt(first, s.clock.now()))).statusCode).toBe(400);
  expect((await enable(eve, codeAt(second, s.clock.now()))).statusCode).toBe(200);
});

test('429: five attempts to enable in five minutes, then even the correct code has to wait', async () => {
  const fay = await registerUser(s, 'fay');
  const secret = await setUp(fay);
  for (let i = 0; i < 5; i++) expect((await enable(fay, invalidCode(secret, s.clock.now()))).statusCode).toBe(400);
  const answer = await enable(fay, codeAt(secret, s.clock.now()));
  expect([answer.statusCode, answer.json().error, answer.headers['retry-after']]).toEqual([
    429,
    'Too many attempts. Please try again later.',
    '300',
  ]);
  s.advance(300_000);
  expect((await enable(fay, codeAt(secret, s.clock.now()))).statusCode).toBe(200);
});

test('409: enabling without a setup, setting up or enabling while enabled, changing while disabled', async () => {
  const gus = await registerUser(s, 'gus');
  const refusals = [await enable(gus, '123456'), await disable(gus), await renew(gus)];
  expect(refusals.map((answer) => [answer.statusCode, answer.json().error])).toEqual([
    [409, 'Set up two-factor sign-in first'],
    [409, 'Two-factor sign-in is not on'],
    [409, 'Two-factor sign-in is not on'],
  ]);
  const hal = await createTwoFactorUser(s, 'hal');
  for (const answer of [await hal.post('/api/auth/two-factor/setup'), await enable(hal, '123456')])
    expect(statusAndMessage(answer)).toEqual([
      409,
      'Two-factor sign-in is already on. Turn it off before you set it up again.',
    ]);
});

test('of two concurrent enable requests, one wins and its codes are the valid ones', async () => {
  const ida = await registerUser(s, 'ida');
  const secret = await setUp(ida);
  const code = codeAt(secret, s.clock.now());
  const answers = await Promise.all([enable(ida, code), enable(ida, code), enable(ida, code)]);
  expect(sortedStatuses(answers)).toEqual([200, 409, 409]);
  expect(await stateOf(ida)).toEqual({ enabled: true, backupCodesLeft: 10 });
  expect((await emailsTo(s, ida.email)).filter(({ kind }) => kind === 'two-factor-changed')).toHaveLength(1);
});

test('200: once disabled, the password alone signs in, and an open challenge is invalid', async () => {
  const jon = await createTwoFactorUser(s, 'jon');
  const challenge = await startSignIn(s, jon.email);
  const answers = await Promise.all([disable(jon), disable(jon)]);
  expect(sortedStatuses(answers)).toEqual([200, 409]);
  expect(await stateOf(jon)).toEqual({ enabled: false, backupCodesLeft: 0 });
  const late = await sendRequest(s, 'POST', '/api/auth/two-factor', { challenge, code: jon.backupCodes[0] });
  expect([late.statusCode, late.json().error]).toEqual([401, 'Please sign in again']);
  const login = await sendRequest(s, 'POST', '/api/auth/login', { email: jon.email, password: PASSWORD });
  expect(login.json()).toHaveProperty('token');
  const mails = (await emailsTo(s, jon.email)).filter(({ kind }) => kind === 'two-factor-changed');
  expect(mails.at(-1)?.subject).toBe('Two-factor sign-in was turned off');
  expect((await readAudit(s, jon.id, 'two_factor')).map(({ action }) => action)).toEqual([
    'two_factor.enable',
    'two_factor.disable',
  ]);
});

test('200: new backup codes invalidate the old ones', async () => {
  const kim = await createTwoFactorUser(s, 'kim');
  const { backupCodes } = (await renew(kim)).json<{ backupCodes: string[] }>();
  expect(backupCodes).toHaveLength(10);
  const signIn = async (code: string | undefined) =>
    (await sendRequest(s, 'POST', '/api/auth/two-factor', { challenge: await startSignIn(s, kim.email), code }))
      .statusCode;
  expect([await signIn(kim.backupCodes[0]), await signIn(backupCodes[0])]).toEqual([401, 200]);
  expect(await stateOf(kim)).toEqual({ enabled: true, backupCodesLeft: 9 });
  const mails = (await emailsTo(s, kim.email)).filter(({ kind }) => kind === 'two-factor-changed');
  expect(mails.at(-1)?.subject).toBe('New backup codes were created');
});

test('a password change or reset invalidates challenges created with the old password', async () => {
  const lea = await createTwoFactorUser(s, 'lea');
  const challenge = await startSignIn(s, lea.email);
  const newPassword = 'Four-Bridges-31!';
  await lea.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword });
  const mia = await createTwoFactorUser(s, 'mia');
  const other = await startSignIn(s, mia.email);
  await sendRequest(s, 'POST', '/api/auth/forgot-password', { email: mia.email });
  await s.product.auth.settled();
  const link = new URL(await newestLink(s, mia.email, 'reset'), 'http://x');
  const reset = { token: link.searchParams.get('token'), newPassword };
  expect((await sendRequest(s, 'POST', '/api/auth/reset-password', reset)).statusCode).toBe(200);
  for (const [of, code] of [
    [challenge, lea.backupCodes[0]],
    [other, mia.backupCodes[0]],
  ]) {
    const late = await sendRequest(s, 'POST', '/api/auth/two-factor', { challenge: of, code });
    expect([late.statusCode, late.json().error]).toEqual([401, 'Please sign in again']);
  }
});

test('no secret, backup code or challenge is stored in plain text in the database', async () => {
  const max = await createTwoFactorUser(s, 'max');
  const pending = await setUp(await registerUser(s, 'ned'));
  const challenge = await startSignIn(s, max.email);
  const rows = await dumpDatabase(s);
  expect(rows).toContain('max@people.example');
  const bare = max.backupCodes.map((code) => code.replace('-', ''));
  for (const text of [max.secret, pending, challenge, ...max.backupCodes, ...bare]) {
    expect(rows).not.toContain(text);
    expect(rows.toLowerCase()).not.toContain(Buffer.from(text).toString('hex'));
  }
});
