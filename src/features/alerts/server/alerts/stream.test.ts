import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { addFact } from '#features/accounts/server/subscriptions/service.ts';
import { openReader, type Reader } from '#kernel/live/fixtures/reader.ts';
import { draftOf, raise } from '#tests/support/alerts.ts';
import { type Person, person } from '#tests/support/people.ts';
import { said } from '#tests/support/replies.ts';
import { type Started, start } from '#tests/support/start.ts';

import { raiseAlerts } from './raise.ts';

const SOON = { timeout: 20_000 };

let s: Started;
let url: string;
let readers: Reader[] = [];
beforeAll(async () => {
  s = await start();
  url = `http://127.0.0.1:${(await s.product.listen()).port}`;
});
afterEach(() => {
  for (const reader of readers) reader.close();
  readers = [];
});
afterAll(() => s.stop());

const ticketOf = async (who: Person) =>
  (await who.post('/api/stream/ticket')).json<{ ticket: string; topics: string[] }>();
async function follow(who: Person): Promise<Reader> {
  const { ticket } = await ticketOf(who);
  const reader = await openReader(`${url}/api/stream?topics=alerts&ticket=${ticket}`);
  readers.push(reader);
  if (reader.response.statusCode === 200) await expect.poll(reader.text, SOON).toContain('retry: 3000');
  return reader;
}
const heard = (reader: Reader) =>
  reader
    .messages()
    .filter(({ event }) => event === 'alerts')
    .flatMap(({ data }) =>
      (JSON.parse(data) as { alerts: { message: string }[] }).alerts.map(({ message }) => message),
    );

test('a ticket names the private topics of its plan', async () => {
  expect((await ticketOf(await person(s, 'fred'))).topics).toEqual(['account']);
  for (const plan of ['pro', 'premium', 'admin'] as const)
    expect((await ticketOf(await person(s, plan, plan))).topics).toEqual(['account', 'alerts', 'exports']);
});

test('401 to visitors and 403 to free accounts, who get nothing of it on other topics either', async () => {
  expect(said(await s.get('/api/stream?topics=alerts'))).toEqual([401, 'Authentication required']);
  const free = await person(s, 'free');
  const { ticket } = await ticketOf(free);
  expect(said(await s.get(`/api/stream?topics=alerts&ticket=${ticket}`))).toEqual([403, 'Upgrade required']);
});

test('everyone with a plan hears what the market says; what is one’s own reaches its owner alone', async () => {
  const [cat, dan] = [await person(s, 'cat', 'pro'), await person(s, 'dan', 'pro')];
  const [ofCat, ofDan] = [await follow(cat), await follow(dan)];
  const visitor = await openReader(`${url}/api/stream`);
  readers.push(visitor);
  await raise(s, [
    draftOf('for all'),
    draftOf('for cat', { own: { userId: cat.id, ruleId: 1 } }),
    draftOf('for dan', { own: { userId: dan.id, ruleId: 2 } }),
  ]);
  await raise(s, [draftOf('the end')]);
  await expect.poll(() => heard(ofCat), SOON).toEqual(['This is for all', 'This is for cat', 'This is the end']);
  await expect.poll(() => heard(ofDan), SOON).toEqual(['This is for all', 'This is for dan', 'This is the end']);
  expect(visitor.text()).not.toContain('alerts');
});

test('a transaction that is rolled back is told to nobody and leaves nothing', async () => {
  const eve = await person(s, 'eve', 'pro');
  const reader = await follow(eve);
  const { db, live, now } = s.product.alerts.ctx;
  const failing = db.transaction().execute(async (tx) => {
    await raiseAlerts({ live, now }, tx, [draftOf('never')]);
    throw new Error('the process ends here');
  });
  await expect(failing).rejects.toThrow('ends here');
  await raise(s, [draftOf('afterwards')]);
  await expect.poll(() => heard(reader), SOON).toEqual(['This is afterwards']);
  const left = await db.selectFrom('notification_events').where('dedupe_key', '=', 'alert:never').execute();
  expect(left).toEqual([]);
});

test('a stream ends with the paid time that opened it, and what comes then is read with the plan of then', async () => {
  const gil = await person(s, 'gil');
  const at = s.clock.now();
  await addFact(s.product.alerts.ctx.db, {
    userId: gil.id,
    source: 'test',
    plan: 'pro',
    startsAt: at,
    endsAt: new Date(at.getTime() + 60_000),
    at,
    createdBy: null,
    note: '',
  });
  s.product.auth.callers.forget(gil.id);
  const { ticket } = await ticketOf(gil);
  s.advance(59_000);
  const reader = await openReader(`${url}/api/stream?topics=alerts&ticket=${ticket}`);
  readers.push(reader);
  let isOver = false;
  reader.response.once('close', () => {
    isOver = true;
  });
  await expect.poll(() => isOver, SOON).toBe(true);
  s.advance(2000);
  expect((await ticketOf(gil)).topics).toEqual(['account']);
});
