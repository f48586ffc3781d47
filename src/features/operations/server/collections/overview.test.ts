import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFact, countPlans, readPlanStatuses, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import { COLLECTIONS, getOverview, type Overview } from '#features/operations/contract/collections.ts';
import { listCollections, readOverview } from '#features/operations/server/collections/service.ts';
import { type Database, openDatabase } from '#kernel/db.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { NOON, start, type TestProduct } from '#tests/support/start.ts';

const DAY_MS = 86_400_000;

let s: TestProduct;
let admin: TestUser;
let other: Database;
beforeAll(async () => {
  s = await start();
  other = openDatabase(s.connection, () => undefined, 2);
  admin = await registerUser(s, 'admin', 'admin');
});
afterAll(async () => {
  await other?.close();
  await s?.stop();
});

const read = async (): Promise<Overview> => getOverview.reply.parse((await admin.get('/api/admin/overview')).json());
const collectionsContext = () => {
  const { now, log, report } = s.product.auth.ctx;
  const { reads, analysis } = s.product.thresholds.ctx;
  return { db: other.db, now, log, report, reads, analysis };
};
const ago = (ms: number) => new Date(NOON.getTime() - ms).toISOString();

describe('GET /api/admin/overview', () => {
  test('200: a new installation has one account and no open issues', async () => {
    expect(await read()).toEqual({
      at: NOON.toISOString(),
      collections: COLLECTIONS.map((collection) => ({
        collection,
        count: collection === 'users' ? 1 : 0,
        estimated: false,
      })),
      signUps: ['14', '15', '16', '17', '18', '19', '20'].map((day) => ({
        day: `2026-11-${day}`,
        count: day === '20' ? 1 : 0,
      })),
      plans: { free: 0, pro: 0, premium: 0, admin: 1 },
      errors: { api_failure: 0, data_collection: 0, authentication: 0, system: 0, other: 0 },
      failedJobs: 0,
      failedDeliveries: 0,
      failedMails: 0,
      unreadMessages: 0,
      suspense: { count: 0, usd: '0.00' },
    });
  });

  test('200: sign-ups by UTC day, plans in use, errors of 24 hours, failed and pending work', async () => {
    const { db } = other;
    await registerUser(s, 'ann', 'pro');
    await registerUser(s, 'bo', 'premium');
    await sql`insert into users (email, password_hash, created_at) values
      ('six@people.example', '-', '2026-11-14T00:00:00Z'), ('seven@people.example', '-', '2026-11-13T23:59:59Z'),
      ('last@people.example', '-', '2026-11-19T23:59:59Z')`.execute(db);
    await sql`insert into error_groups (fingerprint, source, type, message, first_seen, last_seen, count, resolved_at) values
      ('1', 'a', 'system', 'one', ${ago(DAY_MS - 1000)}, ${ago(DAY_MS - 1000)}, 7, null),
      ('2', 'a', 'system', 'two', ${ago(9 * DAY_MS)}, ${ago(0)}, 1, null),
      ('3', 'a', 'api_failure', 'three', ${ago(60_000)}, ${ago(60_000)}, 1, null),
      ('4', 'a', 'api_failure', 'settled', ${ago(60_000)}, ${ago(60_000)}, 1, ${ago(0)}),
      ('5', 'a', 'other', 'old', ${ago(DAY_MS + 1000)}, ${ago(DAY_MS + 1000)}, 1, null)`.execute(db);
    const [{ rows: jobs }] = [
      await sql<{ name: string }>`select name from pgboss.queue order by name limit 1`.execute(db),
    ];
    await sql`insert into pgboss.job (name, state, completed_on) values
      (${jobs[0]?.name}, 'failed', now()), (${jobs[0]?.name}, 'failed', now() - interval '25 hours'), (${jobs[0]?.name}, 'completed', now())`.execute(
      db,
    );
    await sql`insert into contact_messages (name, email, subject, message, status, created_at) values
      ('Ann', 'ann@example.com', 'Help', 'Please do help me', 'new', ${ago(0)}),
      ('Ann', 'ann@example.com', 'Help', 'Please do help me', 'settled', ${ago(0)})`.execute(db);
    await sql`insert into mail_outbox (address, subject, kind, body, state, created_at) values
      ('ann@example.com', 'Hello', 'test', null, 'failed', ${ago(0)})`.execute(db);
    await sql`insert into usdc_deposits (network, tx, idx, block, block_hash, at, token, sender, units, state, is_credited, owner_id, seen_at) values
      ('base', 'one', 0, 1, 'b', ${ago(0)}, 't', 's', 12500000, 'final', true, null, ${ago(0)}),
      ('base', 'two', 0, 1, 'b', ${ago(0)}, 't', 's', 500000, 'final', true, null, ${ago(0)}),
      ('base', 'hers', 0, 1, 'b', ${ago(0)}, 't', 's', 500000, 'final', true, 2, ${ago(0)}),
      ('base', 'seen', 0, 1, 'b', ${ago(0)}, 't', 's', 500000, 'seen', false, null, ${ago(0)})`.execute(db);
    const overview = await read();
    expect(overview.signUps.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 1, 3]);
    expect(overview).toMatchObject({
      plans: { free: 3, pro: 1, premium: 1, admin: 1 },
      errors: { api_failure: 1, data_collection: 0, authentication: 0, system: 2, other: 0 },
      failedJobs: 1,
      failedDeliveries: 0,
      failedMails: 1,
      unreadMessages: 1,
      suspense: { count: 2, usd: '13.00' },
    });
    expect(overview.collections.find(({ collection }) => collection === 'users')?.count).toBe(6);
  });

  test('200: counts a failed delivery', async () => {
    await sql`insert into notification_events (dedupe_key, kind, severity, payload, created_at)
      values ('one', 'test', 'low', '{}', ${ago(0)}), ('two', 'test', 'low', '{}', ${ago(0)})`.execute(other.db);
    await sql`insert into notification_deliveries (event_id, user_id, channel, lane, state, due_at, queued_at, created_at)
      select id, ${admin.id}, 'email', 0, case dedupe_key when 'one' then 'failed' else 'sent' end, ${ago(0)}, ${ago(0)}, ${ago(0)}
      from notification_events where dedupe_key in ('one', 'two')`.execute(other.db);
    expect((await read()).failedDeliveries).toBe(1);
  });
});

test('plans in use: for any payment facts, counted in one query that matches the ledger per account', async () => {
  const people = [await registerUser(s, 'p1'), await registerUser(s, 'p2'), await registerUser(s, 'p3')];
  const day = fc.integer({ min: -5, max: 5 });
  const fact = fc.record({
    userId: fc.constantFrom(...people.map(({ id }) => id)),
    source: fc.constantFrom('admin', 'grant:1', 'grace'),
    plan: fc.constantFrom('free' as const, 'pro' as const, 'premium' as const),
    startsAt: day,
    endsAt: fc.option(day),
  });
  const at = s.clock.now();
  const on = (days: number) => new Date(at.getTime() + days * DAY_MS);
  await fc.assert(
    fc.asyncProperty(fc.array(fact, { maxLength: 6 }), async (facts) => {
      await other.db
        .transaction()
        .execute(async (tx) => {
          for (const { startsAt, endsAt, ...rest } of facts)
            await addFact(tx, {
              ...rest,
              startsAt: on(startsAt),
              endsAt: endsAt === null ? null : on(endsAt),
              at,
              createdBy: null,
              note: '',
            });
          const all = await tx.selectFrom('users').select(['id', 'role']).execute();
          const standings = await readPlanStatuses(
            tx,
            all.map(({ id }) => id),
            at,
          );
          const counts = { free: 0, pro: 0, premium: 0, admin: 0 };
          for (const { id, role } of all) counts[resolvePlan(role, standings.get(id)!)] += 1;
          expect(await countPlans(tx, at)).toEqual(counts);
          throw new Error('undo');
        })
        .catch((error: Error) => {
          if (error.message !== 'undo') throw error;
        });
    }),
    { numRuns: 40 },
  );
});

test('aborts the work for a disconnected caller', async () => {
  let counted = 0;
  const ctx = { ...collectionsContext(), hasLeft: () => counted++ === 2 };
  await expect(readOverview(ctx)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(listCollections({ ...ctx, hasLeft: () => true }, {})).rejects.toMatchObject({ code: 'unavailable' });
  expect(counted).toBe(3);
});
