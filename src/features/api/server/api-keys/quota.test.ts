import fc from 'fast-check';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApiKey } from '#features/api/contract/api-keys.ts';
import { AppError } from '#kernel/errors.ts';
import { openListener } from '#kernel/listener.ts';
import { makeKey } from '#tests/support/api-fixture.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { grantPlan, registerUser, type TestUser } from '#tests/support/people.ts';
import { savePreferences } from '#tests/support/preferences.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import { requestUnits } from './quota.ts';
import { type ApiKeys, createApiKeys } from './service.ts';

const LIMIT = 20;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2027-01-01T12:00:00Z');

let s: TestProduct;
const processes: ApiKeys[] = [];
const endings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  s = await start({ env: { API_CALLS_PER_DAY_PRO: String(LIMIT), API_BURST_PER_SECOND: '0' } });
  for (let i = 0; i < 3; i++) {
    const listener = await openListener(s.connection, () => undefined);
    const each = createApiKeys({ ...s.product.auth.ctx, listener });
    await each.start();
    processes.push(each);
    endings.push(each.stop, listener.close);
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  for (const end of endings) await end();
  await s.stop();
});

let count = 0;
async function owner(plan: 'pro' | 'premium' | 'admin' = 'pro'): Promise<{ who: TestUser; key: ApiKey }> {
  count += 1;
  const who = await registerUser(s, `owner${count}`, plan);
  return { who, key: await makeKey(who) };
}

/** 200, or the status of the refusal. */
async function callAt(each: ApiKeys | undefined, key: ApiKey): Promise<number> {
  try {
    await each?.gate.admit({ 'x-api-key': key.api_key }, 'market');
    return 200;
  } catch (error) {
    if (error instanceof AppError) return error.status;
    throw error;
  }
}
async function callTimes(times: number, key: ApiKey, each = processes[0]): Promise<number> {
  const statuses = await Promise.all(Array.from({ length: times }, () => callAt(each, key)));
  return statuses.filter((status) => status === 200).length;
}
const settleAll = () => Promise.all(processes.map(({ settle }) => settle()));
const days = ({ id }: TestUser) =>
  s.product.auth.ctx.db
    .selectFrom('api_days')
    .select(['day', 'spent', 'leased', 'refused'])
    .where('user_id', '=', id)
    .orderBy('day')
    .execute();
const usageOf = async ({ id }: ApiKey) =>
  (
    await s.product.auth.ctx.db
      .selectFrom('api_keys')
      .select('usage_count')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).usage_count;

describe('the daily call quota', () => {
  test('with any processes and clock drift: never exceeds the limit, and rejects none below it', async () => {
    const { who, key } = await owner();
    let run = 0;
    const calls = fc.array(fc.nat(2), { minLength: 1, maxLength: 16 }).map((at) => ({ at }));
    const move = fc
      .constantFrom(-DAY_MS, -3_600_000, 61_000, 3_600_000, 11.99 * 3_600_000, DAY_MS)
      .map((by) => ({ by }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: calls }, { weight: 1, arbitrary: move }), { maxLength: 12 }),
        async (steps) => {
          run += 1;
          s.clock.set(new Date(FIRST_DAY + run * 30 * DAY_MS));
          const answered = new Map<string, number>();
          for (const step of steps) {
            if ('by' in step) {
              s.advance(step.by);
              continue;
            }
            const day = s.clock.now().toISOString().slice(0, 10);
            const statuses = await Promise.all(step.at.map((n) => callAt(processes[n], key)));
            const before = answered.get(day) ?? 0;
            const good = statuses.filter((status) => status === 200).length;
            expect(good).toBe(Math.min(step.at.length, LIMIT - before));
            answered.set(day, before + good);
          }
        },
      ),
      { numRuns: Math.min(20, Number(process.env['RUNS'] ?? 12)) },
    );
    await settleAll();
    await expect.poll(async () => (await days(who)).reduce((sum, { leased }) => sum + leased, 0)).toBe(0);
    const rows = await days(who);
    expect(Math.max(...rows.map(({ spent }) => spent))).toBeLessThanOrEqual(LIMIT);
    expect(await usageOf(key)).toBe(rows.reduce((sum, { spent }) => sum + spent, 0));
  });

  test('units idle in one process are returned when another needs them, and after an idle second', async () => {
    const { who, key } = await owner();
    expect(await callTimes(1, key, processes[0])).toBe(1);
    expect(await callTimes(1, key, processes[1])).toBe(1);
    expect(await callTimes(LIMIT, key, processes[2])).toBe(LIMIT - 2);
    const rested = await owner();
    expect(await callTimes(1, rested.key)).toBe(1);
    await expect.poll(() => days(rested.who)).toMatchObject([{ spent: 1, leased: 0 }]);
    await settleAll();
    expect(await days(who)).toMatchObject([{ spent: LIMIT, leased: 0 }]);
  });

  test('a busy process immediately returns units that another one requests', async () => {
    const { who, key } = await owner('premium');
    expect(await callTimes(1, key)).toBe(1);
    const busy = setInterval(() => void callAt(processes[0], key), 400);
    const { db } = s.product.auth.ctx;
    await requestUnits(db, { user: who.id, day: s.clock.now().toISOString().slice(0, 10), from: 'another' });
    const leased = async () => (await days(who))[0]?.leased;
    // Its units would last for 3 seconds.
    await expect
      .poll(leased, { timeout: 2500, interval: 20 })
      .toBe(0)
      .finally(() => clearInterval(busy));
  });

  test('at midnight UTC, units of the old day are not used for the new one', async () => {
    const { who, key } = await owner();
    s.clock.set(new Date('2030-12-31T23:59:59.999Z'));
    expect(await callTimes(3, key)).toBe(3);
    s.advance(1);
    expect(await callTimes(LIMIT + 1, key)).toBe(LIMIT);
    s.advance(-1);
    expect(await callTimes(LIMIT, key)).toBe(LIMIT - 3);
    await expect
      .poll(async () => (await days(who)).map(({ day, spent, leased }) => [day, spent, leased]))
      .toEqual([
        ['2030-12-31', LIMIT, 0],
        ['2031-01-01', LIMIT, 0],
      ]);
  });

  test('Premium+ downgrades to Pro: units leased under the higher limit are not used', async () => {
    const { who, key } = await owner('premium');
    expect(await callTimes(LIMIT - 1, key)).toBe(LIMIT - 1);
    await grantPlan(s, who.id, 'pro');
    processes[0]?.keys.forget(who.id);
    expect(await callTimes(5, key)).toBe(1);
    await settleAll();
    expect(await days(who)).toMatchObject([{ spent: LIMIT, leased: 0 }]);
  });
});

describe('when the database fails', () => {
  /** Makes commits of counts fail: their response is lost, or they never happen. */
  function loseCommits(isMade: boolean): { stop: () => void; lost: () => number } {
    let lost = 0;
    const settling = new WeakSet<object>();
    const prototype = pg.Client.prototype as unknown as { query: (...all: unknown[]) => Promise<unknown> };
    const { query } = prototype;
    vi.spyOn(prototype, 'query').mockImplementation(async function spied(this: object, ...given: unknown[]) {
      const [asked] = given as [{ text?: string } | string];
      const text = typeof asked === 'string' ? asked : (asked.text ?? '');
      if (text.includes('insert into api_days as d')) settling.add(this);
      if (text.toLowerCase() === 'commit' && settling.delete(this)) {
        lost += 1;
        await query.call(this, isMade ? 'commit' : 'rollback');
        throw new Error('Connection terminated unexpectedly');
      }
      return query.apply(this, given);
    });
    return { stop: () => void vi.restoreAllMocks(), lost: () => lost };
  }

  test.each([
    ['its answer is lost', true],
    ['it was not made', false],
  ])('a commit fails and %s: every call is counted once', async (_, isMade) => {
    const { who, key } = await owner();
    const failing = loseCommits(isMade);
    expect(await callTimes(5, key)).toBe(5);
    await expect.poll(failing.lost).toBeGreaterThan(0);
    expect(await callTimes(2, key)).toBe(2);
    failing.stop();
    await processes[0]?.settle();
    await processes[0]?.settle();
    expect(await days(who)).toMatchObject([{ spent: 7 }]);
    expect(await usageOf(key)).toBe(7);
    expect(await callTimes(LIMIT, key)).toBe(LIMIT - 7);
  });

  test('stop() writes counted calls and returns idle units', async () => {
    const { who, key } = await owner();
    const listener = await openListener(s.connection, () => undefined);
    const last = createApiKeys({ ...s.product.auth.ctx, listener });
    await last.start();
    expect(await callTimes(3, key, last)).toBe(3);
    await last.stop();
    await listener.close();
    expect(await days(who)).toMatchObject([{ spent: 3, leased: 0 }]);
    expect(await usageOf(key)).toBe(3);
  });
});

describe('emails', () => {
  const mails = async ({ email }: TestUser) =>
    (await emailsTo(s, email))
      .filter(({ kind }) => kind.startsWith('api-'))
      .map(({ kind, subject }) => [kind, subject]);

  test('at 80% and at 100%, each once per day, whichever process settles', async () => {
    const { who, key } = await owner();
    s.clock.set(new Date('2031-02-01T12:00:00Z'));
    expect(await callTimes(15, key)).toBe(15);
    await settleAll();
    expect(await mails(who)).toEqual([]);
    expect(await callTimes(1, key, processes[1])).toBe(1);
    await settleAll();
    const near = ['api-limit-near', 'You have used 80% of your daily API calls'];
    await expect.poll(() => mails(who)).toEqual([near]);
    expect(await callTimes(9, key, processes[2])).toBe(4);
    await settleAll();
    const over = ['api-limit-reached', 'You have reached your daily API limit'];
    await expect.poll(() => mails(who)).toEqual([near, over]);
    await callTimes(5, key, processes[0]);
    await settleAll();
    expect(await mails(who)).toEqual([near, over]);
    const [mail] = await emailsTo(s, who.email).then((all) => all.filter(({ kind }) => kind === 'api-limit-reached'));
    expect(mail?.text).toContain('20 of 20 calls');
    expect(mail?.text).toContain('2031-02-01, UTC');
    expect(mail?.text).toContain('/app/profile?tab=api-keys');
    s.advance(DAY_MS);
    expect(await callTimes(LIMIT, key)).toBe(LIMIT);
    await settleAll();
    await expect.poll(() => mails(who)).toEqual([near, over, over]);
  });

  test('none to users who opted out, and none without a limit', async () => {
    const silent = await owner();
    await savePreferences(silent.who, { emailNotifications: false });
    const admin = await owner('admin');
    await callTimes(LIMIT, silent.key);
    await callTimes(LIMIT * 2, admin.key);
    await settleAll();
    expect([...(await mails(silent.who)), ...(await mails(admin.who))]).toEqual([]);
    expect(await days(admin.who)).toMatchObject([{ spent: LIMIT * 2, leased: 0 }]);
  });
});
