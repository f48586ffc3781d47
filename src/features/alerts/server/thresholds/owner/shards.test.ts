import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shardForMetric } from '#features/alerts/server/thresholds/owner/owner.ts';
import { addRule, publishQuotes, readAlerts, rule, rulesApi } from '#tests/support/own-rules.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { ruleOwner } from '#tests/support/rule-owner.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

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

let s: TestProduct;
let ann: TestUser;
let owner: ReturnType<typeof ruleOwner>;
const db = () => s.product.market.ctx.db;
const epochs = async () => {
  const { rows } = await sql<{ epoch: number }>`select epoch from alert_shards order by shard`.execute(db());
  return rows.map(({ epoch }) => epoch);
};
const fired = async () => (await readAlerts(s, ann.id)).map(({ rule_id }) => rule_id ?? 0).toSorted((a, b) => a - b);
const times = (factor: number) =>
  Object.fromEntries(Object.entries(PRICES).map(([coin, price]) => [coin, price * factor]));

/** One rule per coin, a tenth above its price. */
async function rules(): Promise<number[]> {
  const calls = rulesApi(s, ann);
  const ids: number[] = [];
  for (const [coin, price] of Object.entries(PRICES)) {
    const metric = METRICS[coin as keyof typeof METRICS];
    ids.push((await addRule(calls, { name: coin, metric, value: price * 1.1 })).id);
  }
  await owner.settled();
  return ids.toSorted((a, b) => a - b);
}

beforeEach(async () => {
  s = await start({ env: { ALERT_SHARDS: String(SHARDS) } });
  await s.job('market.listing');
  ann = await registerUser(s, 'ann', 'premium');
  await publishQuotes(s, PRICES);
  owner = ruleOwner(s);
});
afterEach(async () => {
  await owner.stopAll();
  await s.stop();
});

test('rules divided into three shards fire as in one, each once', async () => {
  expect(new Set(Object.values(METRICS).map((metric) => shardForMetric(metric, SHARDS))).size).toBe(SHARDS);
  await owner.takeOwnership();
  const all = await rules();
  await publishQuotes(s, times(1.2));
  await expect.poll(fired, patient).toEqual(all);
  await publishQuotes(s, times(1));
  await publishQuotes(s, times(1.2));
  await owner.settled();
  expect(await fired()).toEqual(all);
});

test('with two processes each shard has one owner; when one exits the other takes over, and missed crossings fire once', async () => {
  const other = await s.another();
  await owner.takeOwnership(s.product, other);
  const all = await rules();
  expect(await epochs()).toEqual([1, 1, 1]);
  await owner.stopFirst();
  await publishQuotes(s, times(1.2));
  await expect.poll(fired, patient).toEqual(all);
  await owner.settled();
  expect(await fired()).toEqual(all);
});

test('a notice missed while the connection was down is caught up on reconnect', async () => {
  await owner.takeOwnership();
  const calls = rulesApi(s, ann);
  const mine = (await calls.add(rule({ value: 90_000 }))).json<{ id: number }>().id;
  await owner.settled();
  const before = await epochs();
  // The change is not notified: its statement also cuts the listening connection.
  await sql`with cut as (select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'meridian-listen')
    update alert_rules set value = 85000, version = version + 1 where id = ${mine} and exists (select 1 from cut)`.execute(
    db(),
  );
  await expect.poll(epochs, patient).toEqual(before.map((epoch) => epoch + 1));
  await owner.settled();
  await publishQuotes(s, { bitcoin: 86_000 });
  await expect.poll(fired, patient).toEqual([mine]);
});
