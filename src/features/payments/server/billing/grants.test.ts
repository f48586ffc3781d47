import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { addFact, latestFacts, readPlanStatus } from '#features/accounts/server/subscriptions/service.ts';
import { ranksAt, selectPlanRank } from '#features/notifications/server/notifications/store/audience.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { createGrant, DAY_MS, expectedPlanAt, grants, insertGrant, undoGrant } from '#tests/support/grants.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { rule, rulesApi } from '#tests/support/own-rules.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { NOON } from '#tests/support/start.ts';
import { computePeriods, type Grant } from './plan-periods.ts';
import { readPeriods } from './service/grants.ts';

const HISTORIES = Math.ceil(Number(process.env['RUNS'] ?? 1000) / 100);
const HOUR_MS = 3_600_000;
const RANK = { free: null, pro: 1, premium: 2 };

const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'off' } });
beforeAll(() => s.job('market.listing'));

const db = () => s.product.billing.db;

/** The plan of a user according to SQL, when emails and alerts are sent. */
async function ranksOf(id: number, at: Date): Promise<(number | null)[]> {
  const { rows: many } = await sql<{ rank: number }>`select rank from (${ranksAt(at, sql`user_id = ${id}`)}) r`.execute(
    db(),
  );
  const { rows: one } = await sql<{ rank: number | null }>`select r.rank from users u
    cross join lateral (${selectPlanRank(at)}) r where u.id = ${id}`.execute(db());
  return [many[0]?.rank ?? null, one[0]?.rank ?? null];
}

describe('grants as seen by every check', () => {
  test('for any grants and revocations, ledger and SQL match the periods at every moment', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        grants,
        fc.array(fc.nat(7), { maxLength: 3 }),
        fc.nat(90 * DAY_MS),
        async (list, back, later) => {
          round += 1;
          const { id } = await rowOf(`p${round}`);
          const own = list.map((each) => ({ ...each, source: `${each.source}:${round}` }));
          for (const grant of own) await insertGrant(s, { id }, { ...grant, at: grant.goodAt });
          const kept = new Set<Grant>(own);
          for (const index of back) {
            const gone = own[index % own.length] as Grant;
            expect(await undoGrant(s, { id }, gone.source)).toBe(kept.delete(gone));
          }
          expect(await readPeriods(db(), id)).toEqual(computePeriods(kept));
          const known = Math.max(...own.map(({ goodAt }) => goodAt.getTime()));
          for (const at of [known, known + later, known + 10 * later]) {
            const answer = expectedPlanAt(computePeriods(kept), at);
            const { plan, status } = await readPlanStatus(db(), id, new Date(at));
            expect({ plan, isGrace: status === 'grace' }).toEqual(answer);
            expect(await ranksOf(id, new Date(at))).toEqual([RANK[answer.plan], RANK[answer.plan]]);
          }
        },
      ),
      { numRuns: HISTORIES },
    );
  }, 600_000);

  test('a source is granted once, even when delivered twice concurrently, and is revoked once', async () => {
    const { id } = await rowOf('twice');
    const grant = { ...createGrant({ at: s.clock.now().getTime() }), source: 'stripe:invoice:in_1' };
    await Promise.all([insertGrant(s, { id }, grant), insertGrant(s, { id }, grant)]);
    expect(await readPeriods(db(), id)).toHaveLength(1);
    expect(await latestFacts(db(), id)).toHaveLength(2);
    expect([await undoGrant(s, { id }, grant.source), await undoGrant(s, { id }, grant.source)]).toEqual([true, false]);
    expect(await undoGrant(s, { id }, 'wallet:nothing')).toBe(false);
    expect((await readPlanStatus(db(), id, s.clock.now())).plan).toBe('free');
    expect((await emailsTo(s, 'twice@people.example')).map(({ kind }) => kind)).toEqual(['plan-started']);
  });

  test('a grant for a deleted account is stored, and nothing fails', async () => {
    const gone = await registerUser(s, 'gone');
    await insertGrant(s, gone, { source: 'stripe:invoice:gone_1' });
    await db().deleteFrom('users').where('id', '=', gone.id).execute();
    await insertGrant(s, gone, { source: 'stripe:invoice:gone_2' });
    expect(await readPeriods(db(), gone.id)).toHaveLength(2);
    expect(await emailsTo(s, gone.email)).toHaveLength(1);
  });
});

describe('purchases are confirmed by email', () => {
  test('once per purchase, with its price and time; gifts and trials are not', async () => {
    const ann = await registerUser(s, 'ann');
    await insertGrant(s, ann, { source: 'stripe:invoice:ann', months: 3, units: 85_470_000n });
    await insertGrant(s, ann, { plan: 'pro' });
    await insertGrant(s, ann, { source: 'admin:7', units: 0n });
    const mails = await emailsTo(s, ann.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Pro is active', 'Pro is paid for']);
    expect(mails[0]?.text).toContain('85.47 USD, by card');
    expect(mails[0]?.text).toContain('20 Feb 2027, 12:00:00 UTC');
    expect(mails[1]?.text).toContain('29.99 USD, by USDC');
    expect(mails[1]?.text).toContain('20 Mar 2027, 12:00:00 UTC');
  });
});

describe('access', () => {
  const status = async (each: TestUser, product = s.product) => {
    const headers = { authorization: `Bearer ${each.token}` };
    return (await product.app.inject({ url: '/api/alerts/thresholds', headers })).statusCode;
  };

  test('follows a grant, its end and its return immediately, also in another process', async () => {
    const other = await s.another();
    const ben = await registerUser(s, 'ben');
    expect([await status(ben), await status(ben, other)]).toEqual([403, 403]);
    const source = await insertGrant(s, ben);
    await expect.poll(() => status(ben, other)).toBe(200);
    expect(await status(ben)).toBe(200);
    await undoGrant(s, ben, source);
    await expect.poll(() => status(ben, other)).toBe(403);
    expect(await status(ben)).toBe(403);
  });
});

/** An account without sign-up, as many are needed. */
async function rowOf(name: string): Promise<{ id: number }> {
  const created_at = s.clock.now().toISOString();
  const row = { email: `${name}@people.example`, password_hash: '', created_at };
  return db().insertInto('users').values(row).returning('id').executeTakeFirstOrThrow();
}

/** Subjects of the notices over some days, with the day; checked once per day. */
async function noticesOver(days: number, people: TestUser[]): Promise<string[][]> {
  const began = s.clock.now().getTime();
  const told = people.map(() => [] as string[]);
  const counts = await Promise.all(people.map(async ({ email }) => (await emailsTo(s, email)).length));
  for (let hours = 0; hours <= days * 24; hours += 24) {
    s.clock.set(new Date(began + hours * HOUR_MS));
    await s.product.scheduler.runManually('billing.notices');
    for (const [i, { email }] of people.entries()) {
      const mails = await emailsTo(s, email);
      for (const { subject } of mails.slice(counts[i])) told[i]?.push(`${hours / 24}: ${subject}`);
      counts[i] = mails.length;
    }
  }
  return told;
}

describe('plan expiry notices', () => {
  test('each is sent once: a week and a day before, at its end with the grace, and when the grace is over', async () => {
    s.clock.set(NOON);
    const art = await registerUser(s, 'art');
    const bud = await registerUser(s, 'bud');
    const cat = await registerUser(s, 'cat');
    await insertGrant(s, art);
    await insertGrant(s, bud, { plan: 'premium' });
    await insertGrant(s, bud, { plan: 'pro' });
    await insertGrant(s, cat, { plan: 'premium', months: 3 });
    expect(await noticesOver(45, [art, bud, cat])).toEqual([
      [
        '23: Pro ends in 7 days',
        '29: Pro ends within a day',
        '30: Pro has ended (three-day grace period)',
        '33: Pro has ended',
      ],
      [],
      [],
    ]);
  });

  test('a trial: two days before its end and at its end; a plan bought meanwhile stops the notices', async () => {
    const [dan, eve] = [await registerUser(s, 'dan'), await registerUser(s, 'eve')];
    for (const each of [dan, eve]) expect((await each.post('/api/subscribe/trial', {})).statusCode).toBe(200);
    await insertGrant(s, eve);
    expect(await noticesOver(20, [dan, eve])).toEqual([
      ['5: Your Pro trial ends in 2 days', '7: Your Pro trial has ended'],
      [],
    ]);
  });

  test('a renewal after the first notice restarts them for the new end', async () => {
    const fay = await registerUser(s, 'fay');
    await insertGrant(s, fay);
    await noticesOver(25, [fay]);
    await insertGrant(s, fay);
    const [told] = await noticesOver(45, [fay]);
    expect(told?.map((each) => each.split(': ')[1])).toEqual([
      'Pro ends in 7 days',
      'Pro ends within a day',
      'Pro has ended (three-day grace period)',
      'Pro has ended',
    ]);
  });

  test('none to users an administrator has upgraded, and none for plans that ended long ago', async () => {
    const [gus, hal] = [await registerUser(s, 'gus'), await registerUser(s, 'hal')];
    const { db } = s.product.billing;
    const at = s.clock.now();
    await addFact(db, {
      userId: gus.id,
      source: 'admin',
      plan: 'premium',
      startsAt: at,
      endsAt: null,
      at,
      createdBy: null,
      note: '',
    });
    await insertGrant(s, gus);
    await insertGrant(s, hal, { goodAt: new Date(at.getTime() - 60 * DAY_MS) });
    expect(await noticesOver(40, [gus, hal])).toEqual([[], []]);
  });

  test('of two concurrent workers one sends', async () => {
    const ida = await registerUser(s, 'ida');
    await insertGrant(s, ida, { goodAt: new Date(s.clock.now().getTime() - 25 * DAY_MS) });
    const other = await s.another();
    await Promise.all([s.product, other, s.product].map((each) => each.scheduler.runManually('billing.notices')));
    expect((await emailsTo(s, ida.email)).filter(({ kind }) => kind === 'plan-ends')).toHaveLength(1);
  });
});

test('a plan works through its grace, then is free: rules are paused, not deleted, and return with renewal', async () => {
  // A month of 30 days.
  s.clock.set(NOON);
  const art = await registerUser(s, 'amy');
  const calls = rulesApi(s, art);
  const paused = async () => {
    await s.job('alerts.plans');
    const rows = await s.product.billing.db
      .selectFrom('alert_rules')
      .select(['name', 'paused'])
      .where('user_id', '=', art.id)
      .orderBy('position')
      .execute();
    return rows.map(({ name, paused: by }) => `${name}: ${by}`);
  };
  const standing = async () => {
    const { plan, status, needsRenewal, expiredAt, daysUntilExpiry } = (await art.get('/api/subscription')).json();
    return { plan, status, needsRenewal, expiredAt, daysUntilExpiry };
  };
  await insertGrant(s, art);
  const end = '2026-12-20T12:00:00.000Z';
  await calls.save([rule({ name: 'one' }), rule({ name: 'two', value: 91_000 })]);
  expect(await paused()).toEqual(['one: null', 'two: null']);

  s.advance(24 * DAY_MS);
  const near = { plan: 'pro', status: 'active', needsRenewal: true, expiredAt: null, daysUntilExpiry: 6 };
  expect(await standing()).toEqual(near);
  // The session is extended after the response: six days later it would have ended.
  const seen = s.product.billing.db.selectFrom('sessions').select('seen_at').where('user_id', '=', art.id);
  const seenAt = async () => Date.parse((await seen.executeTakeFirstOrThrow()).seen_at);
  await expect.poll(seenAt).toBe(s.clock.now().getTime());
  s.advance(6 * DAY_MS);
  const over = { needsRenewal: true, expiredAt: end, daysUntilExpiry: null };
  expect(await standing()).toEqual({ plan: 'pro', status: 'grace', ...over });
  expect(await paused()).toEqual(['one: null', 'two: null']);
  expect((await calls.list()).map(({ name }) => name)).toEqual(['one', 'two']);

  s.advance(3 * DAY_MS);
  expect(await standing()).toEqual({ plan: 'free', status: 'expired', ...over });
  expect((await calls.ask('GET', '')).statusCode).toBe(403);
  expect(await paused()).toEqual(['one: plan', 'two: plan']);

  await insertGrant(s, art, { months: 3 });
  await expect.poll(async () => (await calls.ask('GET', '')).statusCode).toBe(200);
  expect(await standing()).toMatchObject({ plan: 'pro', status: 'active', needsRenewal: false, expiredAt: null });
  expect(await paused()).toEqual(['one: null', 'two: null']);
  expect((await calls.list()).map(({ name }) => name)).toEqual(['one', 'two']);
});
