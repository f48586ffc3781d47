import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  ANALYSES_PAGE,
  COLLECTIONS,
  type CollectionName,
  type CollectionSummary,
  EXACT_UP_TO,
  listAnalyses,
  listCollections,
} from '#features/operations/contract/collections.ts';
import { type Database, openDatabase } from '#kernel/db.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { NOON, start, type TestProduct } from '#tests/support/start.ts';

const TRACKED = ['bitcoin', 'ethereum', 'solana', 'sui', 'ripple'];
/** The exact fields of each collection's records. */
const FIELDS: Record<CollectionName, string> = {
  market_data: 'coin symbol name price change_24h volume_24h market_cap source observedAt fetchedAt method',
  ai_analysis:
    'id timestamp overall_direction overall_confidence short_term medium_term long_term ai_generated opinions failures market_direction confidence reasoning',
  fear_greed: 'value classification source observedAt fetchedAt method',
  trending_narratives:
    'id narrative total_volume_24h market_cap market_cap_change_24h coins source observedAt fetchedAt method',
  upcoming_events: 'id title date category source description impact ignored allDay dateEstimated sourceUrl why',
  users: 'id email emailVerified isAdmin plan subscriptionStatus createdAt',
  subscriptions: 'id userId email plan source startsAt endsAt createdAt createdBy note',
  error_logs: 'id source type message details timestamp',
};
const SECRETS = ['SEALED-SEED', 'CREDENTIAL-ID', 'HASH-OF-PASSWORD', 'next-address@people.example'];

let s: TestProduct;
let admin: TestUser;
let pro: TestUser;
let other: Database;

beforeAll(async () => {
  s = await start({ env: { COIN_LIMIT: '40', GROQ_API_KEY: 'g' } });
  other = openDatabase(s.connection, () => undefined, 1);
  await s.job('market.listing');
  for (const coinId of TRACKED) await s.job('market.backfill', { coinId });
  for (const name of ['metrics.listing', 'metrics.slow', 'events.collect', 'market.listing', 'analysis.run']) {
    s.advance(60_000);
    await s.job(name);
  }
  s.sandbox.faults.set({ provider: 'groq', kind: 'server_error' });
  s.advance(60_000);
  await s.job('analysis.run');
  s.sandbox.faults.clear();
  await s.job('market.listing');
  admin = await registerUser(s, 'admin', 'admin');
  pro = await registerUser(s, 'ann', 'pro');
  await sql`update users set password_hash = 'HASH-OF-PASSWORD', pending_email = 'next-address@people.example' where id = ${pro.id}`.execute(
    other.db,
  );
  await sql`insert into two_factor (user_id, sealed_secret) values (${pro.id}, 'SEALED-SEED')`.execute(other.db);
  await sql`insert into passkeys (user_id, credential_id, public_key, counter, transports, name, created_at)
    values (${pro.id}, 'CREDENTIAL-ID', '\\x00', 0, '{}', 'Phone', ${NOON.toISOString()})`.execute(other.db);
  await sql`update events set ignored_at = now() where id = (select max(id) from events)`.execute(other.db);
  await sql`insert into error_logs (source, type, message, details, timestamp) values
    ('coingecko', 'api_failure', 'CoinGecko answered 500', '<script>alert(1)</script> 100%', ${NOON.toISOString()})`.execute(
    other.db,
  );
}, 180_000);
afterAll(async () => {
  await other?.close();
  await s?.stop();
});

const list = async (query = '') => {
  const answer = await admin.get(`/api/admin/collections${query}`);
  expect(answer.statusCode).toBe(200);
  return listCollections.reply.parse(answer.json());
};
const one = async (collection: CollectionName, q = ''): Promise<CollectionSummary> =>
  (await list(`?collection=${collection}${q && `&q=${encodeURIComponent(q)}`}`))[0]!;
const file = async (collection: string) => (await admin.get(`/api/admin/export/${collection}`)).json<object[]>();
const stored = async (source: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.raw(source)}`.execute(other.db)).rows[0]!.n;

describe('GET /api/admin/collections', () => {
  test('200: each of the eight with its total count and the newest hundred records', async () => {
    const all = await list();
    expect(all.map(({ collection }) => collection)).toEqual([...COLLECTIONS]);
    for (const { collection, count, estimated, data, found, searched } of all) {
      expect([collection, count > 0, estimated, found, searched]).toEqual([collection, true, false, null, null]);
      expect(data).toHaveLength(Math.min(count, 100));
      for (const record of data) expect(Object.keys(record).join(' ')).toBe(FIELDS[collection]);
    }
    const count = (name: CollectionName) => all.find(({ collection }) => collection === name)?.count;
    expect(count('market_data')).toBe(await stored('price_observations'));
    expect(count('market_data')).toBeGreaterThan(100);
    expect(count('ai_analysis')).toBe(2);
    expect(count('users')).toBe(await stored('users'));
    expect(count('upcoming_events')).toBe(await stored('events where deleted_at is null'));
    expect(count('trending_narratives')).toBe(
      await stored(`metric_observations where metric like 'narrative.%' and metric not like '%.change'`),
    );
  });

  test('200: a single collection, newest first', async () => {
    const prices = await one('market_data');
    const times = prices.data.map(({ observedAt }) => observedAt as string);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(times[0]).toBe(
      (await sql<{ at: string }>`select max(observed_at) as at from price_observations`.execute(other.db)).rows[0]?.at,
    );
    expect((await one('users')).data.map(({ email }) => email)).toEqual(['ann@people.example', 'admin@people.example']);
    expect((await one('users')).data[0]).toEqual({
      id: pro.id,
      email: 'ann@people.example',
      emailVerified: false,
      isAdmin: false,
      plan: 'pro',
      subscriptionStatus: 'active',
      createdAt: s.clock.now().toISOString(),
    });
    expect((await one('subscriptions')).data[0]).toMatchObject({ userId: pro.id, email: pro.email, plan: 'pro' });
  });

  test('200: ignored events are included, deleted ones are not', async () => {
    const before = await one('upcoming_events');
    expect(before.data[0]).toMatchObject({ ignored: true });
    const { id } = before.data[1] as { id: number };
    expect((await admin.remove(`/api/admin/events/${id}`)).statusCode).toBe(200);
    const after = await one('upcoming_events');
    expect(after.count).toBe(before.count - 1);
    expect(after.data.map((record) => record['id'])).not.toContain(id);
  });

  test('200: q is searched in the values, literally and in any case; the count remains the total', async () => {
    const { count, data, found, searched } = await one('users', 'ANN@people');
    expect([count, found, searched, data.map(({ email }) => email)]).toEqual([2, 1, 2, ['ann@people.example']]);
    expect((await one('error_logs', '100%')).data).toMatchObject([{ details: '<script>alert(1)</script> 100%' }]);
    expect((await one('error_logs', '100_%')).found).toBe(0);
    // Field names are not content.
    expect((await one('users', 'subscriptionStatus')).found).toBe(0);
    const bitcoin = await one('market_data', 'bitcoin');
    expect(bitcoin.searched).toBe(bitcoin.count);
    expect(bitcoin.found).toBe(
      await stored(`price_observations o join coins k on k.key = o.coin_key
        where (k.id, k.name, k.symbol)::text ilike '%bitcoin%'`),
    );
    expect(bitcoin.data.every((record) => JSON.stringify(record).toLowerCase().includes('bitcoin'))).toBe(true);
  });

  test.each(['?collection=sessions', `?q=${'x'.repeat(101)}`])('400: %.30s', async (query) => {
    expect((await admin.get(`/api/admin/collections${query}`)).statusCode).toBe(400);
  });
});

test('never exposed: no password hash, secret, token, passkey or pending address, in any record or export, by value or by name', async () => {
  const texts = [JSON.stringify(await list()), (await admin.get('/api/admin/ai-analysis')).body];
  for (const collection of COLLECTIONS) {
    const records = await file(collection);
    expect(records.length).toBe((await one(collection)).count);
    for (const record of records) expect(Object.keys(record).join(' ')).toBe(FIELDS[collection]);
    texts.push(JSON.stringify(records));
  }
  for (const text of texts) {
    for (const secret of [...SECRETS, admin.token, pro.token]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/"[^"]*(password|hash|secret|sealed|token|credential|public_key)[^"]*":/i);
  }
});

test('above the exact-count limit: the database estimates, marked as such', async () => {
  await sql`insert into price_observations (coin_key, observed_at, source, price, fetched_at, method)
      select (select key from coins where id = 'bitcoin'), ${NOON.toISOString()}::timestamptz - i * interval '0.2 s', 'flood', i, ${NOON.toISOString()}, 'measured'
      from generate_series(1, ${EXACT_UP_TO}) i`.execute(other.db);
  await sql`analyze price_observations`.execute(other.db);
  const { count, estimated, data } = await one('market_data');
  const exactly = await stored('price_observations');
  expect(estimated).toBe(true);
  expect(Math.abs(count - exactly) / exactly).toBeLessThan(0.05);
  expect(data).toHaveLength(100);
  const search = await one('market_data', 'bitcoin');
  expect(search.searched).toBe(20_000);
  expect(search.found).toBeGreaterThan(10_000);
});

describe('GET /api/admin/ai-analysis', () => {
  const analyses = async (query = '') =>
    listAnalyses.reply.parse((await admin.get(`/api/admin/ai-analysis${query}`)).json());

  test('200: newest first, with three terms and which models answered or not; paged below a named one; q searches all', async () => {
    const [alone, both] = await analyses();
    expect(both).toMatchObject({
      overall_direction: expect.stringMatching(/^(BULLISH|NEUTRAL|BEARISH)$/),
      ai_generated: true,
      opinions: [
        { name: 'Groq', built_in: false },
        { name: 'Built-in analyst (statistics, no AI)', built_in: true },
      ],
      failures: [],
    });
    for (const term of [both?.short_term, both?.medium_term, both?.long_term])
      expect(term).toEqual({
        market_direction: expect.stringMatching(/^(BULLISH|NEUTRAL|BEARISH)$/),
        confidence: expect.any(Number),
        reasoning: expect.stringMatching(/./),
      });
    expect([both?.market_direction, both?.reasoning]).toEqual([
      both?.short_term?.market_direction,
      both?.short_term?.reasoning,
    ]);
    expect(alone).toMatchObject({ ai_generated: false, failures: [{ name: 'Groq' }] });
    expect((alone?.timestamp ?? '') > (both?.timestamp ?? '')).toBe(true);
    expect(await analyses(`?before=${alone?.id}`)).toEqual([both]);
    expect(await analyses(`?before=${both?.id}`)).toEqual([]);
    expect(await analyses('?before=none')).toEqual([]);
    expect((await analyses(`?q=${both?.id?.toUpperCase()}`)).map(({ id }) => id)).toEqual([both?.id]);
    expect(await analyses('?q=no-such-words')).toEqual([]);
  });

  test('200: one without model answers has no direction; a page holds at most fifty', async () => {
    await sql`insert into analyses (id, issued_at, finished_at, input, input_hash)
      select 'past-' || i, ${NOON.toISOString()}::timestamptz - i * interval '1 day', ${NOON.toISOString()}, '{}', '-'
      from generate_series(1, ${ANALYSES_PAGE}) i`.execute(other.db);
    await sql`insert into analysis_answers (analysis_id, analyst, name, letter, failure)
      values ('past-1', 'groq', 'Groq', 'G', 'It answered 500')`.execute(other.db);
    const page = await analyses();
    expect(page).toHaveLength(ANALYSES_PAGE);
    expect(page[2]).toEqual({
      id: 'past-1',
      timestamp: new Date(NOON.getTime() - 86_400_000).toISOString(),
      overall_direction: null,
      overall_confidence: null,
      short_term: null,
      medium_term: null,
      long_term: null,
      ai_generated: false,
      opinions: [],
      failures: [{ name: 'Groq', reason: 'It answered 500' }],
      market_direction: null,
      confidence: null,
      reasoning: null,
    });
    expect((await analyses(`?before=${page.at(-1)?.id}`)).map(({ id }) => id)).toEqual(['past-49', 'past-50']);
  });
});
