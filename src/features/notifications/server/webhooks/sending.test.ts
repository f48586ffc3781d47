import { createHmac } from 'node:crypto';

import { afterEach, describe, expect, test, vi } from 'vitest';

import type { Attempt } from '#features/notifications/contract/webhooks.ts';
import { VERIFY_SAMPLE } from '#features/notifications/web/webhooks/sample.ts';
import { fileProduct, member, shared } from '#tests/support/for-file.ts';
import { createWebhook, type Fault, startReceiver } from '#tests/support/webhook-receiver.ts';

const s = fileProduct({ env: { WEBHOOK_ALLOW_LOOPBACK: '1', WEBHOOK_TIMEOUT_SECONDS: '4' } });
const ann = member(s, 'ann', 'premium');
const receiver = shared(startReceiver);
afterEach(async () => {
  receiver.calls.length = 0;
  s.advance(61_000);
  for (const { id } of (await ann.get('/api/webhooks')).json<{ webhooks: { id: number }[] }>().webhooks)
    await ann.remove(`/api/webhooks/${id}`);
});

/** Verifies as a receiver would, following our documentation: it shares no code with the product. */
function isGenuine(header: string, body: string, secret: string): boolean {
  const parts = header.split(',').map((part) => part.split('=') as [string, string]);
  const t = parts.find(([name]) => name === 't')?.[1] ?? '';
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return parts.some(([name, value]) => name === 'v1' && value === expected);
}

describe('what is sent', () => {
  test('generic: id, type, time and notice, signed with time and secret', async () => {
    const hook = await createWebhook(ann, { url: `${receiver.url}/ok?desk=1` });
    const result = await hook.tryOut();
    expect(result).toEqual({ state: 'sent', status: 204, ms: result.ms, note: 'Answered 204' });
    const [call] = receiver.calls;
    const at = s.clock.now();
    expect(call?.path).toBe('/ok?desk=1');
    expect(JSON.parse(call?.body ?? '')).toEqual({
      id: call?.headers['meridian-delivery'],
      type: 'TEST',
      createdAt: at.toISOString(),
      dataMode: 'live',
      data: {
        kind: 'TEST',
        category: 'product',
        severity: 'low',
        title: 'Test from Meridian',
        body: 'This webhook works. Alerts arrive in the same format.',
        path: '/app/profile?tab=notifications',
        tag: 'test',
        asset: null,
        metric: null,
        value: null,
        at: at.toISOString(),
        source: null,
        eventDate: null,
        url: expect.stringMatching(/^http.*\/app\/profile\?tab=notifications$/) as unknown,
      },
    });
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Meridian-Webhooks/1.0',
      host: `127.0.0.1:${receiver.port}`,
    });
    const signature = String(call?.headers['meridian-signature']);
    expect(signature).toMatch(new RegExp(`^t=${Math.floor(at.getTime() / 1000)},v1=[0-9a-f]{64}$`));
    expect(isGenuine(signature, call?.body ?? '', hook.secret)).toBe(true);
    expect(isGenuine(signature, `${call?.body} `, hook.secret)).toBe(false);
    expect(isGenuine(signature, call?.body ?? '', `${hook.secret}x`)).toBe(false);
  });

  test('the sample shown to users verifies our calls and rejects others', async () => {
    const { isGenuine: check } = (await import(`data:text/javascript,${encodeURIComponent(VERIFY_SAMPLE)}`)) as {
      isGenuine: (signature: string, body: string, secret: string) => boolean;
    };
    const hook = await createWebhook(ann, { url: `${receiver.url}/ok` });
    await hook.tryOut();
    const [call] = receiver.calls;
    const signature = String(call?.headers['meridian-signature']);
    const body = call?.body ?? '';
    const at = s.clock.now().getTime();
    vi.useFakeTimers({ toFake: ['Date'], now: at });
    expect(check(signature, body, hook.secret)).toBe(true);
    expect(check(`${signature},v1=00`, body, hook.secret)).toBe(true);
    expect(check(signature, `${body} `, hook.secret)).toBe(false);
    expect(check(signature, body, `${hook.secret}x`)).toBe(false);
    expect(check('', body, hook.secret)).toBe(false);
    vi.setSystemTime(at + 301_000);
    expect(check(signature, body, hook.secret)).toBe(false);
    vi.useRealTimers();
  });

  test('a new secret signs immediately; the old one too, for 24 hours', async () => {
    const hook = await createWebhook(ann, { url: `${receiver.url}/ok` });
    const { secret, oldSecretUntil } = (await ann.post(`${hook.at}/secret`)).json<Record<string, string>>();
    expect(Date.parse(String(oldSecretUntil)) - s.clock.now().getTime()).toBe(86_400_000);
    const genuine = async () => {
      await hook.tryOut();
      const call = receiver.calls.at(-1);
      const header = String(call?.headers['meridian-signature']);
      return [String(secret), hook.secret].map((each) => isGenuine(header, call?.body ?? '', each));
    };
    expect(await genuine()).toEqual([true, true]);
    s.advance(86_399_000);
    expect(await genuine()).toEqual([true, true]);
    expect((await hook.now())?.oldSecretUntil).toBe(oldSecretUntil);
    s.advance(1000);
    expect(await genuine()).toEqual([true, false]);
    expect((await hook.now())?.oldSecretUntil).toBeNull();
  });

  test('Discord and Slack get their own format, without a signature', async () => {
    for (const format of ['discord', 'slack'] as const)
      await (await createWebhook(ann, { url: `${receiver.url}/ok`, format })).tryOut();
    const [discord, slack] = receiver.calls.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(discord).toMatchObject({
      content: '**Test from Meridian**',
      embeds: [{ description: 'This webhook works. Alerts arrive in the same format.' }],
      allowed_mentions: { parse: [] },
    });
    expect(slack).toMatchObject({
      text: 'Test from Meridian: This webhook works. Alerts arrive in the same format.',
      blocks: [{ type: 'header' }, { type: 'section' }, { type: 'context' }, { type: 'section' }],
    });
    for (const { headers } of receiver.calls) {
      expect(headers['meridian-signature']).toBeUndefined();
      expect(headers['meridian-delivery']).toMatch(/^test_/);
    }
  });
});

describe('failures of the receiver', () => {
  test.each<[Fault, Partial<Attempt>]>([
    ['slow', { state: 'sent', status: 200, note: 'Answered 200' }],
    ['gone', { state: 'dropped', status: 410, note: 'Answered 410' }],
    ['busy', { state: 'later', status: 429, note: 'Answered 429' }],
    ['broken', { state: 'later', status: 500, note: 'Answered 500: our database is away' }],
    ['refusing', { state: 'failed', status: 400, note: 'Answered 400: {"message": "Unknown Webhook"}' }],
    [
      'redirect',
      { state: 'failed', status: 302, note: 'Responded with 302: redirects are not followed. Enter the final URL.' },
    ],
    ['hang', { state: 'later', status: null, note: 'No response within 4 s' }],
    ['cut', { state: 'later', status: null, note: 'The host closed the connection' }],
  ])('%s', async (fault, expected) => {
    const hook = await createWebhook(ann, { url: `${receiver.url}/${fault}` });
    expect(await hook.tryOut()).toMatchObject(expected);
    expect(receiver.calls).toHaveLength(1);
    const { attempts } = (await ann.get(`${hook.at}/attempts`)).json<{ attempts: Attempt[] }>();
    expect(attempts).toMatchObject([{ kind: 'TEST', deliveryId: null, at: s.clock.now().toISOString(), ...expected }]);
    expect((await hook.now())?.enabled).toBe(true);
  });

  test('only the beginning of a huge response is read', async () => {
    const hook = await createWebhook(ann, { url: `${receiver.url}/huge` });
    const result = await hook.tryOut();
    expect(result).toMatchObject({ state: 'later', status: 500 });
    expect(result.note.length).toBeLessThan(200);
    await expect.poll(receiver.written).toBeGreaterThan(0);
    expect(receiver.written()).toBeLessThan(20 << 20);
  });

  test('connection refused', async () => {
    const away = await startReceiver();
    const hook = await createWebhook(ann, { url: `${away.url}/ok` });
    await away.close();
    expect(await hook.tryOut()).toMatchObject({ state: 'later', note: 'The host refused the connection' });
  });
});
