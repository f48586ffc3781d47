import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { Market } from '#sandbox/market/market.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { checkDeliveries, checkErrors, checkPrices, createFactTracker } from '../checks.ts';
import { createWatcher, type Watcher } from '../clients/watcher.ts';
import type { ChaosContext } from '../context.ts';

// Each fault is planted, in the database or at the receiver, and must be detected.
const CHANNELS = ['email', 'push', 'telegram', 'webhook'];
const AT = new Date('2026-11-20T12:00:00Z');
const ACCOUNT = { id: 1, email: 'ann@people.example', token: '' };

let database: TestDatabase;
let client: pg.Client;
let context: ChaosContext;
let received: { calls: { headers: Record<string, string> }[]; emails: { messageId: string; rcptTo: string[] }[] };
let ann: Watcher;
let browser: string[];
let chat: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  await client.query(`insert into users (email, password_hash, created_at) values ($1, '', $2)`, [ACCOUNT.email, AT]);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function fire(alert: number, at: Date, value: number): Promise<void> {
  await client.query(
    `insert into alerts (id, user_id, rule_id, once, type, severity, message, metric, value, source, method,
       source_at, received_at, evaluated_at, queued_at)
     overriding system value values ($1::bigint, 1, 7, 'alert ' || $1::bigint, 'rule', 'high', 'Bitcoin', 'btc_price', $2, 'OKX', 'ws', $3, $3, $3, $3)`,
    [alert, value, at],
  );
}

/** An alert delivered once on every channel. */
async function insertDeliveries(alert: number): Promise<void> {
  await fire(alert, AT, 100);
  await client.query(
    `insert into notification_events (id, dedupe_key, kind, severity, user_id, alert_id, payload, created_at)
     overriding system value values ($1::bigint, 'alert ' || $1::bigint, 'alert', 'high', 1, $1::bigint, '{"message":"Bitcoin"}', $2)`,
    [alert, AT],
  );
  for (const [i, channel] of CHANNELS.entries())
    await client.query(
      `insert into notification_deliveries (id, event_id, user_id, channel, lane, state, due_at, queued_at, created_at)
       overriding system value values ($1, $2, 1, $3, 0, 'sent', $4, $4, $4)`,
      [alert * 10 + i, alert, channel, AT],
    );
  await client.query(
    `insert into mail_outbox (id, kind, address, subject, state, created_at)
     overriding system value values ($1, 'alert', $2, 'Bitcoin', 'sent', $3)`,
    [alert, ACCOUNT.email, AT],
  );
  await client.query('insert into mail_deliveries (delivery_id, mail_id) values ($1, $2)', [alert * 10, alert]);
  received.emails.push({ messageId: `<${alert}.mac@x>`, rcptTo: [ACCOUNT.email] });
  received.calls.push({ headers: { 'meridian-delivery': `dlv_${alert * 10 + CHANNELS.indexOf('webhook')}` } });
  browser.push(`alert-${alert}`);
  chat.push(`Bitcoin ${alert}`);
}

beforeEach(async () => {
  await client.query('delete from notification_events');
  await client.query('delete from alerts');
  await client.query('delete from mail_outbox');
  await client.query('delete from error_groups');
  received = { calls: [], emails: [] };
  [browser, chat] = [[], []];
  context = {
    cluster: { query: async (text: string, values?: unknown[]) => (await client.query(text, values)).rows },
    fleet: { killCount: () => 0, members: [] },
    interruptions: 0,
    services: { webhooks: received, smtp: received, market: new Market(7) },
    startedAt: new Date(AT.getTime() - 60_000),
    endedAt: new Date(AT.getTime() + 60_000),
    log: () => undefined,
  } as unknown as ChaosContext;
  ann = { account: ACCOUNT, pushTags: async () => browser, chatTexts: async () => chat } as unknown as Watcher;
});

describe('deliveries', () => {
  test('one delivery each: nothing is reported', async () => {
    await insertDeliveries(1);
    await insertDeliveries(2);
    expect(await checkDeliveries(context, [ann])).toEqual([]);
  });

  test('ignores an alert that fires during the check', async () => {
    await insertDeliveries(1);
    await fire(2, new Date(AT.getTime() + 60_001), 100);
    expect(await checkDeliveries(context, [ann])).toEqual([]);
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      'one that was never sent',
      () => client.query(`update notification_deliveries set state = 'due' where channel = 'email'`),
      /delivery 10 by email is due/,
    ],
    [
      'an alert without a delivery',
      () => client.query('delete from notification_events'),
      /alert 1 has no delivery by email/,
    ],
    [
      'an email that did not arrive',
      () => received.emails.pop(),
      /delivery 10 was sent and ann@people.example has no email of it/,
    ],
    ['a chat message that did not arrive', () => chat.pop(), /has 0 chat messages of 1/],
    ['a push message that did not arrive', () => browser.pop(), /no browser has it/],
    ['a webhook call that did not arrive', () => received.calls.pop(), /no webhook received it/],
    [
      'an email that arrived twice',
      () => received.emails.push(...received.emails),
      /1 deliveries by email arrived more than once/,
    ],
    [
      'a webhook call that arrived twice',
      () => received.calls.push(...received.calls),
      /1 deliveries by webhook arrived more than once/,
    ],
    [
      'a push message that arrived twice',
      () => browser.push(...browser),
      /1 deliveries by push arrived more than once/,
    ],
    ['a chat message that arrived twice', () => chat.push(...chat), /1 deliveries by telegram arrived more than once/],
  ])('reports %s', async (_what, plant, words) => {
    await insertDeliveries(1);
    await plant();
    const failures = await checkDeliveries(context, [ann]);
    expect(failures.join('\n')).toMatch(words);
  });
});

describe('fires', () => {
  const check = async () =>
    (await createWatcher(context, ACCOUNT as never, 1).check()).filter((line) => /twice|market/.test(line));
  const bitcoin = (at: Date) => context.services.market.priceAt('bitcoin', at.getTime());

  test('one firing per minute at the market price: nothing is reported', async () => {
    for (const i of [1, 2]) {
      const at = new Date(AT.getTime() + i * 60_000);
      await fire(i, at, bitcoin(at));
    }
    expect(await check()).toEqual([]);
  });

  test('reports duplicate firings for one crossing and a price that never occurred', async () => {
    await fire(1, AT, bitcoin(AT));
    await fire(2, new Date(AT.getTime() + 1000), bitcoin(AT) * 1.01);
    const failures = await check();
    expect(failures[0]).toMatch(/rule 7 of ann@people.example fired twice within 1000 ms \(alert 2\)/);
    expect(failures[1]).toMatch(/alert 2 says .*, and the market was at/);
  });
});

describe('facts', () => {
  const insertNote = () =>
    client.query(`insert into audit_log (at, action, details) values ($1, 'session.start', '{}')`, [AT]);
  const runWithoutTriggers = async (text: string) => {
    await client.query('set session_replication_role = replica');
    await client.query(text);
    await client.query('set session_replication_role = default');
  };

  test.each([
    ['is gone', 'delete from audit_log where id = (select max(id) from audit_log)'],
    ['was changed', `update audit_log set action = 'session.end' where id = (select max(id) from audit_log)`],
  ])('reports one that %s, but not one that arrived', async (_what, text) => {
    await insertNote();
    const tracker = createFactTracker(context);
    await tracker.recordSeen();
    await insertNote();
    expect(await tracker.check()).toEqual([]);
    await tracker.recordSeen();
    await runWithoutTriggers(text);
    expect((await tracker.check()).join()).toMatch(/1 of \d+ facts of audit_log are gone or were changed/);
  });
});

describe('stored data', () => {
  async function price(value: number): Promise<void> {
    await client.query(
      `insert into coins (id, symbol, name, updated_at) values ('bitcoin', 'BTC', 'Bitcoin', $1)
      on conflict do nothing`,
      [AT],
    );
    await client.query(`create table if not exists price_observations_night partition of price_observations
      for values from ('2026-11-20') to ('2026-11-21')`);
    await client.query('delete from price_observations');
    await client.query(
      `insert into price_observations (coin_key, observed_at, source, price, fetched_at, method)
       select key, $1, 'okx', $2, $1, 'ws' from coins`,
      [AT, value],
    );
  }

  test('reports a price the market never had, and a run without prices', async () => {
    const actual = context.services.market.priceAt('bitcoin', AT.getTime());
    await price(actual);
    expect(await checkPrices(context)).toEqual([]);
    await price(actual * 1.01);
    expect((await checkPrices(context)).join()).toMatch(/okx gave bitcoin .*, and the market was at/);
    await client.query('delete from price_observations');
    expect(await checkPrices(context)).toEqual(['no price was stored during the run']);
  });

  test('reports a bug in the error log, but not a fault injected by the run', async () => {
    const log = (message: string) =>
      client.query(
        `insert into error_groups (fingerprint, source, type, message, first_seen, last_seen, count)
         values ($1, 'server', 'system', $1, $2, $2, 1)`,
        [message, AT],
      );
    await log('The database is not responding');
    expect(await checkErrors(context)).toEqual([]);
    await log(`TypeError: Cannot read properties of undefined (reading 'id')`);
    expect((await checkErrors(context)).join()).toMatch(/error log: server: TypeError/);
  });
});
