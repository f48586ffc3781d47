import { expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import {
  codeAt,
  createTwoFactorUser,
  invalidCode,
  STEP_MS,
  startSignIn,
  type TwoFactorUser,
} from '#tests/support/passkey.ts';
import { sendRequest } from '#tests/support/people.ts';
import { readAudit, sortedStatuses, statusAndMessage } from '#tests/support/rows.ts';

const FIVE_MINUTES_MS = 300_000;

const s = fileProduct();

const complete = (challenge: string, code: string | undefined) =>
  sendRequest(s, 'POST', '/api/auth/two-factor', { challenge, code });
const tokenOf = (answer: Awaited<ReturnType<typeof sendRequest>>) => answer.json<{ token: string }>().token;

test('200: password and code open a session and use up the challenge', async () => {
  const ann = await createTwoFactorUser(s, 'ann');
  const challenge = await startSignIn(s, ann.email);
  s.advance(STEP_MS);
  const answer = await complete(challenge, codeAt(ann.secret, s.clock.now()));
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      token: expect.stringMatching(/^s_/),
      user: { id: ann.id, email: ann.email, role: 'user', isAdmin: false, plan: 'free' },
    },
  ]);
  expect((await sendRequest(s, 'GET', '/api/auth/user', undefined, { token: tokenOf(answer) })).statusCode).toBe(200);
  expect((await readAudit(s, ann.id, 'session')).at(-1)?.details).toMatchObject({ how: 'password and code' });
  s.advance(STEP_MS);
  expect(statusAndMessage(await complete(challenge, codeAt(ann.secret, s.clock.now())))).toEqual([
    401,
    'Please sign in again',
  ]);
});

test('a sign-in with a code from a new device triggers an email', async () => {
  const bea = await createTwoFactorUser(s, 'bea');
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const body = { challenge: await startSignIn(s, bea.email), code: bea.backupCodes[0] };
  await sendRequest(s, 'POST', '/api/auth/two-factor', body, { agent, ip: '203.0.113.40' });
  const mail = (await emailsTo(s, bea.email)).find(({ kind }) => kind === 'new-sign-in');
  expect(mail?.text).toContain('Firefox on Windows');
});

test('401: a wrong code keeps the challenge, and the correct one still works', async () => {
  const cat = await createTwoFactorUser(s, 'cat');
  const challenge = await startSignIn(s, cat.email);
  for (const code of ['AAAA-AAAA', invalidCode(cat.secret, s.clock.now()), 'not a code at all', 'z'.repeat(32)])
    expect(statusAndMessage(await complete(challenge, code))).toEqual([401, 'Invalid code']);
  expect(await readAudit(s, cat.id, 'two_factor')).toContainEqual({
    action: 'two_factor.refuse',
    details: { after: 'password' },
    network: '127.0.0.0/24',
  });
  s.advance(STEP_MS);
  expect((await complete(challenge, codeAt(cat.secret, s.clock.now()))).statusCode).toBe(200);
});

/** Enters wrong authenticator codes, each as soon as the next attempt is allowed. */
async function beWrong(who: TwoFactorUser, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const challenge = await startSignIn(s, who.email);
    const answer = await complete(challenge, invalidCode(who.secret, s.clock.now()));
    if (answer.statusCode !== 429) continue;
    s.advance(Number(answer.headers['retry-after']) * 1000);
    i -= 1;
  }
}

test('429: the delay after wrong codes grows across all challenges of the account; a correct code resets it', async () => {
  const dan = await createTwoFactorUser(s, 'dan');
  s.advance(FIVE_MINUTES_MS);
  await beWrong(dan, 5);
  for (const minutes of [5, 10, 20]) {
    const refused = await complete(await startSignIn(s, dan.email), codeAt(dan.secret, s.clock.now()));
    expect([...statusAndMessage(refused), refused.headers['retry-after']]).toEqual([
      429,
      'Too many attempts. Please try again later.',
      String(minutes * 60),
    ]);
    s.advance(minutes * 60_000);
    await beWrong(dan, 1);
  }
  s.advance(40 * 60_000);
  const challenge = await startSignIn(s, dan.email);
  expect((await complete(challenge, codeAt(dan.secret, s.clock.now()))).statusCode).toBe(200);
  await beWrong(dan, 4);
  s.advance(STEP_MS);
  expect((await complete(await startSignIn(s, dan.email), codeAt(dan.secret, s.clock.now()))).statusCode).toBe(200);
});

test('after three wrong codes the owner gets one email', async () => {
  const don = await createTwoFactorUser(s, 'don');
  const mails = async () => (await emailsTo(s, don.email)).filter(({ kind }) => kind === 'wrong-codes');
  await beWrong(don, 2);
  expect(await mails()).toEqual([]);
  await beWrong(don, 3);
  expect((await mails()).map(({ subject }) => subject)).toEqual(['Wrong two-factor codes entered']);
  expect((await mails())[0]?.text).toContain('3 wrong codes in a row');
});

test('at 50 wrong codes app codes are blocked until a backup code or new password is used; backup codes still work', async () => {
  const dex = await createTwoFactorUser(s, 'dex');
  await beWrong(dex, 50);
  s.advance(100 * 86_400_000);
  const withApp = async () => complete(await startSignIn(s, dex.email), codeAt(dex.secret, s.clock.now()));
  expect(statusAndMessage(await withApp())).toEqual([
    403,
    expect.stringMatching(/^Too many wrong codes\. Use a backup code/),
  ]);
  expect((await emailsTo(s, dex.email)).at(-1)?.subject).toBe('Authenticator codes are no longer accepted');
  expect((await complete(await startSignIn(s, dex.email), dex.backupCodes[0])).statusCode).toBe(200);
  expect((await withApp()).statusCode).toBe(200);
}, 60_000);

test("a thief's wrong backup codes block neither the owner's backup code nor the app", async () => {
  const dov = await createTwoFactorUser(s, 'dov');
  const challenge = await startSignIn(s, dov.email);
  const thief = (code: string) =>
    sendRequest(s, 'POST', '/api/auth/two-factor', { challenge, code }, { ip: '203.0.113.77' });
  for (let i = 0; i < 10; i++) expect(statusAndMessage(await thief('AAAA-AAAA'))).toEqual([401, 'Invalid code']);
  expect((await thief('AAAA-AAAA')).statusCode).toBe(429);
  expect((await thief(dov.backupCodes[1] ?? '')).statusCode).toBe(429);
  expect((await complete(await startSignIn(s, dov.email), dov.backupCodes[0])).statusCode).toBe(200);
  s.advance(STEP_MS);
  const opened = await complete(await startSignIn(s, dov.email), codeAt(dov.secret, s.clock.now()));
  expect(opened.statusCode).toBe(200);
  expect((await emailsTo(s, dov.email)).filter(({ kind }) => kind === 'wrong-codes')).toHaveLength(1);
});

test('correct codes use up no attempts', async () => {
  const dot = await createTwoFactorUser(s, 'dot');
  for (const code of dot.backupCodes.slice(0, 7))
    expect((await complete(await startSignIn(s, dot.email), code)).statusCode).toBe(200);
});

test('401: a challenge expires after five minutes, and an unknown one is rejected', async () => {
  const fay = await createTwoFactorUser(s, 'fay');
  const challenge = await startSignIn(s, fay.email);
  s.advance(FIVE_MINUTES_MS);
  for (const code of [codeAt(fay.secret, s.clock.now()), 'AAAA-AAAA'])
    expect(statusAndMessage(await complete(challenge, code))).toEqual([401, 'Please sign in again']);
  for (const forged of ['tw_forged', 'x', fay.token])
    expect(statusAndMessage(await complete(forged, fay.backupCodes[0]))).toEqual([401, 'Please sign in again']);
  expect((await complete('\u0000', fay.backupCodes[0])).statusCode).toBe(400);
});

test('a code works once: with another challenge it is rejected, and so is the preceding code', async () => {
  const gus = await createTwoFactorUser(s, 'gus');
  s.advance(2 * STEP_MS);
  const code = codeAt(gus.secret, s.clock.now());
  const before = codeAt(gus.secret, new Date(s.clock.now().getTime() - STEP_MS));
  expect((await complete(await startSignIn(s, gus.email), code)).statusCode).toBe(200);
  const challenge = await startSignIn(s, gus.email);
  expect(statusAndMessage(await complete(challenge, code))).toEqual([401, 'Invalid code']);
  expect(statusAndMessage(await complete(challenge, before))).toEqual([401, 'Invalid code']);
  s.advance(STEP_MS);
  expect((await complete(challenge, codeAt(gus.secret, s.clock.now()))).statusCode).toBe(200);
});

test('the code that enabled two-factor does not also sign in', async () => {
  const hal = await createTwoFactorUser(s, 'hal');
  const code = codeAt(hal.secret, s.clock.now());
  expect(statusAndMessage(await complete(await startSignIn(s, hal.email), code))).toEqual([401, 'Invalid code']);
});

test('one code used concurrently in two processes opens one session', async () => {
  const ida = await createTwoFactorUser(s, 'ida');
  const other = await s.another();
  s.advance(STEP_MS);
  const code = codeAt(ida.secret, s.clock.now());
  const challenges = await Promise.all(Array.from({ length: 4 }, () => startSignIn(s, ida.email)));
  const answers = await Promise.all(
    challenges.map((challenge, i) =>
      (i % 2 ? s.product : other).app.inject({
        method: 'POST',
        url: '/api/auth/two-factor',
        payload: { challenge, code },
      }),
    ),
  );
  expect(sortedStatuses(answers)).toEqual([200, 401, 401, 401]);
});

test('of two concurrent uses of one challenge, one wins and the other code is not used up', async () => {
  const jon = await createTwoFactorUser(s, 'jon');
  const challenge = await startSignIn(s, jon.email);
  const [first, second] = jon.backupCodes;
  const answers = await Promise.all([complete(challenge, first), complete(challenge, second)]);
  expect(sortedStatuses(answers)).toEqual([200, 401]);
  expect(answers.find(({ statusCode }) => statusCode === 401)?.json().error).toBe('Please sign in again');
  expect((await jon.get('/api/auth/two-factor')).json()).toEqual({ enabled: true, backupCodesLeft: 9 });
});

test('a backup code works once, in upper or lower case and with or without its dash', async () => {
  const kim = await createTwoFactorUser(s, 'kim');
  const [first = '', second = ''] = kim.backupCodes;
  const typed = first.toLowerCase().replace('-', '');
  expect((await complete(await startSignIn(s, kim.email), typed)).statusCode).toBe(200);
  expect(statusAndMessage(await complete(await startSignIn(s, kim.email), first))).toEqual([401, 'Invalid code']);
  expect((await complete(await startSignIn(s, kim.email), ` ${second} `)).statusCode).toBe(200);
  expect((await kim.get('/api/auth/two-factor')).json()).toEqual({ enabled: true, backupCodesLeft: 8 });
  expect((await readAudit(s, kim.id, 'two_factor')).map(({ details }) => details)).toContainEqual({ left: 9 });
});

test("401: another account's backup code or app code does not sign in", async () => {
  const max = await createTwoFactorUser(s, 'max');
  const ned = await createTwoFactorUser(s, 'ned');
  s.advance(STEP_MS);
  const challenge = await startSignIn(s, max.email);
  expect(statusAndMessage(await complete(challenge, ned.backupCodes[0]))).toEqual([401, 'Invalid code']);
  expect(statusAndMessage(await complete(challenge, codeAt(ned.secret, s.clock.now())))).toEqual([401, 'Invalid code']);
  expect((await ned.get('/api/auth/two-factor')).json()).toEqual({ enabled: true, backupCodesLeft: 10 });
});

test.each([
  ['no code', { challenge: 'tw_x' }],
  ['a very long code', { challenge: 'tw_x', code: 'x'.repeat(33) }],
  ['a code that is no text', { challenge: 'tw_x', code: 123_456 }],
  ['an unknown field', { challenge: 'tw_x', code: '123456', trust: true }],
])('400: %s', async (_what, body) => {
  const answer = await sendRequest(s, 'POST', '/api/auth/two-factor', body);
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'bad_request']);
});
