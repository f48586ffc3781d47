import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '#kernel/db.ts';
import { insertGrant } from '#tests/support/grants.ts';
import { registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import { collectMarket, createStatement, issue } from '#tests/support/predictions.ts';
import {
  createSpareDatabases,
  createTempFolder,
  createTestBackup,
  openProductOn,
  query,
  readChecksums,
  readTriggers,
  type SpareDatabases,
} from '#tests/support/saves.ts';
import { NOON, start, type TestProduct } from '#tests/support/start.ts';
import type { Product } from '../product.ts';
import type { Manifest } from './backup-format.ts';
import { verifySaved } from './backup-format.ts';
import { withClient } from './catalogue.ts';
import { type Restored, restore } from './restore.ts';

let s: TestProduct;
let ann: TestUser;
let held: SpareDatabases;
let saved: { folder: string; manifest: Manifest };
let target: Connection;
let restored: Restored;
let again: Product;
let before: Record<string, string>;
const { folder, remove } = createTempFolder();

beforeAll(async () => {
  s = await start({ env: { COIN_LIMIT: '40' } });
  held = createSpareDatabases();
  await collectMarket(s);
  await issue(s, [createStatement('alpha', { up: 0.7, flat: 0.2, down: 0.1 })]);
  ann = await registerUser(s, 'ann', 'premium');
  await insertGrant(s, ann);
  await ann.put('/api/profile', { name: 'Ann \\N "quoted"\t💱' });
  await s.product.scheduler.send('market.listing', {}, { key: 'waits', afterSeconds: 86_400 });
  const { place } = await createTestBackup(s.connection, folder);
  before = await readChecksums(s.connection);
  saved = { folder: place, manifest: await verifySaved(place) };
  target = held.missing();
  restored = await restore({ ...saved, target, replace: false, newKey: false, now: NOON });
});
afterAll(async () => {
  await again?.stop();
  await s.stop();
  await held.drop();
  remove();
});

describe('a restored database', () => {
  test('every table has its original rows and nothing is left unfinished', async () => {
    const after = await readChecksums(target);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    const moved = Object.keys(after).filter((name) => after[name] !== before[name]);
    // Heartbeats and counts continue while the backup is made.
    expect(moved.filter((name) => !/heartbeats|source_|job|queue|live_frames|attempts/.test(name))).toEqual([]);
    expect(restored).toMatchObject({
      tables: saved.manifest.tables.length,
      ledger: 20,
      leftOut: [],
      migrated: [],
      aside: null,
    });
    expect(restored.rows).toBeGreaterThan(500);
    expect(await query(target, `select to_regclass('unfinished_copy') as mark`)).toEqual([{ mark: null }]);
  });

  test('every key, check, index and trigger of the source exists and is enabled', async () => {
    const wanted = await readTriggers(s.connection);
    expect(wanted.length).toBeGreaterThan(300);
    expect(await readTriggers(target)).toEqual(wanted);
  });

  test.each(['prediction_ledger', 'journal', 'postings', 'plan_grants', 'entitlements', 'inflation_vintages'])(
    '%s rejects changes to existing rows',
    async (table) => {
      const { rows } = await withClient(target, (client) => client.query(`select * from ${table} limit 1`));
      // The first column may be a generated number.
      const column = Object.keys((rows[0] as object | undefined) ?? {}).at(-1);
      const change = column ? `update ${table} set ${column} = ${column}` : `truncate ${table} cascade`;
      await expect(query(target, change)).rejects.toMatchObject({ code: 'P0001' });
    },
  );

  test('new rows get numbers above all existing ones', async () => {
    const [state] = await query<{ next: number; most: number }>(
      target,
      `select nextval('users_id_seq')::int as next, max(id)::int as most from users`,
    );
    expect(state?.next).toBeGreaterThan(state?.most ?? 0);
  });

  test('pending jobs are not lost', async () => {
    const waiting = `select name, state::text, start_after::text from pgboss.job where singleton_key = 'waits'`;
    const jobs = await query(target, waiting);
    expect(jobs).toEqual(await query(s.connection, waiting));
    expect(jobs).toHaveLength(1);
  });

  test('the product serves the same prices, record, ledger, plan and profile, and users can sign in', async () => {
    again = await openProductOn(s, target);
    await Promise.all([s.product.rebuild(), again.rebuild()]);
    const at = (product: Product, url: string, token?: string) =>
      product.app.inject({ url, headers: token ? { authorization: `Bearer ${token}` } : {} });
    for (const url of ['/api/prices', '/api/history?type=price&symbol=BTC', '/api/predictions'])
      expect((await at(again, url)).json(), url).toEqual((await at(s.product, url)).json());
    for (const url of ['/api/profile', '/api/subscription', '/api/alerts/thresholds']) {
      const answer = await at(again, url, ann.token);
      expect(answer.statusCode, url).toBe((await ann.get(url)).statusCode);
      expect(answer.json(), url).toEqual((await ann.get(url)).json());
    }
    expect((await at(again, '/api/ledger/verify')).json()).toMatchObject({ entries: 20, faults: [] });
    const { statusCode } = await again.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: ann.email, password: 'Three-Rivers-29!' },
    });
    expect(statusCode).toBe(200);
    const wrong = await sendRequest(s, 'POST', '/api/auth/login', { email: ann.email, password: 'Other-Rivers-29!' });
    expect(wrong.statusCode).toBe(401);
  });
});
