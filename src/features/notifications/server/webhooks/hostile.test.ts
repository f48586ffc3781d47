import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { makeCertificate } from '#tests/support/certificate.ts';
import { type NameServer, startNameServer } from '#tests/support/dns-server.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { createWebhook, type Receiver, startReceiver } from '#tests/support/webhook-receiver.ts';

import { isPublic } from './sending/check-url.ts';

const PRIVATE = 'The URL resolves to a private network';
const PUBLIC_PLACE = '203.0.114.9';

let names: NameServer;
let receiver: Receiver;
/** The production configuration. */
let strict: TestProduct;
/** A configuration that may call this machine. */
let lenient: TestProduct;
let ann: TestUser;
let ben: TestUser;
const trusted = getCACertificates('default');

beforeAll(async () => {
  names = await startNameServer();
  const certificate = makeCertificate(['hooks.example', 'other.example']);
  receiver = await startReceiver(certificate);
  setDefaultCACertificates([...trusted, certificate.cert]);
  const env = { WEBHOOK_DNS: names.address, WEBHOOK_TIMEOUT_SECONDS: '4' };
  [strict, lenient] = await Promise.all([start({ env }), start({ env: { ...env, WEBHOOK_ALLOW_LOOPBACK: '1' } })]);
  [ann, ben] = await Promise.all([registerUser(strict, 'ann', 'premium'), registerUser(lenient, 'ben', 'premium')]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await Promise.all([strict.stop(), lenient.stop()]);
  await Promise.all([receiver.close(), names.close()]);
});
afterEach(async () => {
  receiver.calls.length = 0;
  names.queries.length = 0;
  for (const [s, who] of [
    [strict, ann],
    [lenient, ben],
  ] as const) {
    s.advance(61_000);
    for (const { id } of (await who.get('/api/webhooks')).json<{ webhooks: { id: number }[] }>().webhooks)
      await who.remove(`/api/webhooks/${id}`);
  }
});

const here = (host: string, path = '/ok') => `https://${host}:${receiver.port}${path}`;

describe('an internal host', () => {
  test.each([
    [['127.0.0.1']],
    [['100.100.100.200']],
    [['224.0.0.251']],
    [['198.18.0.1']],
    [['fd12:3456::1']],
    [['::ffff:7f00:1']],
    [[PUBLIC_PLACE, '10.0.0.8']],
    [['8.8.8.8', '::1']],
  ])('%j is rejected and not called', async (addresses) => {
    names.setAddresses('inside.example', addresses);
    const hook = await createWebhook(ann, { url: 'https://inside.example/x' });
    expect(await hook.tryOut()).toMatchObject({ state: 'failed', status: null, note: PRIVATE });
  });

  test('on this machine other networks stay blocked when loopback is allowed', async () => {
    names.setAddresses('hooks.example', ['127.0.0.1', '10.0.0.8']);
    const hook = await createWebhook(ben, { url: here('hooks.example') });
    expect(await hook.tryOut()).toMatchObject({ state: 'failed', note: PRIVATE });
    expect(receiver.calls).toEqual([]);
  });
});

describe('names that change', () => {
  test('the checked address is the one called: one lookup per call', async () => {
    names.setAddresses('hooks.example', ['127.0.0.1'], ['169.254.169.254']);
    const hook = await createWebhook(ben, { url: here('hooks.example') });
    expect(await hook.tryOut()).toMatchObject({ state: 'sent', status: 204 });
    expect(names.queries).toEqual(['hooks.example', 'hooks.example']);
    expect(receiver.calls).toHaveLength(1);
    expect(await hook.tryOut()).toMatchObject({ state: 'failed', note: PRIVATE });
    expect(receiver.calls).toHaveLength(1);
  });

  test('the certificate must match the host in the URL', async () => {
    names.setAddresses('else.example', ['127.0.0.1']);
    const hook = await createWebhook(ben, { url: here('else.example') });
    expect(await hook.tryOut()).toMatchObject({
      state: 'later',
      note: 'The host’s TLS certificate was rejected (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
    expect(receiver.calls).toEqual([]);
  });

  test('an untrusted certificate is rejected', async () => {
    const other = await startReceiver(makeCertificate(['other.example']));
    names.setAddresses('other.example', ['127.0.0.1']);
    const hook = await createWebhook(ben, { url: `https://other.example:${other.port}/ok` });
    const { state, note } = await hook.tryOut();
    await other.close();
    expect([state, note]).toEqual(['later', expect.stringContaining('The host’s TLS certificate was rejected')]);
    expect(other.calls).toEqual([]);
  });

  test('a redirect to cloud metadata is not followed', async () => {
    names.setAddresses('hooks.example', ['127.0.0.1']);
    const hook = await createWebhook(ben, { url: here('hooks.example', '/redirect') });
    expect(await hook.tryOut()).toMatchObject({ state: 'failed', status: 302 });
    expect(names.queries).toEqual(['hooks.example', 'hooks.example']);
  });

  test('a name without an address, and name servers that do not respond', async () => {
    const unknown = await createWebhook(ann, { url: 'https://unknown.example/x' });
    expect(await unknown.tryOut()).toMatchObject({ state: 'later', note: 'Unknown host unknown.example' });
    names.stopResponding();
    expect(await unknown.tryOut()).toMatchObject({ state: 'later', note: 'DNS lookup failed' });
  });
});

test.each([
  ['8.8.8.8', true],
  ['203.0.114.9', true],
  ['2606:4700:4700::1111', true],
  ['2001:4860:4860::8888', true],
  ['172.32.0.1', true],
  ['100.128.0.1', true],
  ['172.16.0.1', false],
  ['192.0.0.170', false],
  ['::ffff:8.8.8.8', false],
  ['::8.8.8.8', false],
  ['64:ff9b:1::1', false],
  ['fe80::1%lo', false],
  ['fec0::1', false],
  ['2001:db8::1', false],
  ['100::1', false],
  ['no address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});
