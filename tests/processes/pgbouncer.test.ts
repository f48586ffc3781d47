import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Product } from '#app/server/product.ts';
import { pricesTopic } from '#features/market/contract/market.ts';
import { openDatabase } from '#kernel/db.ts';
import { addRule, publishQuotes, readAlerts, rulesApi } from '#tests/support/own-rules.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '#tests/support/pgbouncer.ts';
import { spawnProduct, startAndServe, useProcesses, waitForExit, waitUntil } from '#tests/support/processes.ts';
import { SECRET_KEY, start, type TestProduct } from '#tests/support/start.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { createWebhook, type Receiver, startReceiver } from '#tests/support/webhook-receiver.ts';

const isThere = hasPgBouncer();
const POOL = 5;
const LONG = 120_000;

let database: TestDatabase;
let bouncer: PgBouncer;
let name: string;

const directUrl = (of: string): string => {
  const { host, port, user, password } = inject('testServer').connection;
  const address = new URL(`postgres://localhost:${port}/${of}`);
  address.username = user;
  address.password = password;
  address.searchParams.set('host', host);
  return address.href;
};

beforeAll(async () => {
  if (!isThere) return;
  database = await createTestDatabase();
  name = database.connection.database;
  bouncer = await startPgBouncer(inject('testServer').connection, { size: POOL });
}, LONG);
afterAll(async () => {
  if (!isThere) return;
  await bouncer.stop();
  await database.drop();
});

describe.skipIf(!isThere)('the product behind PgBouncer in transaction mode, with five connections', () => {
  let s: TestProduct;
  let other: Product;
  let premium: TestUser;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    const connections = { connection: { connectionString: bouncer.url(name) }, direct: database.connection };
    s = await start({ connections, env: { WEBHOOK_ALLOW_LOOPBACK: '1' } });
    other = await s.another();
    await s.product.listen();
    await s.product.work();
    premium = await registerUser(s, 'ann', 'premium');
  }, LONG);
  afterAll(async () => {
    await s?.stop();
    await receiver?.close();
  });
  const asOther = (url: string, token?: string) =>
    other.app.inject({ url, headers: token ? { authorization: `Bearer ${token}` } : {} });

  test(
    'collects via its jobs, and data written by one process is shown and streamed by another',
    async () => {
      await s.product.scheduler.send('market.listing');
      const coins = async () =>
        (await asOther('/api/dashboard')).json<{ cryptoPrices: unknown[] }>().cryptoPrices.length;
      await waitUntil(60_000, async () => (await coins()) === 60);
      const { port } = s.product.app.server.address() as { port: number };
      const response = await fetch(`http://127.0.0.1:${port}/api/stream?topics=prices`);
      const stream = (response.body as ReadableStream<Uint8Array>).getReader();
      s.advance(1000);
      const at = s.clock.now().getTime();
      await other.market.ctx.live.publish(pricesTopic, {
        at,
        sources: ['Coinbase'],
        ticks: [['bitcoin', 81_234, null, null, 0, at]],
      });
      let text = '';
      await waitUntil(60_000, async () => {
        text += new TextDecoder().decode((await stream.read()).value);
        return text.includes('81234');
      });
      await stream.cancel();
    },
    LONG,
  );

  test(
    'a rule fires and is delivered, and both processes list the alert',
    async () => {
      await createWebhook(premium, { url: `${receiver.url}/ok` });
      await publishQuotes(s, { bitcoin: 80_000 });
      await addRule(rulesApi(s, premium), { value: 90_000 });
      await sleep(300);
      await publishQuotes(s, { bitcoin: 90_500 });
      await waitUntil(60_000, async () => (await readAlerts(s, premium.id)).length === 1);
      await waitUntil(60_000, async () => {
        await s.product.notifications.deliver();
        return receiver.calls.length === 1;
      });
      const delivered = sql<boolean>`not exists (select from notification_deliveries where state in ('due', 'handed'))`;
      // The sending process records the delivery a moment after it was received.
      await waitUntil(60_000, async () => {
        const { rows } = await sql<{ all: boolean }>`select ${delivered} as all`.execute(s.product.market.ctx.db);
        return rows[0]?.all === true;
      });
      const listed = (await asOther('/api/alerts', premium.token)).body;
      expect(listed).toContain('BTC above 90k');
      expect((await premium.get('/api/alerts')).body).toBe(listed);
    },
    LONG,
  );

  test(
    'creates an export in its thread',
    async () => {
      const file = await premium.post('/api/exports/create', {
        dataTypes: ['alerts'],
        dateRange: 'all',
        format: 'csv',
      });
      expect([file.statusCode, file.body]).toEqual([200, expect.stringContaining('BTC above 90k')]);
    },
    LONG,
  );

  test(
    'one process leads, and four times as many callers as connections all get a response',
    async () => {
      const { db, close } = openDatabase(database.connection, () => undefined, 1);
      const { rows: held } = await sql`select pid from pg_locks
      where locktype = 'advisory' and objid = 7246010 and database = (select oid from pg_database where datname = ${name})`.execute(
        db,
      );
      await close();
      expect(held).toHaveLength(1);
      const asks = Array.from({ length: 4 * POOL }, (_, i) => [
        registerUser(s, `crowd-${i}`).then(({ token }) => asOther('/api/auth/user', token)),
        premium.get('/api/alerts/thresholds'),
        asOther('/api/health'),
      ]).flat();
      const codes = (await Promise.all(asks)).map(({ statusCode }) => statusCode);
      expect([...new Set(codes)]).toEqual([200]);
      expect(bouncer.log()).not.toMatch(/ERROR|unsupported startup parameter/);
    },
    LONG,
  );
});

describe.skipIf(!isThere)('startup behind a pooler', () => {
  useProcesses();

  test('in transaction mode requires the server itself, in one sentence', async () => {
    const product = spawnProduct({ DATABASE_URL: bouncer.url(name) });
    expect(await waitForExit(product, 40_000)).toBe(1);
    expect(product.output().trim()).toBe(
      'DATABASE_URL points to a pooler in transaction mode, which does not keep sessions. Set DATABASE_DIRECT_URL to the PostgreSQL behind it.',
    );
  });

  test('is rejected when DATABASE_DIRECT_URL points to a pooler or another database', async () => {
    const elsewhere = await createTestDatabase();
    for (const direct of [bouncer.url(name), directUrl(elsewhere.connection.database)]) {
      const product = spawnProduct({ DATABASE_URL: bouncer.url(name), DATABASE_DIRECT_URL: direct });
      expect(await waitForExit(product, 40_000)).toBe(1);
      expect(product.output().trim()).toBe(
        'DATABASE_DIRECT_URL must point to the PostgreSQL server behind DATABASE_URL, not to a pooler or another server.',
      );
    }
    await elsewhere.drop();
  });

  test('succeeds with both addresses, and in session mode with one', async () => {
    const both = await startAndServe({
      DATABASE_URL: bouncer.url(name),
      DATABASE_DIRECT_URL: directUrl(name),
      SECRET_KEY,
    });
    both.kill('SIGTERM');
    expect(await waitForExit(both, 15_000)).toBe(0);
    const lasting = await startPgBouncer(inject('testServer').connection, { mode: 'session', size: 40 });
    const one = await startAndServe({ DATABASE_URL: lasting.url(name), SECRET_KEY });
    one.kill('SIGTERM');
    expect(await waitForExit(one, 15_000)).toBe(0);
    await lasting.stop();
  });

  test('READ_DATABASE_URL and DATABASE_DIRECT_URL have no effect with the bundled PostgreSQL', async () => {
    const product = spawnProduct({ READ_DATABASE_URL: directUrl(name) });
    expect(await waitForExit(product, 30_000)).toBe(1);
    expect(product.output().trim()).toBe(
      'READ_DATABASE_URL requires DATABASE_URL: the bundled PostgreSQL has no pooler or replica.',
    );
  });
});
