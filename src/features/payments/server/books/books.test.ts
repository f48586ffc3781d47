import { beforeAll, describe, expect, test } from 'vitest';
import type { Books, ListedPayments } from '#features/payments/contract/books.ts';
import { creditAccount, post } from '#features/payments/server/billing/service.ts';
import { filePaying } from '#tests/support/paying.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';

const p = filePaying();
let admin: TestUser;
let ann: TestUser;
const db = () => p.db;
const iso = (minutes = 0) => new Date(p.s.clock.now().getTime() + minutes * 60_000).toISOString();

beforeAll(async () => {
  admin = await registerUser(p.s, 'admin', 'admin');
  ann = await registerUser(p.s, 'ann');
});

/** Creates a deposit nobody requested. */
async function unowned(tx: string, step: 'finalize' | 'confirm') {
  p.solana.pay(null, 12_500_000n, { tx });
  p.solana[step]();
  await p.watch('solana');
}

const books = async () => (await admin.get('/api/admin/books')).json<Books>();

describe('POST /api/admin/credits', () => {
  test('200: the balance grows, the ledger stays balanced, and the audit log records user and reason', async () => {
    const before = await books();
    const body = { email: 'ANN@people.example', amount: '5.5', note: 'Sorry for the outage' };
    const answer = await admin.post('/api/admin/credits', body);
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, credit: '5.50' }]);
    expect(await books()).toMatchObject({
      credit: '5.50',
      goodwill: '5.50',
      difference: '0.00',
      revenue: before.revenue,
    });
    const log = await db().selectFrom('audit_log').selectAll().where('action', '=', 'credit.add').execute();
    expect(log).toMatchObject([
      { actor_id: admin.id, subject_id: ann.id, details: { amount: '5.50', note: 'Sorry for the outage' } },
    ]);
  });

  test.each([
    [{ email: 'nobody@people.example', amount: '1', note: 'why' }, 404, 'No account with this email address'],
    [{ email: 'ann@people.example', amount: '-1', note: 'why' }, 400, 'Enter an amount in US dollars, such as 29.99'],
    [{ email: 'ann@people.example', amount: '0.00', note: 'why' }, 400, 'Enter an amount other than zero'],
    [{ email: 'ann@people.example', amount: '1', note: ' ' }, 400, 'Enter a short reason'],
    [{ email: 'ann', amount: '1', note: 'why' }, 400, 'Please enter a valid email address'],
  ])('%j: %i', async (body, status, error) => {
    const before = await books();
    const answer = await admin.post('/api/admin/credits', body);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([status, error]);
    expect(await books()).toEqual(before);
  });

  test('403: a stale sign-in requires a fresh proof first, and nothing is written', async () => {
    const before = await books();
    p.s.advance(16 * 60_000);
    const answer = await admin.post('/api/admin/credits', { email: 'ann@people.example', amount: '1', note: 'why' });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'reauthentication_required']);
    expect(await books()).toEqual(before);
    await admin.post('/api/auth/reauthenticate', { password: 'Three-Rivers-29!' });
  });
});

describe('unmatched deposits', () => {
  test('200: lists it with its claimants, assigns it to an account once, and closes the claims', async () => {
    await unowned('tx-one', 'finalize');
    const claim = {
      network: 'solana' as const,
      tx: 'tx-one',
      wallet: 'w',
      message: 'm',
      proof: '',
      state: 'waiting' as const,
    };
    const bob = await registerUser(p.s, 'bob');
    await db()
      .insertInto('usdc_claims')
      .values([
        { ...claim, user_id: ann.id, created_at: iso() },
        { ...claim, user_id: bob.id, created_at: iso() },
      ])
      .execute();
    const listed = (await admin.get('/api/admin/suspense')).json();
    expect(listed).toMatchObject([
      { tx: 'tx-one', amount: '12.50', claims: [{ email: 'ann@people.example' }, { email: 'bob@people.example' }] },
    ]);
    const before = await books();
    expect(before).toMatchObject({ suspense: '12.50', held: { solana: '12.50' } });
    const body = {
      network: 'solana',
      tx: 'tx-one',
      idx: 0,
      email: 'bob@people.example',
      note: 'Statement of the exchange',
    };
    const [first, second] = await Promise.all([
      admin.post('/api/admin/suspense', body),
      admin.post('/api/admin/suspense', { ...body, email: 'ann@people.example' }),
    ]);
    expect(new Set([first.statusCode, second.statusCode])).toEqual(new Set([200, 409]));
    expect(await books()).toMatchObject({ suspense: '0.00', difference: '0.00', held: { solana: '12.50' } });
    expect((await admin.get('/api/admin/suspense')).json()).toEqual([]);
    const states = await db().selectFrom('usdc_claims').select(['user_id', 'state']).orderBy('id').execute();
    const winner = first.statusCode === 200 ? bob.id : ann.id;
    expect(states).toEqual(
      [ann, bob].map(({ id }) => ({ user_id: id, state: id === winner ? 'credited' : 'refused' })),
    );
  });

  test('409: a deposit that is not final cannot be assigned', async () => {
    await unowned('tx-two', 'confirm');
    const body = { network: 'solana', tx: 'tx-two', idx: 0, email: 'ann@people.example', note: 'why' };
    const answer = await admin.post('/api/admin/suspense', body);
    expect(statusAndMessage(answer)).toEqual([
      409,
      'This deposit does not exist, is not final yet or is already assigned',
    ]);
  });
});

describe('GET /api/admin/payments', () => {
  const payments = async (query = '') => (await admin.get(`/api/admin/payments${query}`)).json<ListedPayments>();
  const payment = (id: string, change: object) =>
    db()
      .insertInto('usdc_payments')
      .values({
        id,
        user_id: ann.id,
        network: 'base',
        address: id,
        route: id,
        plan: 'pro',
        months: 3,
        price: 85_471_500,
        credit_used: 0,
        proration: 0,
        due: 85_471_500,
        created_at: iso(),
        expires_at: iso(15),
        applied_at: null,
        ...change,
      })
      .execute();

  test('200: both rails, newest first, each with its state; q finds address and id; pages follow by time', async () => {
    await payment('pay_open', { created_at: iso(1) });
    await payment('pay_gone', { created_at: iso(2), expires_at: iso(-1) });
    await payment('pay_done', { created_at: iso(3), applied_at: iso(4), user_id: 999_999 });
    await db()
      .insertInto('card_invoices')
      .values({
        id: 'in_1',
        user_id: ann.id,
        subscription_id: null,
        status: 'paid',
        units_paid: 29_990_000,
        units_refunded: 0,
        paid_at: iso(),
        created_at: iso(5),
        number: null,
        hosted_url: null,
      })
      .execute();
    const { payments: all, more } = await payments();
    expect(more).toBe(false);
    expect(all.map(({ id, state, what, due, email }) => [id, state, what, due, email])).toEqual([
      ['in_1', 'applied', 'Invoice', '29.99', 'ann@people.example'],
      ['pay_done', 'applied', 'Pro, 3 months', '85.4715', null],
      ['pay_gone', 'expired', 'Pro, 3 months', '85.4715', 'ann@people.example'],
      ['pay_open', 'open', 'Pro, 3 months', '85.4715', 'ann@people.example'],
    ]);
    expect((await payments('?q=ANN@')).payments).toHaveLength(3);
    expect((await payments('?q=pay_g')).payments).toHaveLength(1);
    expect((await payments(`?before=${iso(2)}`)).payments.map(({ id }) => id)).toEqual(['pay_open']);
  });
});

test('user balances are summed, and all postings add up to zero', async () => {
  await db()
    .transaction()
    .execute((tx) =>
      post(tx, {
        key: 'test:sale',
        at: p.s.clock.now(),
        about: '',
        createdBy: null,
        lines: [
          [creditAccount(ann.id), 1_000_000n],
          ['revenue', -1_000_000n],
        ],
      }),
    );
  const now = await books();
  expect(now).toMatchObject({ revenue: '1.00', difference: '0.00' });
  expect(now.rails.map(({ method }) => method)).toEqual(['card', 'base', 'solana']);
});
