import { createECDH, generateKeyPairSync, sign } from 'node:crypto';

import { describe, expect, test } from 'vitest';
import { fileSandbox } from '#tests/support/for-file.ts';
import { decrypt, verifyVapid } from './providers/push.ts';

const sandbox = fileSandbox();

/** The example of RFC 8291, Appendix A. */
const EXAMPLE = {
  key: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

function keysOf({ key, auth }: typeof EXAMPLE) {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(key, 'base64url');
  return { ecdh, auth: Buffer.from(auth, 'base64url') };
}

describe('a message', () => {
  const body = Buffer.from(EXAMPLE.body, 'base64url');

  test('the standard’s example is decrypted', () => {
    expect(decrypt(body, keysOf(EXAMPLE))).toBe('When I grow up, I want to be a watermelon');
  });

  test('a modified one, or one for another receiver, is rejected', () => {
    const changed = Buffer.from(body);
    changed[changed.length - 20] = 0;
    expect(() => decrypt(changed, keysOf(EXAMPLE))).toThrow();
    expect(() => decrypt(body, keysOf({ ...EXAMPLE, auth: 'AAAAAAAAAAAAAAAAAAAAAA' }))).toThrow();
  });
});

const ORIGIN = 'https://push.example';
const inHours = (hours: number) => Math.floor(Date.now() / 1000) + hours * 3600;
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function headerOf(claims: Record<string, unknown>, alg = 'ES256') {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = privateKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const text = `${base64({ typ: 'JWT', alg })}.${base64(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${point.toString('base64url')}`;
}

describe('a sender', () => {
  const good = { aud: ORIGIN, exp: inHours(12), sub: 'mailto:ops@example.com' };

  test('is identified by key and subject', () => {
    expect(verifyVapid(headerOf(good), ORIGIN)).toMatchObject({ subject: 'mailto:ops@example.com' });
  });

  test.each([
    ['elsewhere', headerOf({ ...good, aud: 'https://other.example' }), 'the token is for https://other.example'],
    ['run out', headerOf({ ...good, exp: inHours(-1) }), 'the token has run out, or runs longer than a day'],
    ['for two days', headerOf({ ...good, exp: inHours(48) }), 'the token has run out, or runs longer than a day'],
    ['without a subject', headerOf({ aud: ORIGIN, exp: inHours(1) }), 'the token has no contact'],
    ['another algorithm', headerOf(good, 'none'), 'the algorithm is not ES256'],
    ['another key', headerOf(good).replace(/k=.*/, headerOf(good).split(', ')[1] ?? ''), 'the signature does not fit'],
    ['none', '', 'the key is not a public key of the curve P-256'],
  ])('is rejected: %s', (_what, header, why) => {
    expect(verifyVapid(header, ORIGIN)).toBe(why);
  });
});

describe('the service', () => {
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${sandbox.origin}/push/${path}`, { method: 'POST', headers, body: 'x' });

  test('404 for an unknown browser, 403 without a sender, 410 after expiry', async () => {
    expect((await post('none')).status).toBe(404);
    const { id } = (await (await fetch(`${sandbox.origin}/push/browsers`, { method: 'POST' })).json()) as {
      id: string;
    };
    expect((await post(id)).status).toBe(403);
    const claims = { aud: sandbox.origin, exp: inHours(1), sub: 'mailto:ops@example.com' };
    const authorization = headerOf(claims);
    expect((await post(id, { authorization })).status).toBe(415);
    expect((await post(id, { authorization, 'content-encoding': 'aes128gcm' })).status).toBe(400);
    expect((await post(id, { authorization: headerOf(claims) })).status).toBe(403);
    await fetch(`${sandbox.origin}/push/browsers/${id}`, { method: 'DELETE' });
    expect((await post(id, { authorization })).status).toBe(410);
  });
});
