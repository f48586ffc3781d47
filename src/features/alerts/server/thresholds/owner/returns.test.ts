import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fileProduct } from '#tests/support/for-file.ts';
import { addRule, publishQuotes, readAlerts, readStoredRule, rule, rulesApi } from '#tests/support/own-rules.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { ruleOwner } from '#tests/support/rule-owner.ts';
import { skipTimers } from '#tests/support/skip-timers.ts';
import type { Batch } from './batch.ts';
import { takeShard } from './store.ts';
import { ShardLostError, writeBatch } from './write.ts';

const s = fileProduct();
let ann: TestUser;
let calls: ReturnType<typeof rulesApi>;
let owner: ReturnType<typeof ruleOwner>;
let names = 0;
const db = () => s.product.market.ctx.db;
const rowOf = (id: number) => readStoredRule(s, id);
const patient = { timeout: 10_000 };

const add = (more: Parameters<typeof addRule>[1], of = calls) => addRule(of, more);
const fires = async () => (await readAlerts(s, ann.id)).map(({ rule_id }) => rule_id);

beforeAll(async () => {
  await s.job('market.listing');
  owner = ruleOwner(s);
});
beforeEach(async () => {
  ann = await registerUser(s, `ann-${names++}`, 'premium');
  calls = rulesApi(s, ann);
  await publishQuotes(s, { bitcoin: 80_000 });
});
afterEach(() => owner.stopAll());

describe('while it has an owner', () => {
  beforeEach(() => owner.takeOwnership());

  test('an owner that lost its shard reacquires it and continues', async () => {
    const mine = await add({ value: 90_000 });
    await owner.settled();
    const before = await owner.epoch();
    const { restore } = skipTimers(2000, 2000);
    await sql`update alert_shards set epoch = epoch + 1`.execute(db());
    await publishQuotes(s, { bitcoin: 91_000 });
    await expect.poll(owner.epoch, patient).toBe(before + 2);
    restore();
    await expect.poll(fires, patient).toEqual([mine.id]);
    await publishQuotes(s, { bitcoin: 80_000 });
    await publishQuotes(s, { bitcoin: 91_000 });
    await owner.settled();
    expect(await fires()).toEqual([mine.id]);
  });

  test('notices missed while a shard opens are caught up', async () => {
    await owner.stopAll();
    const mine = await add({ value: 90_000 });
    const opening: Promise<void>[] = [];
    await db()
      .transaction()
      .execute(async (tx) => {
        await sql`lock table live_frames in access exclusive mode`.execute(tx);
        opening.push(owner.takeOwnership());
        await owner.untilLocked(1);
        await sql`update alert_rules set value = 85000, version = version + 1 where id = ${mine.id}`.execute(db());
        await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
          where datname = current_database() and application_name = 'meridian-listen'`.execute(db());
        // The reread of frames after a reconnect waits as well.
        await owner.untilLocked(2);
      });
    await Promise.all(opening);
    await owner.settled();
    await publishQuotes(s, { bitcoin: 86_000 });
    await expect.poll(fires, patient).toEqual([mine.id]);
  });

  test('an owner stopped while writing finishes the batch and exits', async () => {
    const mine = await add({ value: 90_000 });
    await owner.settled();
    let leaving: Promise<void> = Promise.resolve();
    await owner.withWritesBlocked(async () => {
      await publishQuotes(s, { bitcoin: 91_000 });
      await owner.untilLocked(1);
      leaving = owner.stopAll();
    });
    await leaving;
    expect(await fires()).toEqual([mine.id]);
  });

  test('a rule that is no longer valid is skipped, and the others are judged', async () => {
    await owner.stopAll();
    const odd = await add({ value: 81_000 });
    const mine = await add({ value: 90_000 });
    await sql`update alert_rules set metric = 'tulips' where id = ${odd.id}`.execute(db());
    await owner.takeOwnership();
    await publishQuotes(s, { bitcoin: 91_000 });
    await expect.poll(fires).toEqual([mine.id]);
    const other = await add({ name: 'other', value: 92_000 });
    await owner.settled();
    await publishQuotes(s, { bitcoin: 93_000 });
    await expect.poll(fires).toEqual([mine.id, other.id]);
  });

  test('a rule saved after an unjudged crossing does not hide it from other rules', async () => {
    const mine = await add({ value: 90_000 });
    await owner.settled();
    await owner.stopAll();
    await publishQuotes(s, { bitcoin: 91_000 });
    await publishQuotes(s, { bitcoin: 80_000 });
    await calls.change(mine.id, rule({ name: 'BTC, renamed', value: 90_000 }));
    const bob = rulesApi(s, await registerUser(s, `bob-${names++}`, 'premium'));
    await add({ value: 200_000 }, bob);
    const late = await add({ name: 'late', value: 90_000 });
    await publishQuotes(s, { bitcoin: 80_100 });
    await owner.takeOwnership();
    await expect.poll(fires).toEqual([mine.id]);
    await owner.settled();
    await publishQuotes(s, { bitcoin: 92_000 });
    await expect.poll(fires).toContain(late.id);
  });

  test('a saved rule discards no value still pending for the others', async () => {
    const bob = await registerUser(s, `bob-${names++}`, 'premium');
    const early = await add({ name: 'early', value: 85_000 });
    const high = await add({ name: 'high', value: 90_000 });
    await owner.settled();
    await owner.withWritesBlocked(async () => {
      await publishQuotes(s, { bitcoin: 86_000 });
      await owner.untilLocked(1);
      await publishQuotes(s, { bitcoin: 91_000 });
      await publishQuotes(s, { bitcoin: 80_000 });
      await add({ value: 200_000 }, rulesApi(s, bob));
      await owner.untilNotified();
    });
    await expect.poll(fires).toEqual([early.id, high.id]);
  });

  test('a fire-once rule continues as changed while its fire was pending', async () => {
    const early = await add({ name: 'early', value: 85_000 });
    const options = { mode: 'once' } as const;
    const mine = await add({ name: 'mine', value: 90_000, options });
    await owner.settled();
    await owner.withWritesBlocked(async () => {
      await publishQuotes(s, { bitcoin: 86_000 });
      await owner.untilLocked(1);
      await publishQuotes(s, { bitcoin: 91_000 });
      await calls.change(mine.id, rule({ name: 'mine', value: 95_000, options }));
      await owner.untilNotified();
    });
    await expect.poll(fires).toEqual([early.id]);
    await owner.settled();
    await publishQuotes(s, { bitcoin: 96_000 });
    await expect.poll(fires).toEqual([early.id, mine.id]);
  });

  test('a storm is detected by the time its values were judged, however long writing is delayed', async () => {
    const levels = Array.from({ length: 15 }, (_, i) => 90_000 + i);
    for (const value of levels) await add({ name: `level ${value}`, value });
    await owner.settled();
    await owner.withWritesBlocked(async () => {
      await publishQuotes(s, { bitcoin: 91_000 });
      await owner.untilLocked(1);
      s.advance(10 * 60_000);
      // A batch that is being written is written again with its original time.
      await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database()
        and application_name = 'meridian' and wait_event_type = 'Lock'`.execute(s.product.market.ctx.db);
      await owner.untilLocked(1);
    });
    await expect.poll(async () => (await readAlerts(s, ann.id)).at(-1)?.type).toBe('RULES_PAUSED');
    const said = (await readAlerts(s, ann.id)).at(-1)?.message;
    expect(said).toContain('The 15 rules that fired are paused. Rearm them under Custom Alerts');
  });
});

test('a batch whose commit succeeded without acknowledgement is not counted again on retry', async () => {
  const { id } = await add({ value: 90_000 });
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
  expect(await readAlerts(s, ann.id)).toHaveLength(1);
  await writeBatch(ctx, 7, { epoch, number: 2 }, { ...batch, fires: [] });
  expect(await rowOf(id)).toMatchObject({ fires: 2 });
  const next = await takeShard(db(), 7, 'another', now);
  await expect(writeBatch(ctx, 7, { epoch, number: 3 }, batch)).rejects.toThrow(ShardLostError);
  await writeBatch(ctx, 7, { epoch: next, number: 1 }, { ...batch, fires: [] });
  expect(await rowOf(id)).toMatchObject({ fires: 3 });
  await sql`delete from alert_shards where shard = 7`.execute(db());
});

test('a rule whose time zone is no longer known is set aside, and the others continue', async () => {
  const lost = await add({ name: 'lost', value: 90_000 });
  const kept = await add({ name: 'kept', value: 90_000 });
  const schedule = { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '00:00', timeZone: 'Nowhere/Gone' };
  await sql`update alert_rules set options = jsonb_set(options, '{schedule}', ${JSON.stringify(schedule)}::jsonb) where id = ${lost.id}`.execute(
    db(),
  );
  await owner.takeOwnership();
  const epoch = await owner.epoch();
  await publishQuotes(s, { bitcoin: 91_000 });
  await expect.poll(fires, patient).toEqual([kept.id]);
  await owner.settled();
  expect(await owner.epoch()).toBe(epoch);
  const reported = await db().selectFrom('error_logs').select('message').execute();
  expect(reported.map(({ message }) => message)).toContain(`Rule ${lost.id} cannot be evaluated`);
});
