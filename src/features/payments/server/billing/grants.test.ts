import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { latestFacts, standingOf } from '#features/accounts/server/subscriptions/service.ts';
import { rankOfPerson, ranksAt } from '#features/notifications/server/notifications/store/plans.ts';
import { fileProduct } from '#tests/support/file-product.ts';
import { grantTo, takeBack } from '#tests/support/grants.ts';
import { mailsTo } from '#tests/support/mailbox.ts';
import { type Person, person } from '#tests/support/people.ts';
import { answerAt, DAY_MS, grantOf, grants } from '#tests/support/plan-grants.ts';
import { type Grant, periodsOf } from './plan-periods.ts';
import { periodsOfUser } from './service/grants.ts';

const HISTORIES = Math.ceil(Number(process.env['RUNS'] ?? 1000) / 100);
const RANK = { free: null, pro: 1, premium: 2 };

const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'off' } });

const db = () => s.product.billing.db;

/** What SQL takes a person's plan for when mails and alerts are sent. */
async function ranksOf(id: number, at: Date): Promise<(number | null)[]> {
  const { rows: many } = await sql<{ rank: number }>`select rank from (${ranksAt(at, sql`user_id = ${id}`)}) r`.execute(
    db(),
  );
  const { rows: one } = await sql<{ rank: number | null }>`select r.rank from users u
    cross join lateral (${rankOfPerson(at)}) r where u.id = ${id}`.execute(db());
  return [many[0]?.rank ?? null, one[0]?.rank ?? null];
}

describe('grants as every check reads them', () => {
  test('whatever is granted and taken back, ledger and SQL say at any moment what the periods say', async () => {
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
          for (const grant of own) await grantTo(s, { id }, { ...grant, at: grant.goodAt });
          const kept = new Set<Grant>(own);
          for (const index of back) {
            const gone = own[index % own.length] as Grant;
            expect(await takeBack(s, { id }, gone.source)).toBe(kept.delete(gone));
          }
          expect(await periodsOfUser(db(), id)).toEqual(periodsOf(kept));
          const known = Math.max(...own.map(({ goodAt }) => goodAt.getTime()));
          for (const at of [known, known + later, known + 10 * later]) {
            const answer = answerAt(periodsOf(kept), at);
            const { plan, status } = await standingOf(db(), id, new Date(at));
            expect({ plan, isGrace: status === 'grace' }).toEqual(answer);
            expect(await ranksOf(id, new Date(at))).toEqual([RANK[answer.plan], RANK[answer.plan]]);
          }
        },
      ),
      { numRuns: HISTORIES },
    );
  }, 600_000);

  test('a source is granted once, also when it comes twice at the same moment, and is taken back once', async () => {
    const { id } = await rowOf('twice');
    const grant = { ...grantOf({ at: s.clock.now().getTime() }), source: 'stripe:invoice:in_1' };
    await Promise.all([grantTo(s, { id }, grant), grantTo(s, { id }, grant)]);
    expect(await periodsOfUser(db(), id)).toHaveLength(1);
    expect(await latestFacts(db(), id)).toHaveLength(2);
    expect([await takeBack(s, { id }, grant.source), await takeBack(s, { id }, grant.source)]).toEqual([true, false]);
    expect(await takeBack(s, { id }, 'wallet:nothing')).toBe(false);
    expect((await standingOf(db(), id, s.clock.now())).plan).toBe('free');
    expect((await mailsTo(s, 'twice@people.example')).map(({ kind }) => kind)).toEqual(['plan-started']);
  });

  test('what comes for an account that was deleted is kept, and nothing fails', async () => {
    const gone = await person(s, 'gone');
    await grantTo(s, gone, { source: 'stripe:invoice:gone_1' });
    await db().deleteFrom('users').where('id', '=', gone.id).execute();
    await grantTo(s, gone, { source: 'stripe:invoice:gone_2' });
    expect(await periodsOfUser(db(), gone.id)).toHaveLength(2);
    expect(await mailsTo(s, gone.email)).toHaveLength(1);
  });
});

describe('what was bought is told by mail', () => {
  test('once for each purchase, with its price and time, gifts and trials are not', async () => {
    const ann = await person(s, 'ann');
    await grantTo(s, ann, { source: 'stripe:invoice:ann', months: 3, units: 85_470_000n });
    await grantTo(s, ann, { plan: 'pro' });
    await grantTo(s, ann, { source: 'admin:7', units: 0n });
    const mails = await mailsTo(s, ann.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Pro is active', 'Pro is paid']);
    expect(mails[0]?.text).toContain('85.47 USD, by card');
    expect(mails[0]?.text).toContain('20 Feb 2027, 12:00:00 UTC');
    expect(mails[1]?.text).toContain('29.99 USD, by USDC');
    expect(mails[1]?.text).toContain('20 Mar 2027, 12:00:00 UTC');
  });
});

describe('access', () => {
  const status = async (each: Person, product = s.product) => {
    const headers = { authorization: `Bearer ${each.token}` };
    return (await product.app.inject({ url: '/api/alerts/thresholds', headers })).statusCode;
  };

  test('follows a grant, its end and its return at once, in another process too', async () => {
    const other = await s.another();
    const ben = await person(s, 'ben');
    expect([await status(ben), await status(ben, other)]).toEqual([403, 403]);
    const source = await grantTo(s, ben);
    await expect.poll(() => status(ben, other)).toBe(200);
    expect(await status(ben)).toBe(200);
    await takeBack(s, ben, source);
    await expect.poll(() => status(ben, other)).toBe(403);
    expect(await status(ben)).toBe(403);
  });
});

/** An account without its sign-up: many are made. */
async function rowOf(name: string): Promise<{ id: number }> {
  const created_at = s.clock.now().toISOString();
  const row = { email: `${name}@people.example`, password_hash: '', created_at };
  return db().insertInto('users').values(row).returning('id').executeTakeFirstOrThrow();
}
