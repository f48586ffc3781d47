import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Alert, AlertCounts } from '#features/alerts/contract/alerts.ts';
import { openReader, type Reader } from '#kernel/live/fixtures/reader.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { grantPlan, registerUser, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { followAlerts } from '#tests/support/streams.ts';
import { raiseAlerts } from './raise.ts';
import { selectAlerts } from './store.ts';

const s = fileProduct();
const ann = member(s, 'ann', 'pro');
const ben = member(s, 'ben', 'premium');

const listOf = async (who: TestUser, query = '') =>
  (await who.get(`/api/alerts${query}`)).json<{ alerts: Alert[] }>().alerts;
const acknowledge = (who: TestUser, id: number | string) => who.post(`/api/alerts/${id}/acknowledge`);

describe('GET /api/alerts', () => {
  test('public and own alerts, newest first, paginated', async () => {
    const [first] = await raise(s, [createDraft('shared-1')]);
    const [ofAnn] = await raise(s, [createDraft('ann-1', { own: { userId: ann.id, ruleId: 5 } })]);
    const [ofBen] = await raise(s, [createDraft('ben-1', { own: { userId: ben.id, ruleId: 6 } })]);
    const [last] = await raise(s, [createDraft('shared-2')]);
    const ids = (await listOf(ann)).map(({ id }) => id);
    expect(ids).toEqual([last?.id, ofAnn?.id, first?.id]);
    expect((await listOf(ben)).map(({ id }) => id)).toEqual([last?.id, ofBen?.id, first?.id]);
    const page = await listOf(ann, '?limit=2');
    expect(page.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = await listOf(ann, `?limit=2&before=${page[1]?.id}`);
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(page[1]).toMatchObject({ thresholdId: 5, acknowledged: false, eventDate: null, value: 1.5 });
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'before=0', 'before=-1', 'before=1e99', 'before=x'])(
    '400: %s',
    async (query) => {
      expect((await ann.get(`/api/alerts?${query}`)).statusCode).toBe(400);
    },
  );

  test('is served from the indexes, however many alerts others have', async () => {
    const { db } = s.product.market.ctx;
    await sql`insert into alerts (user_id, rule_id, once, type, severity, message, metric, source, method, source_at, received_at,
        evaluated_at, queued_at)
      select ${ben.id}::bigint, 9, 'many-' || n, 'CUSTOM_THRESHOLD', 'low', 'One of many', 'ssr', 'Meridian', 'computed', now(), now(), now(), now()
      from generate_series(1, 20000) n`.execute(db);
    await sql`analyze alerts`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${selectAlerts(ann.id, { limit: 20 })}`.execute(db);
    const plan = rows.map((row) => row['QUERY PLAN']).join(' ');
    expect(plan).toContain('alerts_everyone');
    expect(plan).toContain('alerts_own');
    expect(plan).not.toContain('Seq Scan on alerts');
    await sql`delete from alerts where once like 'many-%'`.execute(db);
  });
});

describe('GET /api/alerts/counts', () => {
  const countsOf = async (who: TestUser, query = '') =>
    (await who.get(`/api/alerts/counts${query}`)).json<AlertCounts>();

  test('beyond one page: public and own, newer than the last seen, excluding acknowledged', async () => {
    const raised = await raise(s, [
      ...Array.from({ length: 130 }, (_, i) => createDraft(`shared-count-${i}`)),
      createDraft('ann-count', { own: { userId: ann.id, ruleId: 5 } }),
      createDraft('ben-count', { own: { userId: ben.id, ruleId: 6 } }),
    ]);
    const [first, second] = raised.map(({ id }) => id) as [number, number];
    const seen = `?seen=${first - 1}`;
    expect(await countsOf(ann, seen)).toMatchObject({ unread: 131, newest: raised.at(-2)?.id });
    await acknowledge(ann, second);
    expect(await countsOf(ann, seen)).toMatchObject({ unread: 130 });
    expect(await countsOf(ben, seen)).toMatchObject({ unread: 131, newest: raised.at(-1)?.id });
    expect(await countsOf(ann, `?seen=${raised.at(-1)?.id}`)).toMatchObject({ unread: 0 });
    const { total, unread } = await countsOf(ann);
    expect(total).toBe(
      (await listOf(ann, '?limit=100')).length + (await listOf(ann, `?limit=100&before=${first + 31}`)).length,
    );
    expect(unread).toBe(total - 1);
  });

  test('400 for an invalid id', async () => {
    for (const seen of ['-1', '1.5', 'x', '1e99'])
      expect((await ann.get(`/api/alerts/counts?seen=${seen}`)).statusCode).toBe(400);
  });
});

describe('POST /api/alerts/:id/acknowledge', () => {
  test('is stored per user, idempotent and permanent', async () => {
    const [raised] = await raise(s, [createDraft('shared-3')]);
    const id = raised?.id ?? 0;
    for (let i = 0; i < 2; i += 1) {
      const answer = await acknowledge(ann, id);
      expect([answer.statusCode, answer.json()]).toEqual([200, { id, acknowledged: true }]);
    }
    expect((await listOf(ann))[0]).toMatchObject({ id, acknowledged: true });
    expect((await listOf(ben))[0]).toMatchObject({ id, acknowledged: false });
  });

  test('404 for an unknown id, 400 for an invalid one', async () => {
    expect(statusAndMessage(await acknowledge(ann, 999_999))).toEqual([404, 'Alert not found']);
    for (const id of ['0', '-1', '1.5', 'x', '1e99']) expect((await acknowledge(ann, id)).statusCode).toBe(400);
  });
});

test('raises the same alert once, with one outbox row', async () => {
  expect(await raise(s, [createDraft('twice')])).toHaveLength(1);
  expect(await raise(s, [createDraft('twice')])).toEqual([]);
  const rows = await s.product.market.ctx.db
    .selectFrom('notification_events')
    .where('dedupe_key', '=', 'alert:twice')
    .selectAll()
    .execute();
  expect(rows).toHaveLength(1);
});

test('a value that fires for ten thousand users is one write, each with its outbox row', async () => {
  const drafts = Array.from({ length: 10_000 }, (_, i) => createDraft(`crowd-${i}`));
  expect(await raise(s, drafts)).toHaveLength(10_000);
  const { db } = s.product.alerts.ctx;
  const rows = await db
    .selectFrom('notification_events')
    .innerJoin('alerts', 'alerts.id', 'notification_events.alert_id')
    .select(['once', 'dedupe_key', 'payload'])
    .where('once', 'like', 'crowd-%')
    .orderBy('alerts.id')
    .execute();
  expect(rows.map(({ once }) => once)).toEqual(drafts.map(({ idempotencyKey }) => idempotencyKey));
  expect(rows[7]).toMatchObject({
    dedupe_key: 'alert:crowd-7',
    payload: { message: 'This is crowd-7', metric: 'ssr', value: 1.5, eventDate: null },
  });
  expect(await raise(s, drafts)).toEqual([]);
});

test('ids ascend in commit order: a reader of a higher one has seen every lower one', async () => {
  const { db } = s.product.market.ctx;
  const state = { writing: true };
  const writers = Promise.all(
    Array.from({ length: 6 }, async (_, w) => {
      for (let i = 0; i < 15; i += 1)
        await raise(s, [createDraft(`writer-${w}-${i}`), createDraft(`writer-${w}-${i}-b`)]);
    }),
  ).finally(() => {
    state.writing = false;
  });
  const seen = new Set<number>();
  let newest = 0;
  let late = 0;
  while (state.writing) {
    const rows = await db.selectFrom('alerts').select('id').orderBy('id').execute();
    for (const { id } of rows) if (!seen.has(id) && id < newest) late += 1;
    for (const { id } of rows) seen.add(id);
    newest = rows.at(-1)?.id ?? newest;
  }
  await writers;
  expect(late).toBe(0);
  expect(seen.size).toBeGreaterThan(20);
});

describe('the stream', () => {
  const SOON = { timeout: 20_000 };
  let url: string;
  let readers: Reader[] = [];
  beforeAll(async () => {
    url = `http://127.0.0.1:${(await s.product.listen()).port}`;
  });
  afterEach(() => {
    for (const reader of readers) reader.close();
    readers = [];
  });

  const ticketOf = async (who: TestUser) =>
    (await who.post('/api/stream/ticket')).json<{ ticket: string; topics: string[] }>();
  async function follow(who: TestUser): Promise<Reader> {
    const reader = await followAlerts(s, url, who);
    readers.push(reader);
    return reader;
  }
  const heard = (reader: Reader) =>
    reader
      .messages()
      .filter(({ event }) => event === 'alerts')
      .flatMap(({ data }) =>
        (JSON.parse(data) as { alerts: { message: string }[] }).alerts.map(({ message }) => message),
      );

  test('a ticket lists the private topics of its plan', async () => {
    expect((await ticketOf(await registerUser(s, 'fred'))).topics).toEqual(['account']);
    for (const plan of ['pro', 'premium', 'admin'] as const)
      expect((await ticketOf(await registerUser(s, plan, plan))).topics).toEqual(['account', 'alerts', 'exports']);
  });

  test('401 for visitors and 403 for free accounts, which receive none of it on other topics either', async () => {
    expect(statusAndMessage(await s.get('/api/stream?topics=alerts'))).toEqual([401, 'Authentication required']);
    const free = await registerUser(s, 'free');
    const { ticket } = await ticketOf(free);
    expect(statusAndMessage(await s.get(`/api/stream?topics=alerts&ticket=${ticket}`))).toEqual([
      403,
      'Upgrade required',
    ]);
  });

  test('every paid plan receives market alerts; personal ones reach only their owner', async () => {
    const [cat, dan] = [await registerUser(s, 'cat', 'pro'), await registerUser(s, 'dan', 'pro')];
    const [ofCat, ofDan] = [await follow(cat), await follow(dan)];
    const visitor = await openReader(`${url}/api/stream`);
    readers.push(visitor);
    await raise(s, [
      createDraft('for all'),
      createDraft('for cat', { own: { userId: cat.id, ruleId: 1 } }),
      createDraft('for dan', { own: { userId: dan.id, ruleId: 2 } }),
    ]);
    await raise(s, [createDraft('the end')]);
    await expect.poll(() => heard(ofCat), SOON).toEqual(['This is for all', 'This is for cat', 'This is the end']);
    await expect.poll(() => heard(ofDan), SOON).toEqual(['This is for all', 'This is for dan', 'This is the end']);
    expect(visitor.text()).not.toContain('alerts');
  });

  test('a rolled-back transaction notifies no one and leaves nothing', async () => {
    const eve = await registerUser(s, 'eve', 'pro');
    const reader = await follow(eve);
    const { db, live, now } = s.product.alerts.ctx;
    const failing = db.transaction().execute(async (tx) => {
      await raiseAlerts({ live, now }, tx, [createDraft('never')]);
      throw new Error('the process ends here');
    });
    await expect(failing).rejects.toThrow('ends here');
    await raise(s, [createDraft('afterwards')]);
    await expect.poll(() => heard(reader), SOON).toEqual(['This is afterwards']);
    const left = await db.selectFrom('notification_events').where('dedupe_key', '=', 'alert:never').execute();
    expect(left).toEqual([]);
  });

  test('a stream ends with the paid period that opened it, and later alerts are read with the current plan', async () => {
    const gil = await registerUser(s, 'gil');
    await grantPlan(s, gil.id, 'pro', { endsAt: new Date(s.clock.now().getTime() + 60_000) });
    s.advance(59_900);
    const { ticket } = await ticketOf(gil);
    const reader = await openReader(`${url}/api/stream?topics=alerts&ticket=${ticket}`);
    readers.push(reader);
    expect([reader.response.statusCode, (await gil.get('/api/alerts')).statusCode]).toEqual([200, 200]);
    await expect.poll(reader.ended, SOON).toBe(true);
    s.advance(100);
    expect((await gil.get('/api/alerts')).statusCode).toBe(403);
    expect((await ticketOf(gil)).topics).toEqual(['account']);
  });
});
