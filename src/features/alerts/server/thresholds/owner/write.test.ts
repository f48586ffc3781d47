import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { addRule, callsOf, storedRule } from '#tests/support/own-rules.ts';
import { type Person, person } from '#tests/support/people.ts';
import { ruleOwner } from '#tests/support/rule-owner.ts';
import { alertsOf, quote } from '#tests/support/rule-prices.ts';
import { type Started, start } from '#tests/support/start.ts';
import type { Batch } from './batch.ts';
import { takeShard } from './store.ts';
import { ShardLostError, writeBatch } from './write.ts';

let s: Started;
let ann: Person;
let names = 0;
const db = () => s.product.market.ctx.db;
const rowOf = (id: number) => storedRule(s, id);

beforeAll(async () => {
  s = await start();
  await s.job('market.listing');
});
afterAll(() => s.stop());
beforeEach(async () => {
  ann = await person(s, `ann-${names++}`, 'premium');
  await quote(s, { bitcoin: 80_000 });
});

const added = (more: Parameters<typeof addRule>[1]) => addRule(callsOf(s, ann), more);

test('a batch whose commit went through unheard is not counted again when it is tried again', async () => {
  const { id } = await added({ value: 90_000 });
  const { ctx } = s.product.thresholds;
  const now = ctx.now();
  const at = now.getTime();
  const { version } = await rowOf(id);
  const tick = { series: 'btc_price', value: 91_000, at, knownAt: at, source: 'Coinbase', method: 'measured' as const };
  const state = { first: 2, second: 0, pendingSince: null, lastFiredAt: at, done: false } as const;
  const batch: Batch = {
    ticks: new Map([['btc_price', tick]]),
    writes: new Map([[id, { id, version, state, fires: 1, silenced: 1 }]]),
    fires: [{ id, version, tick, seen: [tick], evaluatedAt: now }],
  };
  const epoch = await takeShard(db(), 7, 'test', now);
  await writeBatch(ctx, 7, { epoch, number: 1 }, batch);
  await writeBatch(ctx, 7, { epoch, number: 1 }, batch);
  expect(await rowOf(id)).toMatchObject({ fires: 1, suppressed: 1 });
  expect(await alertsOf(s, ann.id)).toHaveLength(1);
  await writeBatch(ctx, 7, { epoch, number: 2 }, { ...batch, fires: [] });
  expect(await rowOf(id)).toMatchObject({ fires: 2 });
  const next = await takeShard(db(), 7, 'another', now);
  await expect(writeBatch(ctx, 7, { epoch, number: 3 }, batch)).rejects.toThrow(ShardLostError);
  await writeBatch(ctx, 7, { epoch: next, number: 1 }, { ...batch, fires: [] });
  expect(await rowOf(id)).toMatchObject({ fires: 3 });
  await sql`delete from alert_shards where shard = 7`.execute(db());
}, 30_000);

test('a rule whose time zone nobody knows any more is set aside, and the others go on', async () => {
  const lost = await added({ name: 'lost', value: 90_000 });
  const kept = await added({ name: 'kept', value: 90_000 });
  const schedule = { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '00:00', timeZone: 'Nowhere/Gone' };
  await sql`update alert_rules set options = jsonb_set(options, '{schedule}', ${JSON.stringify(schedule)}::jsonb) where id = ${lost.id}`.execute(
    db(),
  );
  const owner = ruleOwner(s);
  await owner.own();
  const epoch = await owner.epoch();
  await quote(s, { bitcoin: 91_000 });
  await expect
    .poll(async () => (await alertsOf(s, ann.id)).map(({ rule_id }) => rule_id), { timeout: 10_000 })
    .toEqual([kept.id]);
  await owner.settled();
  expect(await owner.epoch()).toBe(epoch);
  await owner.leave();
  const reported = await db().selectFrom('error_logs').select('message').execute();
  expect(reported.map(({ message }) => message)).toContain(`Rule ${lost.id} cannot be judged`);
}, 30_000);
