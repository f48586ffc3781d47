import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Product } from '#app/server/product.ts';
import { shardOf } from '#features/alerts/server/thresholds/owner/owner.ts';
import { addRule, callsOf, rule } from '#tests/support/own-rules.ts';
import { type Person, person } from '#tests/support/people.ts';
import { alertsOf, owned, quote } from '#tests/support/rule-prices.ts';
import { type Started, start } from '#tests/support/start.ts';

const SHARDS = 3;
const PRICES = { bitcoin: 80_000, ethereum: 3000, solana: 150, ripple: 2, sui: 3 };
const METRICS = {
  bitcoin: 'btc_price',
  ethereum: 'eth_price',
  solana: 'sol_price',
  ripple: 'price:ripple',
  sui: 'price:sui',
};
const patient = { timeout: 15_000 };

let s: Started;
let ann: Person;
let owners: { stop: () => Promise<void> }[];
const db = () => s.product.market.ctx.db;

async function own(...products: Product[]): Promise<void> {
  owners = await Promise.all(products.map(({ thresholds }) => thresholds.own()));
  for (let shard = 0; shard < SHARDS; shard++) await owned(s, 1, shard);
}
const fired = async () => (await alertsOf(s, ann.id)).map(({ rule_id }) => rule_id ?? 0).toSorted((a, b) => a - b);
const times = (factor: number) =>
  Object.fromEntries(Object.entries(PRICES).map(([coin, price]) => [coin, price * factor]));

/** One rule a coin, a tenth above its price. */
async function rules(): Promise<number[]> {
  const calls = callsOf(s, ann);
  const ids: number[] = [];
  for (const [coin, price] of Object.entries(PRICES)) {
    const metric = METRICS[coin as keyof typeof METRICS];
    ids.push((await addRule(calls, { name: coin, metric, value: price * 1.1 })).id);
  }
  await sleep(200);
  return ids.toSorted((a, b) => a - b);
}

beforeEach(async () => {
  s = await start({ env: { ALERT_SHARDS: String(SHARDS) } });
  await s.job('market.listing');
  ann = await person(s, 'ann', 'premium');
  await quote(s, PRICES);
});
afterEach(async () => {
  await Promise.all(owners.map(({ stop }) => stop()));
  await s.stop();
});

test('rules divided into three parts fire as those of one, each once', async () => {
  expect(new Set(Object.values(METRICS).map((metric) => shardOf(metric, SHARDS))).size).toBe(SHARDS);
  await own(s.product);
  const all = await rules();
  await quote(s, times(1.2));
  await expect.poll(fired, patient).toEqual(all);
  await quote(s, times(1));
  await quote(s, times(1.2));
  await sleep(400);
  expect(await fired()).toEqual(all);
}, 30_000);

test('of two processes each part has one owner; when one goes the other takes its parts, and what crossed between fires once', async () => {
  const other = await s.another();
  await own(s.product, other);
  const all = await rules();
  const { rows } = await sql<{ shard: number; epoch: number }>`select shard, epoch from alert_shards`.execute(db());
  expect(rows.map(({ epoch }) => epoch)).toEqual([1, 1, 1]);
  await owners[0]?.stop();
  await quote(s, times(1.2));
  await expect.poll(fired, patient).toEqual(all);
  await sleep(400);
  expect(await fired()).toEqual(all);
}, 45_000);

test('a notice that was missed while the line was down is made good when it is up again', async () => {
  await own(s.product);
  const calls = callsOf(s, ann);
  const mine = (await calls.add(rule({ value: 90_000 }))).json<{ id: number }>().id;
  await sleep(200);
  // The change reaches nobody: the line is cut in the statement that makes it.
  await sql`with cut as (select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'meridian-listen')
    update alert_rules set value = 85000, version = version + 1 where id = ${mine} and exists (select 1 from cut)`.execute(
    db(),
  );
  await sleep(1000);
  await quote(s, { bitcoin: 86_000 });
  await expect.poll(fired, patient).toEqual([mine]);
}, 30_000);
