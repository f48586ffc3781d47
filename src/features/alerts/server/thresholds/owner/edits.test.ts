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

const add = addRule;
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

test('a saved rule throws no value away that still waits for the others', async () => {
  const bob = await person(s, `bob-${names++}`, 'premium');
  const early = await add(calls, { name: 'early', value: 85_000 });
  const high = await add(calls, { name: 'high', value: 90_000 });
  await owner.settled();
  await owner.whileNothingIsWritten(async () => {
    await quote(s, { bitcoin: 86_000 });
    await owner.settled();
    await quote(s, { bitcoin: 91_000 });
    await owner.settled();
    await quote(s, { bitcoin: 80_000 });
    await owner.settled();
    await add(callsOf(s, bob), { value: 200_000 });
    await owner.settled();
  });
  await expect.poll(fires).toEqual([early.id, high.id]);
});

test('a rule that fires once only goes on as what it was changed to while its fire waited', async () => {
  const early = await add(calls, { name: 'early', value: 85_000 });
  const options = {
    mode: 'once',
    cooldownMinutes: 15,
    margin: null,
    holdMinutes: 0,
    expiresAt: null,
    and: null,
    schedule: null,
  } as const;
  const mine = await add(calls, { name: 'mine', value: 90_000, options });
  await owner.settled();
  await owner.whileNothingIsWritten(async () => {
    await quote(s, { bitcoin: 86_000 });
    await owner.settled();
    await quote(s, { bitcoin: 91_000 });
    await owner.settled();
    await calls.change(mine.id, rule({ name: 'mine', value: 95_000, options }));
    await owner.settled();
  });
  await expect.poll(fires).toEqual([early.id]);
  await owner.settled();
  await quote(s, { bitcoin: 96_000 });
  await expect.poll(fires).toEqual([early.id, mine.id]);
});

test('a storm is one by the time at which its values were judged, however long its writing waits', async () => {
  const levels = Array.from({ length: 15 }, (_, i) => 90_000 + i);
  for (const value of levels) await add(calls, { name: `level ${value}`, value });
  await owner.settled();
  await owner.whileNothingIsWritten(async () => {
    await quote(s, { bitcoin: 91_000 });
    await owner.settled();
    s.advance(10 * 60_000);
    // A batch that has begun to write does so anew with the time of then.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and application_name = 'meridian' and wait_event_type = 'Lock'`.execute(s.product.market.ctx.db);
    await owner.settled();
  });
  await expect.poll(async () => (await alertsOf(s, ann.id)).at(-1)?.type).toBe('RULES_PAUSED');
  const said = (await alertsOf(s, ann.id)).at(-1)?.message;
  expect(said).toContain('The 15 rules that fired are paused: rearm them under Custom Alerts');
});
