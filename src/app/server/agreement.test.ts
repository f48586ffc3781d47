import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTickIntake } from '#features/market/server/market/service.ts';
import { openReader, type Reader } from '#kernel/live/fixtures/reader.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { call, makeKey } from '#tests/support/api-fixture.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { createUserFactory, sendRequest, type TestUser } from '#tests/support/people.ts';
import type { Product } from './product.ts';

/** A change made through one process must be visible in the other within this time. */
const AGREED = { timeout: 1000, interval: 20 };
/** A closed connection is reopened after a tenth of a second. */
const AFTER_A_CUT = { timeout: 2000, interval: 20 };

const s = fileProduct();
const admin = member(s, 'admin', 'admin');
let b: Product;
let addressOfB: string;
const readers: Reader[] = [];
const newcomer = createUserFactory('agreed', () => s);
beforeAll(async () => {
  b = await s.another();
  addressOfB = `http://127.0.0.1:${(await b.listen()).port}`;
  await s.job('market.listing');
}, 60_000);
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

const through = (who: Pick<TestUser, 'token'> | null, method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) =>
  sendRequest({ ...s, product: b }, method, url, body, who ? { token: who.token } : {});
const statusOf = async (answer: ReturnType<typeof sendRequest>) => (await answer).statusCode;
const asks = (who: TestUser, url = '/api/auth/user') => statusOf(through(who, 'GET', url));

type Case = {
  /** Made through process A. */
  change: () => Promise<unknown>;
  /** Read through process B, which has cached the earlier state. */
  read: () => unknown;
  before: unknown;
  after: unknown;
};

async function keyed(): Promise<{ who: TestUser; read: () => Promise<number>; id: number }> {
  const who = await newcomer();
  await admin.put(`/api/admin/users/${who.id}/plan`, { plan: 'pro', until: null, note: '' });
  const { api_key: key, id } = await makeKey(who);
  return { who, id, read: async () => (await call({ product: b }, key)).statusCode };
}
const disable = (who: TestUser) => admin.post(`/api/admin/users/${who.id}/disable`, { reason: 'a test' });

const CASES: [string, () => Promise<Case>][] = [
  [
    'a session that was signed out',
    async () => {
      const who = await newcomer();
      return { change: () => who.post('/api/auth/logout'), read: () => asks(who), before: 200, after: 401 };
    },
  ],
  [
    'a plan',
    async () => {
      const who = await newcomer();
      const change = () => admin.put(`/api/admin/users/${who.id}/plan`, { plan: 'pro', until: null, note: '' });
      const read = () => asks(who, '/api/keys');
      return { change, read, before: 403, after: 200 };
    },
  ],
  [
    'an account that is disabled',
    async () => {
      const who = await newcomer();
      return { change: () => disable(who), read: () => asks(who), before: 200, after: 401 };
    },
  ],
  [
    'the key of an account that is enabled again, which was known as nobody’s',
    async () => {
      const { who, read } = await keyed();
      await disable(who);
      return { change: () => admin.post(`/api/admin/users/${who.id}/enable`), read, before: 401, after: 200 };
    },
  ],
  [
    'a key that is revoked',
    async () => {
      const { who, read, id } = await keyed();
      return { change: () => who.remove(`/api/keys/${id}`), read, before: 200, after: 401 };
    },
  ],
  [
    'a setting',
    async () => {
      const was = b.market.ctx.config.EXPORTS_PER_DAY;
      const url = '/api/admin/settings/EXPORTS_PER_DAY';
      const change = () => admin.put(url, { value: String(was + 1), was: String(was), note: '' });
      const read = async () =>
        (await through(admin, 'GET', '/api/admin/settings'))
          .json<{ settings: { key: string; value: string }[] }>()
          .settings.find(({ key }) => key === 'EXPORTS_PER_DAY')?.value;
      return { change, read, before: String(was), after: String(was + 1) };
    },
  ],
  [
    'a notice on the status page',
    async () => {
      const title = `Notice ${readers.length} ${Math.random()}`;
      const body = { title, impact: 'minor', components: [], stage: 'investigating', message: 'We look at it' };
      const read = async () => (await through(null, 'GET', '/api/status')).body.includes(title);
      return { change: () => admin.post('/api/admin/incidents', body), read, before: false, after: true };
    },
  ],
  [
    'what a person wants to be told',
    async () => {
      const who = await newcomer();
      const read = async () =>
        (await through(who, 'GET', '/api/notifications/preferences')).json<{
          preferences: { emailNotifications: boolean };
        }>().preferences.emailNotifications;
      const { preferences } = (await who.get('/api/notifications/preferences')).json<{ preferences: object }>();
      const change = () => who.post('/api/notifications/preferences', { ...preferences, emailNotifications: false });
      return { change, read, before: true, after: false };
    },
  ],
  [
    'an alert',
    async () => {
      const who = await newcomer();
      await admin.put(`/api/admin/users/${who.id}/plan`, { plan: 'pro', until: null, note: '' });
      const once = `agreed ${Math.random()}`;
      const read = async () => (await through(who, 'GET', '/api/alerts')).body.includes(once);
      return { change: () => raise(s, [createDraft(once)]), read, before: false, after: true };
    },
  ],
];
const LISTENING = `datname = current_database() and application_name = 'meridian-listen'`;

/** Both processes listen again and have reloaded what they missed. */
async function listening(client: Client): Promise<void> {
  const count = async () => (await client.query(`select from pg_stat_activity where ${LISTENING}`)).rowCount;
  for (let left = 200; left > 0 && (await count()) !== 2; left--) await sleep(25);
  expect(await count()).toBe(2);
  await sleep(300);
}

async function cutListeners(): Promise<void> {
  const client = new Client(s.connection);
  await client.connect();
  await listening(client);
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${LISTENING}`);
  await client.end();
}

test.each(CASES)('a change made in one process reaches the other within a second: %s', async (_, make) => {
  const { change, read, before, after } = await make();
  expect(await read()).toEqual(before);
  await change();
  await expect.poll(read, AGREED).toEqual(after);
});

test.each(CASES)('a change missed while not listening is read later: %s', async (_, make) => {
  const { change, read, before, after } = await make();
  expect(await read()).toEqual(before);
  await cutListeners();
  await change();
  await expect.poll(read, AFTER_A_CUT).toEqual(after);
});

describe('a stream served by the other process', () => {
  async function follow(who: TestUser): Promise<Reader> {
    const { ticket } = (await who.post('/api/stream/ticket')).json<{ ticket: string }>();
    const reader = await openReader(`${addressOfB}/api/stream?topics=prices,account,alerts&ticket=${ticket}`);
    readers.push(reader);
    await expect.poll(reader.text).toContain('retry: 3000');
    return reader;
  }
  beforeEach(async () => {
    const client = new Client(s.connection);
    await client.connect();
    await listening(client);
    await client.end();
  });
  async function someone(): Promise<{ who: TestUser; stream: Reader }> {
    const who = await newcomer();
    await admin.put(`/api/admin/users/${who.id}/plan`, { plan: 'pro', until: null, note: '' });
    // The notification that ends earlier streams has arrived by then.
    await expect.poll(() => asks(who, '/api/keys')).toBe(200);
    return { who, stream: await follow(who) };
  }
  const events = (stream: Reader, name: string) => stream.messages().filter(({ event }) => event === name).length;
  let moved = 1;
  async function move(): Promise<number> {
    const { ctx } = s.product.market;
    moved += 0.001;
    const price = (ctx.board.listingOf('bitcoin')?.price ?? 0) * moved;
    s.advance(1000);
    const intake = createTickIntake(ctx);
    intake.take('coinbase', [{ symbol: 'BTC', quote: 'USD', price, observedAt: s.clock.now() }]);
    await intake.publish();
    return price;
  }

  test('opens with a ticket from the first process and receives prices and alerts within a second', async () => {
    const { stream } = await someone();
    const price = await move();
    await expect.poll(() => events(stream, 'prices'), AGREED).toBe(1);
    expect(b.market.ctx.board.priceOf('bitcoin')?.price).toBe(price);
    await raise(s, [createDraft(`streamed ${price}`)]);
    await expect.poll(() => events(stream, 'alerts'), AGREED).toBe(1);
  });

  test('for an account reopens after a disconnect because its end may have been missed', async () => {
    const { stream } = await someone();
    await cutListeners();
    await expect.poll(stream.ended, AFTER_A_CUT).toBe(true);
  });

  test('resumes from the first process’s position although this process lags slightly', async () => {
    const ahead = b.market.ctx.live.hub.newestId() + 1;
    const reader = await openReader(`${addressOfB}/api/stream?topics=prices`, { 'last-event-id': String(ahead) });
    readers.push(reader);
    await move();
    await expect.poll(reader.text, AGREED).toContain('retry: 3000');
    await move();
    await expect.poll(() => reader.ids(), AGREED).toEqual([ahead + 1]);
    expect(events(reader, 'reset')).toBe(0);
  });
});
