import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '#app/server/migrations.ts';
import { getHistory, type HistoryReply } from '#features/exports/contract/history.ts';
import { type Database, openDatabase } from '#kernel/db.ts';
import { openReads, type Reads } from '#kernel/reads/reads.ts';
import { debianPostgres, type Pair, startPair } from '#tests/support/debian-postgres.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { waitUntil } from '#tests/support/processes.ts';
import { NOON, start, type TestProduct } from '#tests/support/start.ts';
import { storeHistory } from '#tests/support/stored-past.ts';

const bin = debianPostgres();
const LONG = 120_000;

let pair: Pair;
let s: TestProduct;
let premium: TestUser;
let admin: TestUser;
let db: Database['db'];
let close: () => Promise<void>;
let replica: Database;
const lines: string[] = [];
const told: string[] = [];

const exec = (text: string) => sql.raw(text).execute(db);
const onReplica = (text: string) => sql.raw(text).execute(replica.db);
const store = (metric: string, value: number, at: string) =>
  exec(`insert into metric_observations (metric, source, observed_at, value, fetched_at, method)
    values ('${metric}', 'mempool', '${at}', ${value}, '${at}', 'measured')`);
const hoursAgo = (hours: number) => new Date(NOON.getTime() - hours * 3_600_000).toISOString();
const readsNow = async () =>
  (await s.get('/api/health')).json<{ status: string; reads: { inUse: boolean; lagSeconds: number; note: string } }>();
const untilInUse = (inUse: boolean, limitMs = 15_000) =>
  waitUntil(limitMs, async () => (await readsNow()).reads.inUse === inUse);
const difficulty = async (query = ''): Promise<HistoryReply> =>
  getHistory.reply.parse((await premium.get(`/api/history/ONCHAIN?symbol=BTC_DIFFICULTY${query}`)).json());
/** Statements of the long-read pool executed by a server since then, by table. */
const readsIn = (log: string) =>
  log
    .split(/\n(?=<)/)
    .filter(
      (entry) => entry.startsWith('<meridian-read>') && /from (\(select \* from )?"?(metric_|candles_)/.test(entry),
    );
const reported = async (part: string) =>
  Number(
    (
      await sql<{
        n: number;
      }>`select coalesce(sum(count), 0)::float8 as n from error_groups where message like ${`%${part}%`}`.execute(db)
    ).rows[0]?.n,
  );

beforeAll(async () => {
  if (!bin) return;
  pair = await startPair(bin);
  const connection = { ...pair.primary.connection, database: 'postgres' };
  await migrate(connection);
  pair.replica.start();
  const read = { connectionString: pair.replica.url('postgres') };
  s = await start({
    connections: { connection, read },
    env: { READ_MAX_LAG_SECONDS: '2', EXPORT_ROWS_AT_ONCE: '1000000', LOG_LEVEL: 'info' },
    onLogLine: (line) => lines.push(line),
  });
  ({ db, close } = openDatabase(connection, () => undefined, 2));
  replica = openDatabase(read, () => undefined, 1);
  await storeHistory(s);
  await s.job('market.listing');
  await s.product.refresh();
  premium = await registerUser(s, 'premium', 'premium');
  admin = await registerUser(s, 'admin', 'admin');
}, LONG);
afterAll(async () => {
  if (!bin) return;
  await replica.close();
  await close();
  await s.stop();
  pair.remove();
});

describe.skipIf(!bin)('a streaming replica', () => {
  test.each([
    ['a page of history', () => premium.get('/api/history/ONCHAIN')],
    [
      'a page behind a cursor',
      async () => premium.get(`/api/history/ONCHAIN?cursor=${(await difficulty('&limit=5')).nextCursor}`),
    ],
    ['a file of history', () => premium.get('/api/history/ONCHAIN/file?format=csv')],
    ['a chart', () => premium.get('/api/candles?symbol=BTC&interval=60')],
    ['a chart of a range', () => premium.get('/api/coins/bitcoin/candles?range=7d')],
    ['risk', () => premium.get('/api/analytics/risk?days=90')],
    ['correlations', () => premium.get('/api/correlation?days=90&assets=5')],
    [
      'an export',
      () => premium.post('/api/exports/create', { dataTypes: ['market_data'], dateRange: '7d', format: 'csv' }),
    ],
    ['a collection for administrators', () => admin.get('/api/admin/export/fear_greed')],
    ['an earlier moment', () => s.get(`/api/dashboard?asOf=${hoursAgo(200)}`)],
  ])('%s is read from it, and nothing from the primary', async (_what, ask) => {
    await untilInUse(true);
    const [before, primaryBefore] = [pair.replica.log().length, pair.primary.log().length];
    const answer = await ask();
    expect([answer.statusCode, answer.body.slice(0, 200)]).toEqual([200, expect.anything()]);
    expect(readsIn(pair.replica.log().slice(before)).length).toBeGreaterThan(0);
    expect(pair.primary.log().slice(primaryBefore)).not.toMatch(/from "?(candles_|metric_observations)/);
  });

  test(
    'that lags serves what it has, complete-data reads use the primary, and beyond the limit all reads do',
    async () => {
      await untilInUse(true);
      const first = await difficulty('&limit=20');
      await onReplica('select pg_wal_replay_pause()');
      // One newer than all others and one that belongs on the second page.
      await store('difficulty', 77_001, '2026-11-20T11:59:00Z');
      await store('difficulty', 77_002, hoursAgo(25.5));
      const behind = await difficulty('&limit=20');
      expect(behind.records).toEqual(first.records);
      const second = await difficulty(`&limit=20&cursor=${behind.nextCursor}`);
      expect(second.records.map(({ value }) => value)).toContain(77_002);
      const file = await premium.post('/api/exports/create', {
        dataTypes: ['market_data'],
        dateRange: '7d',
        format: 'csv',
      });
      expect(file.body).toContain('77001');
      await untilInUse(false);
      expect(await readsNow()).toMatchObject({
        status: 'degraded',
        reads: {
          note: expect.stringMatching(/^The read replica is \d+ s behind, more than 2 s; reading from the primary\.$/),
        },
      });
      expect((await difficulty()).records[1]?.value).toBe(77_001);
      await onReplica('select pg_wal_replay_resume()');
      await untilInUse(true);
      expect((await difficulty()).records[1]?.value).toBe(77_001);
      await s.product.refresh();
      await waitUntil(5000, async () => (await reported('s behind')) === 1);
    },
    LONG,
  );

  test('that cancels a query during replay: the whole response is rebuilt from the primary', async () => {
    await untilInUse(true);
    const servers: boolean[] = [];
    const reads = await openedReads();
    const answer = reads.answer(async (from) => {
      const { rows } = await sql<{ replica: boolean; n: number }>`
        select pg_is_in_recovery() as replica, count(*)::float8 as n from candles_1d`.execute(from);
      servers.push(rows[0]?.replica === true);
      if (rows[0]?.replica) await sql`select count(*), pg_sleep(20) from candles_1d`.execute(from);
      return rows[0];
    });
    await waitUntil(5000, () => servers.length === 1);
    await exec('begin; lock table candles_1d in access exclusive mode; commit');
    const made = await answer;
    await reads.close();
    expect([servers, made]).toEqual([[true, false], { replica: false, n: 600 }]);
    expect(told).toEqual(['The read replica canceled a query because of a replay conflict; reading from the primary.']);
  });

  test(
    'that is killed during an export: the file is complete and identical to the primary’s',
    async () => {
      await exec(`insert into metric_observations (metric, source, observed_at, value, fetched_at, method)
      select 'hash_rate', 'mempool', timestamptz '2026-10-01T00:00Z' + n * interval '20 seconds', n, timestamptz '2026-10-01T00:00Z', 'measured'
      from generate_series(0, 60000) n on conflict do nothing`);
      await untilInUse(true);
      const asked = { dataTypes: ['market_data'], dateRange: '90d', format: 'csv', includeMetadata: false };
      const before = pair.replica.log().length;
      const made = premium.post('/api/exports/create', asked);
      await waitUntil(60_000, () => readsIn(pair.replica.log().slice(before)).length > 6);
      pair.replica.stop('immediate');
      const file = await made;
      expect(file.statusCode).toBe(200);
      await untilInUse(false);
      expect((await readsNow()).reads.note).toBe('The read replica is not responding; reading from the primary.');
      const fromPrimary = await premium.post('/api/exports/create', asked);
      expect(file.body.length).toBeGreaterThan(2_000_000);
      expect(file.body === fromPrimary.body).toBe(true);
      expect((await difficulty()).records.length).toBeGreaterThan(0);
      expect(lines.filter((line) => line.includes('An export failed'))).toEqual([]);
      pair.replica.start();
      await untilInUse(true, 30_000);
      expect(await readsNow()).toMatchObject({ reads: { inUse: true, note: null } });
      await waitUntil(5000, async () => (await reported('is not responding')) === 1);
    },
    LONG,
  );

  test(
    'that disappears between two pages of a response is not used again',
    async () => {
      await untilInUse(true);
      const reads = await openedReads();
      const pages = await reads.pages();
      const where = async () =>
        (await sql<{ replica: boolean }>`select pg_is_in_recovery() as replica`.execute(pages)).rows[0]?.replica;
      expect(await where()).toBe(true);
      pair.replica.stop('immediate');
      expect(await where()).toBe(false);
      pair.replica.start();
      await waitUntil(60_000, () => reads.state()?.inUse === true);
      expect(await where()).toBe(false);
      await expect(pages.transaction().execute(async () => undefined)).rejects.toThrow('without a transaction');
      await reads.close();
    },
    LONG,
  );

  test(
    'a server with a different installation, or none, is rejected at startup',
    async () => {
      await exec('create database other');
      const other = { ...pair.primary.connection, database: 'other' };
      const words =
        'READ_DATABASE_URL does not point to a replica of this database. It must be a streaming replica of the server of DATABASE_URL.';
      await expect(openedReads(other)).rejects.toThrow(words);
      await migrate(other);
      const there = openDatabase(other, () => undefined, 1);
      await sql`insert into installation (data_mode, created_at) values ('live', now())`.execute(there.db);
      await there.close();
      await expect(openedReads(other)).rejects.toThrow(words);
    },
    LONG,
  );

  test('that is promoted to primary is no longer read from', async () => {
    await untilInUse(true);
    pair.replica.promote();
    await untilInUse(false);
    await exec(
      "insert into metric_observations (metric, source, observed_at, value, fetched_at, method) values ('difficulty', 'mempool', '2026-11-20T11:59:30Z', 77003, now(), 'measured')",
    );
    expect((await readsNow()).reads.note).toBe(
      'The server at READ_DATABASE_URL is not a replica; reading from the primary.',
    );
    expect((await difficulty()).records[1]?.value).toBe(77_003);
    await waitUntil(5000, async () => (await reported('is not a replica')) === 1);
  });
});

async function openedReads(read = { connectionString: pair.replica.url('postgres') } as object): Promise<Reads> {
  const connection = { ...pair.primary.connection, database: 'postgres' };
  const own = openDatabase(connection, () => undefined, 2);
  const { log } = s.product.market.ctx;
  const opened = openReads({
    ...own,
    connection,
    read,
    maxLagSeconds: 2,
    log,
    report: (_source, _type, words) => void told.push(words),
  });
  const reads = await opened.catch(async (error: unknown) => {
    await own.close();
    throw error;
  });
  const closeAll = async () => {
    await reads.close();
    await own.close();
  };
  return { ...reads, close: closeAll };
}
