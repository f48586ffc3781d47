import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/file-product.ts';
import { device, type Oddities } from '#tests/support/passkey.ts';
import { answerSignIn, type Begun, beginSignIn, HERE, passkeyOwner, signIn } from '#tests/support/passkey-calls.ts';
import { said, statusesOf } from '#tests/support/replies.ts';
import { auditOf } from '#tests/support/rows.ts';

const FIVE_MINUTES_MS = 300_000;

const s = fileProduct({ env: { PUBLIC_URL: HERE } });

describe('401: what is not right in every part signs nobody in', () => {
  const failed = [401, 'The passkey could not be checked. Please try again.'];
  const odd: [string, Oddities][] = [
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
  test.each(odd)('%s', async (what, oddity) => {
    const who = await passkeyOwner(s, `odd-${what.replaceAll(/\W+/g, '-')}`);
    expect(said(await signIn(s, who.on, oddity))).toEqual(failed);
    expect((await auditOf(s, who.userId, 'passkey')).at(-1)).toEqual({
      action: 'passkey.refuse',
      details: { passkey: who.id, why: 'not verified' },
      network: '127.0.0.0/24',
    });
    expect((await signIn(s, who.on)).statusCode).toBe(200);
  });

  test("another account's credential: its id or its owner under one's own signature", async () => {
    const gus = await passkeyOwner(s, 'gus');
    const hal = await passkeyOwner(s, 'hal');
    expect(said(await signIn(s, hal.on, { id: gus.credential }))).toEqual(failed);
    const { options } = (await gus.post('/api/auth/passkeys/options')).json<Begun>();
    const { user } = options as { user: { id: string } };
    expect(said(await signIn(s, hal.on, { handle: user.id }))).toEqual(failed);
    expect(said(await signIn(s, hal.on, { id: gus.credential, handle: user.id }))).toEqual(failed);
  });

  test('a credential that is not known, that was removed, or that is none', async () => {
    const unknown = [401, 'This passkey is not known here'];
    const ida = await passkeyOwner(s, 'ida');
    await ida.remove(`/api/auth/passkeys/${ida.id}`);
    expect(said(await signIn(s, ida.on))).toEqual(unknown);
    for (const id of ['', 'x', 'x'.repeat(2000), "' or 1=1", 7, null])
      expect(said(await answerSignIn(s, (await beginSignIn(s)).challenge, { id }))).toEqual(unknown);
    expect(said(await answerSignIn(s, (await beginSignIn(s)).challenge, {}))).toEqual(unknown);
    expect(said(await answerSignIn(s, (await beginSignIn(s)).challenge, { id: '\u0000' }))[0]).toBe(400);
  });

  test('nonsense under a credential that is known', async () => {
    const jon = await passkeyOwner(s, 'jon');
    const { credential: id } = jon;
    for (const response of [
      { id },
      { id, rawId: id, type: 'public-key', response: null },
      { id, rawId: id, type: 'public-key', response: { clientDataJSON: 'e30', authenticatorData: 7, signature: [] } },
    ])
      expect(said(await answerSignIn(s, (await beginSignIn(s)).challenge, response))).toEqual(failed);
  });
});

describe('the challenge of a sign-in', () => {
  const tooLong = [401, 'This took too long. Please try again.'];

  test('is spent by one answer, right or wrong: a replay is refused', async () => {
    const kim = await passkeyOwner(s, 'kim');
    const { challenge, options } = await beginSignIn(s);
    const response = kim.on.get(options);
    expect((await answerSignIn(s, challenge, response)).statusCode).toBe(200);
    expect(said(await answerSignIn(s, challenge, response))).toEqual(tooLong);
    const second = await beginSignIn(s);
    expect((await answerSignIn(s, second.challenge, response)).statusCode).toBe(401);
    expect(said(await answerSignIn(s, second.challenge, kim.on.get(second.options)))).toEqual(tooLong);
  });

  test('of eight who spend it at once, in two processes, one wins', async () => {
    const lea = await passkeyOwner(s, 'lea');
    const other = await s.another();
    const { challenge, options } = await beginSignIn(s);
    const payload = { challenge, response: lea.on.get(options) };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 ? s.product : other).app.inject({ method: 'POST', url: '/api/auth/passkey/login', payload }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(7);
  });

  test('ends after five minutes, and one of a new passkey is none', async () => {
    const max = await passkeyOwner(s, 'max');
    const { challenge, options } = await beginSignIn(s);
    const registration = (await max.post('/api/auth/passkeys/options')).json<Begun>();
    expect(said(await answerSignIn(s, registration.challenge, max.on.get(options)))).toEqual(tooLong);
    s.advance(FIVE_MINUTES_MS);
    expect(said(await answerSignIn(s, challenge, max.on.get(options)))).toEqual(tooLong);
  });
});

describe('the counter', () => {
  const words = 'This passkey was refused: there may be a copy of it. Please sign in another way.';

  test('goes up only: one that stays or goes back is refused and written to the log', async () => {
    const ned = await passkeyOwner(s, 'ned');
    expect((await signIn(s, ned.on, { counter: 7 })).statusCode).toBe(200);
    for (const counter of [7, 6, 1, 0]) expect(said(await signIn(s, ned.on, { counter }))).toEqual([401, words]);
    expect((await auditOf(s, ned.userId, 'passkey')).at(-1)).toEqual({
      action: 'passkey.refuse',
      details: { passkey: ned.id, why: 'counter went back' },
      network: '127.0.0.0/24',
    });
    expect((await signIn(s, ned.on, { counter: 8 })).statusCode).toBe(200);
  });

  test('of two that say the same number at once, one signs in', async () => {
    const oda = await passkeyOwner(s, 'oda');
    const answers = await Promise.all([1, 2, 3].map(() => signIn(s, oda.on, { counter: 5 })));
    expect(statusesOf(answers)).toEqual([200, 401, 401]);
  });

  test('of a passkey that does not count stays at nought, time and again', async () => {
    const pat = await passkeyOwner(s, 'pat', device(HERE, { counts: false }));
    for (let i = 0; i < 3; i++) expect((await signIn(s, pat.on)).statusCode).toBe(200);
  });
});
