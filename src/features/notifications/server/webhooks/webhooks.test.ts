import { beforeAll, describe, expect, test } from 'vitest';
import type { Webhook } from '#features/notifications/contract/webhooks.ts';
import { openDatabase } from '#kernel/db.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';

const HOOK = { name: 'Desk', url: 'https://hooks.example.com/meridian?key=very-secret', format: 'generic' };

const s = fileProduct();

type Added = { webhook: Webhook; secret: string | null };
const add = async (who: TestUser, change: Partial<typeof HOOK> = {}) =>
  (await who.post('/api/webhooks', { ...HOOK, ...change })).json<Added>();
const list = async (who: TestUser) => (await who.get('/api/webhooks')).json<{ webhooks: Webhook[] }>().webhooks;

describe('POST, PUT and DELETE /api/webhooks', () => {
  test('200: the secret is returned once, only the host of the URL is shown, both are sealed at rest', async () => {
    const who = await registerUser(s, 'bea', 'premium');
    const { webhook, secret } = await add(who, { name: '  Desk ' });
    expect(webhook).toEqual({
      id: webhook.id,
      name: 'Desk',
      host: 'hooks.example.com',
      format: 'generic',
      enabled: true,
      createdAt: s.clock.now().toISOString(),
      lastAt: null,
      lastState: null,
      lastNote: null,
      failures: 0,
      disabledAt: null,
      disabledReason: null,
      oldSecretUntil: null,
    });
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    const answer = await who.get('/api/webhooks');
    expect(answer.json()).toEqual({ webhooks: [webhook] });
    const { db, close } = openDatabase(s.connection, () => undefined, 1);
    const [row] = await db.selectFrom('webhooks').selectAll().where('id', '=', webhook.id).execute();
    const acts = await db.selectFrom('audit_log').selectAll().where('subject_id', '=', who.id).execute();
    await close();
    const stored = JSON.stringify([row, acts]);
    for (const hidden of [String(secret), 'very-secret', 'meridian?key']) {
      expect(stored).not.toContain(hidden);
      expect(answer.body).not.toContain(hidden);
    }
    expect(acts.map(({ action }) => action)).toContain('webhook.add');
  });

  test('a webhook, its URL and its secret require a fresh proof and are reported by email', async () => {
    const who = await registerUser(s, 'bob', 'premium');
    const { webhook } = await add(who, {});
    const at = `/api/webhooks/${webhook.id}`;
    const body = { name: 'Desk', format: 'generic', enabled: true };
    const moved = { ...body, url: 'https://other.example.com/x' };
    await who.put(at, moved);
    await who.post(`${at}/secret`);
    expect((await emailsTo(s, who.email)).map(({ subject }) => subject)).toEqual([
      'A webhook was added',
      'A webhook address was changed',
      'A webhook secret was changed',
    ]);
    s.advance(15 * 60_000);
    for (const answer of [
      await who.post('/api/webhooks', { name: 'Late', format: 'generic', url: moved.url }),
      await who.put(at, moved),
      await who.post(`${at}/secret`),
    ])
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'reauthentication_required']);
    // Changes that grant no new access need no proof.
    expect((await who.put(at, body)).statusCode).toBe(200);
  });

  test('Discord and Slack at their official URLs have no secret', async () => {
    const who = await registerUser(s, 'cat', 'premium');
    const discord = await add(who, { format: 'discord', url: 'https://discord.com/api/webhooks/123/a_b-C' });
    const slack = await add(who, { format: 'slack', url: 'https://hooks.slack.com/services/T0/B0/xyz' });
    expect([discord.secret, discord.webhook.host]).toEqual([null, 'discord.com']);
    expect([slack.secret, slack.webhook.host]).toEqual([null, 'hooks.slack.com']);
  });

  test('changed: name, format and switch; without a URL the old one stays', async () => {
    const who = await registerUser(s, 'dan', 'premium');
    const { webhook } = await add(who, { url: 'https://discord.com/api/webhooks/123/abc' });
    const at = `/api/webhooks/${webhook.id}`;
    const changed = await who.put(at, { name: 'Room', format: 'discord', enabled: false });
    expect(changed.json()).toMatchObject({ name: 'Room', format: 'discord', enabled: false, host: 'discord.com' });
    expect((await who.put(at, { name: 'Room', format: 'slack', enabled: true })).json()).toMatchObject({
      error: 'A Slack webhook looks like https://hooks.slack.com/services/…',
    });
    const moved = await who.put(at, { ...HOOK, enabled: true });
    expect(moved.json()).toMatchObject({ format: 'generic', host: 'hooks.example.com', enabled: true });
  });

  test('removed once', async () => {
    const who = await registerUser(s, 'fay', 'premium');
    const { webhook } = await add(who);
    expect((await who.remove(`/api/webhooks/${webhook.id}`)).json()).toEqual({ success: true });
    expect((await who.remove(`/api/webhooks/${webhook.id}`)).statusCode).toBe(404);
    expect(await list(who)).toEqual([]);
  });

  test.each([
    ['  ', 'Name is required'],
    ['x'.repeat(61), 'Names can have at most 60 characters'],
    ['a\nb', 'Names must be a single line'],
  ])('400: the name %j', async (name, words) => {
    const who = await registerUser(s, `name-${words.length}-${name.length}`, 'premium');
    expect((await who.post('/api/webhooks', { ...HOOK, name })).json()).toEqual({ error: words, code: 'bad_request' });
  });
});

describe('rejected addresses', () => {
  const FULL = 'Enter a full URL, such as https://hooks.example.com/meridian';
  const PRIVATE = 'The URL resolves to a private network';
  const PLAIN = 'Use a standard IP address or a hostname';
  const PUBLIC = 'The URL must use a public host, such as hooks.example.com';
  let who: TestUser;
  beforeAll(async () => {
    who = await registerUser(s, 'ivy', 'premium');
  });

  test.each([
    ['hooks.example.com/x', FULL],
    ['https://hooks.example.com/a b', FULL],
    ['https://', FULL],
    ['http://hooks.example.com/x', 'The URL must start with https://'],
    ['https://user:word@hooks.example.com/', 'The URL must not contain a username or password'],
    ['https://hooks.example.com:22/', 'Only ports 443 and 8443 are allowed'],
    ['https://hooks.example.com./', PUBLIC],
    ['https://127.0.0.1/', PRIVATE],
    ['https://172.31.255.255/', PRIVATE],
    ['https://224.0.0.1/', PRIVATE],
    ['https://255.255.255.255/', PRIVATE],
    ['https://[2001:0:1::]/', PRIVATE],
    ['https://0x7f.1/', PLAIN],
    ['https://134744072/', PLAIN],
    [`https://hooks.example.com/${'x'.repeat(2000)}`, 'URLs can have at most 2000 characters'],
  ])('400: %s', async (url, words) => {
    const answer = await who.post('/api/webhooks', { ...HOOK, url });
    expect(statusAndMessage(answer)).toEqual([400, words]);
  });

  test.each([
    [
      'discord',
      'https://hooks.example.com/api/webhooks/1/x',
      'A Discord webhook looks like https://discord.com/api/webhooks/…',
    ],
    ['discord', 'https://discord.com/login', 'A Discord webhook looks like https://discord.com/api/webhooks/…'],
    [
      'slack',
      'https://hooks.slack.com.evil.example/services/T/B/x',
      'A Slack webhook looks like https://hooks.slack.com/services/…',
    ],
  ])('400: %s at %s', async (format, url, words) => {
    expect((await who.post('/api/webhooks', { ...HOOK, url, format })).json().error).toBe(words);
  });

  test.each(['https://8.8.8.8/x', 'https://[2606:4700::1111]/x', 'https://hooks.example.com:8443/x'])(
    '200: %s',
    async (url) => {
      const { webhook } = await add(who, { url });
      expect(webhook.host).toBe(new URL(url).hostname.replace(/^\[|\]$/g, ''));
      await who.remove(`/api/webhooks/${webhook.id}`);
    },
  );
});
