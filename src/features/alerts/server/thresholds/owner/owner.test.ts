import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { alertsTopic } from '#features/alerts/contract/alerts.ts';
import type { Threshold } from '#features/alerts/contract/thresholds.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { addRule, publishQuotes, readAlerts, readStoredRule, rule, rulesApi } from '#tests/support/own-rules.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { ruleOwner } from '#tests/support/rule-owner.ts';

const logged: string[] = [];
const s = fileProduct({ env: { LOG_LEVEL: 'warn' }, onLogLine: (line) => logged.push(line) });
let ann: TestUser;
let calls: ReturnType<typeof rulesApi>;
let owner: ReturnType<typeof ruleOwner>;
let names = 0;
const db = () => s.product.market.ctx.db;
const rowOf = (id: number) => readStoredRule(s, id);

async function added(more: Parameters<typeof addRule>[1]): Promise<Threshold> {
  const rule = await addRule(calls, more);
  await owner.settled();
  return rule;
}
const fires = async () => (await readAlerts(s, ann.id)).length;

beforeAll(async () => {
  await s.job('market.listing');
  owner = ruleOwner(s);
});
beforeEach(async () => {
  ann = await registerUser(s, `ann-${names++}`, 'premium');
  calls = rulesApi(s, ann);
  await publishQuotes(s, { bitcoin: 80_000, ethereum: { price: 3000, change: 1 } });
  await owner.takeOwnership();
});
afterEach(() => owner.stopAll());

describe('a custom rule', () => {
  test('fires once when its level is crossed: alert, outbox row, frame and state are atomic', async () => {
    const frames: unknown[] = [];
    const off = s.product.market.ctx.live.on(alertsTopic, (data) => void frames.push(...data.alerts));
    const mine = await added({ name: 'BTC breakout', value: 90_000 });
    await publishQuotes(s, { bitcoin: 90_012.4 });
    await expect.poll(fires).toBe(1);
    await publishQuotes(s, { bitcoin: 89_950 });
    await publishQuotes(s, { bitcoin: 90_100 });
    await owner.settled();
    expect(await readAlerts(s, ann.id)).toMatchObject([
      {
        rule_id: mine.id,
        type: 'CUSTOM_THRESHOLD',
        message: 'BTC breakout: Bitcoin price is above 90,000 (90,012.40)',
        value: 90_012.4,
      },
    ]);
    expect(await rowOf(mine.id)).toMatchObject({ first_on: 2, fires: 1, suppressed: 0 });
    expect(frames).toMatchObject([{ thresholdId: mine.id, meta: { source: 'Coinbase' } }]);
    const events = await db()
      .selectFrom('notification_events')
      .select(['kind', 'user_id'])
      .where('user_id', '=', ann.id)
      .execute();
    expect(events).toEqual([{ kind: 'CUSTOM_THRESHOLD', user_id: ann.id }]);
    off();
  });

  test('does not fire when saved while it holds; a changed level applies immediately', async () => {
    const mine = await added({ value: 70_000 });
    await publishQuotes(s, { bitcoin: 80_500 });
    await owner.settled();
    expect(await fires()).toBe(0);
    await calls.change(mine.id, rule({ value: 81_000 }));
    await owner.settled();
    await publishQuotes(s, { bitcoin: 81_500 });
    await expect.poll(fires).toBe(1);
    await calls.remove(mine.id);
    await owner.settled();
    await publishQuotes(s, { bitcoin: 70_000 });
    await publishQuotes(s, { bitcoin: 82_000 });
    await owner.settled();
    expect(await fires()).toBe(1);
  });

  test('watches the price of any coin, its daily change, and two metrics together', async () => {
    await added({ name: 'Sol', metric: 'price:solana', condition: 'below', value: 50 });
    await added({ name: 'Jump', metric: 'eth_price', condition: 'changes_by', value: 8 });
    const and = { metric: 'btc_price', condition: 'above', value: 85_000 } as const;
    await added({ name: 'Both', metric: 'eth_price', value: 3500, options: { and } });
    await publishQuotes(s, { solana: 49.5, ethereum: { price: 3600, change: -9.5 } });
    await expect.poll(fires).toBe(2);
    await publishQuotes(s, { bitcoin: 86_000 });
    await expect.poll(fires).toBe(3);
    expect((await readAlerts(s, ann.id)).map(({ message }) => message).toSorted()).toEqual([
      'Both: Ethereum price is above 3,500 (3,600.00) and Bitcoin price is above 85,000 (86,000.00)',
      'Jump: Ethereum price changed by 8% or more in 24h (9.50%)',
      'Sol: Solana price is below 50 (49.500000)',
    ]);
  });

  test('a value too old to be current judges nothing', async () => {
    await added({ value: 90_000 });
    await owner.stopAll();
    await publishQuotes(s, { bitcoin: 95_000 });
    s.advance(11 * 60_000);
    await owner.takeOwnership();
    await owner.settled();
    expect(await fires()).toBe(0);
    await publishQuotes(s, { bitcoin: 95_000 });
    await expect.poll(fires).toBe(1);
  });
});

describe('on failure', () => {
  test('an hour without an owner: a crossing in between fires exactly once on return', async () => {
    await added({ value: 90_000 });
    await publishQuotes(s, { bitcoin: 81_000 });
    await owner.stopAll();
    s.advance(3_600_000);
    await publishQuotes(s, { bitcoin: 92_000 });
    await owner.takeOwnership();
    await expect.poll(fires).toBe(1);
    await owner.stopAll();
    await owner.takeOwnership();
    await publishQuotes(s, { bitcoin: 92_100 });
    await owner.settled();
    expect(await fires()).toBe(1);
  });

  test('while the database is down nothing is lost, and nothing fires twice', async () => {
    const up = await added({ value: 90_000 });
    const down = await added({ condition: 'below', value: 85_000, name: 'down' });
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
      db(),
    );
    await sql`create trigger refuse before insert on notification_events execute function refuse()`.execute(db());
    await publishQuotes(s, { bitcoin: 91_000 });
    await publishQuotes(s, { bitcoin: 84_000 });
    await expect.poll(() => logged.some((line) => line.includes('database unavailable, retrying alerts'))).toBe(true);
    expect([await fires(), (await rowOf(up.id)).first_on]).toEqual([0, 1]);
    await sql`drop function refuse() cascade`.execute(db());
    await expect.poll(fires, { timeout: 10_000 }).toBe(2);
    await owner.settled();
    expect((await readAlerts(s, ann.id)).map(({ rule_id }) => rule_id)).toEqual([up.id, down.id]);
    expect([(await rowOf(up.id)).first_on, (await rowOf(down.id)).first_on]).toEqual([1, 2]);
  });

  test('a rule changed while a batch is pending keeps its change', async () => {
    const mine = await added({ value: 90_000 });
    const other = await added({ name: 'other', value: 90_000 });
    await owner.withWritesBlocked(async () => {
      await publishQuotes(s, { bitcoin: 91_000 });
      await owner.untilLocked(1);
      await calls.change(mine.id, rule({ value: 95_000 }));
    });
    await expect.poll(fires).toBe(1);
    await owner.settled();
    expect((await readAlerts(s, ann.id)).map(({ rule_id }) => rule_id)).toEqual([other.id]);
    expect(await rowOf(mine.id)).toMatchObject({ first_on: 1, fires: 0 });
    await publishQuotes(s, { bitcoin: 96_000 });
    await expect.poll(fires).toBe(2);
  });

  test('fifteen alerts within three minutes pause the rules that fired, and report it', async () => {
    for (let i = 0; i < 15; i++) await calls.add(rule({ name: `level ${i}`, value: 90_000 + i * 10 }));
    await added({ name: 'quiet', value: 200_000 });
    await publishQuotes(s, { bitcoin: 90_065 });
    await expect.poll(fires).toBe(7);
    await publishQuotes(s, { bitcoin: 90_200 });
    await expect.poll(fires).toBe(16);
    const rows = await readAlerts(s, ann.id);
    expect(rows.at(-1)).toMatchObject({ type: 'RULES_PAUSED', value: null });
    const paused = await db()
      .selectFrom('alert_rules')
      .select(['name', 'paused'])
      .where('user_id', '=', ann.id)
      .orderBy('id')
      .execute();
    expect(paused.map((each) => each.paused)).toEqual([...Array.from({ length: 15 }, () => 'storm'), null]);
    await publishQuotes(s, { bitcoin: 80_000 });
    await publishQuotes(s, { bitcoin: 90_200 });
    await publishQuotes(s, { bitcoin: 200_001 });
    await expect.poll(fires).toBe(17);
  });
});
