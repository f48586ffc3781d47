import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { addRule, callsOf, rule } from '#tests/support/own-rules.ts';
import { type Person, person } from '#tests/support/people.ts';
import { ruleOwner } from '#tests/support/rule-owner.ts';
import { alertsOf, quote } from '#tests/support/rule-prices.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
let ann: Person;
let calls: ReturnType<typeof callsOf>;
let owner: ReturnType<typeof ruleOwner>;
let names = 0;
const db = () => s.product.market.ctx.db;
const patient = { timeout: 10_000 };

const add = (more: Parameters<typeof addRule>[1], of = calls) => addRule(of, more);
const fires = async () => (await alertsOf(s, ann.id)).map(({ rule_id }) => rule_id);

beforeAll(async () => {
  s = await start();
  await s.job('market.listing');
  owner = ruleOwner(s);
});
afterAll(() => s.stop());
beforeEach(async () => {
  ann = await person(s, `ann-${names++}`, 'premium');
  calls = callsOf(s, ann);
  await quote(s, { bitcoin: 80_000 });
  await owner.own();
});
afterEach(() => owner.leave());

test('an owner that has lost its shard seeks it again and goes on', async () => {
  const mine = await add({ value: 90_000 });
  await owner.settled();
  const before = await owner.epoch();
  await sql`update alert_shards set epoch = epoch + 1`.execute(db());
  await quote(s, { bitcoin: 91_000 });
  await expect.poll(owner.epoch, patient).toBe(before + 2);
  await expect.poll(fires, patient).toEqual([mine.id]);
  await quote(s, { bitcoin: 80_000 });
  await quote(s, { bitcoin: 91_000 });
  await owner.settled();
  expect(await fires()).toEqual([mine.id]);
}, 30_000);

test('notices that are missed while a shard is being opened are made good', async () => {
  await owner.leave();
  const mine = await add({ value: 90_000 });
  const opening: Promise<void>[] = [];
  await db()
    .transaction()
    .execute(async (tx) => {
      await sql`lock table live_frames in access exclusive mode`.execute(tx);
      opening.push(owner.own());
      await owner.settled();
      await owner.settled();
      await sql`update alert_rules set value = 85000, version = version + 1 where id = ${mine.id}`.execute(db());
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'meridian-listen'`.execute(db());
      for (let i = 0; i < 10; i++) await owner.settled();
    });
  await Promise.all(opening);
  for (let i = 0; i < 4; i++) await owner.settled();
  await quote(s, { bitcoin: 86_000 });
  await expect.poll(fires, patient).toEqual([mine.id]);
}, 30_000);

test('a rule that no longer means anything is left out, and the others are judged', async () => {
  await owner.leave();
  const odd = await add({ value: 81_000 });
  const mine = await add({ value: 90_000 });
  await sql`update alert_rules set metric = 'tulips' where id = ${odd.id}`.execute(db());
  await owner.own();
  await quote(s, { bitcoin: 91_000 });
  await expect.poll(fires).toEqual([mine.id]);
  const other = await add({ name: 'other', value: 92_000 });
  await owner.settled();
  await quote(s, { bitcoin: 93_000 });
  await expect.poll(fires).toEqual([mine.id, other.id]);
});

test('what someone saves after a crossing that nobody judged hides it from nobody else', async () => {
  const mine = await add({ value: 90_000 });
  await owner.settled();
  await owner.leave();
  await quote(s, { bitcoin: 91_000 });
  await quote(s, { bitcoin: 80_000 });
  await calls.change(mine.id, rule({ name: 'BTC, renamed', value: 90_000 }));
  const bob = callsOf(s, await person(s, `bob-${names++}`, 'premium'));
  await add({ value: 200_000 }, bob);
  const late = await add({ name: 'late', value: 90_000 });
  await quote(s, { bitcoin: 80_100 });
  await owner.own();
  await expect.poll(fires).toEqual([mine.id]);
  await owner.settled();
  await quote(s, { bitcoin: 92_000 });
  await expect.poll(fires).toContain(late.id);
});
