import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Billing, Pricing } from '#features/payments/contract/billing.ts';
import { insertGrant, undoGrant } from '#tests/support/grants.ts';
import { pdfText } from '#tests/support/pdf-text.ts';
import { PASSWORD, registerUser, sendRequest, userWithToken } from '#tests/support/people.ts';
import { sortedStatuses, statusAndMessage } from '#tests/support/rows.ts';
import { start, type TestProduct } from '#tests/support/start.ts';
import type { PaymentMethod, Receipt } from './prices.ts';
import { creditAccount, post } from './service.ts';

const DAY_MS = 86_400_000;
const SOON = 'Pro and Premium plans are coming soon! Stay tuned for updates.';

let s: TestProduct;
beforeAll(async () => {
  const SELLER = 'Meridian Ltd; 1 Station Road, Cheyenne; Tax number 12-345';
  s = await start({ env: { EMAIL_CONFIRMATION: 'off', SELLER } });
});
afterAll(() => s.stop());

const pricing = async (env?: Record<string, string>) => {
  const app = env ? (await s.another(env)).app : s.product.app;
  return (await app.inject({ url: '/api/subscription/pricing' })).json<Pricing>();
};

describe('GET /api/subscription/pricing', () => {
  test('200 for everyone: the default prices, terms and days', async () => {
    expect(await pricing()).toMatchObject({
      free: { currentPrice: 0, originalPrice: 0, hasDiscount: false, discountPercentage: 0 },
      pro: { currentPrice: 29.99, originalPrice: 29.99, hasDiscount: false, discountPercentage: 0 },
      premium: { currentPrice: 99, originalPrice: 99, hasDiscount: false, discountPercentage: 0 },
      discountActive: false,
      terms: [
        { months: 1, discount: 0 },
        { months: 3, discount: 0.05 },
        { months: 6, discount: 0.1 },
        { months: 12, discount: 0.2 },
      ],
      trialDays: 7,
      graceDays: 3,
      comingSoon: false,
    });
  });

  test('the first-month discount, other prices and no trial', async () => {
    const env = { FIRST_MONTH_DISCOUNT: '50', PRO_PRICE_USD: '19.99', TRIAL_DAYS: '0', PREPAID_DISCOUNTS: '1=0;24=33' };
    expect(await pricing(env)).toMatchObject({
      pro: { currentPrice: 9.995, originalPrice: 19.99, hasDiscount: true, discountPercentage: 50 },
      premium: { currentPrice: 49.5, originalPrice: 99, hasDiscount: true, discountPercentage: 50 },
      discountActive: true,
      terms: [
        { months: 1, discount: 0 },
        { months: 24, discount: 0.33 },
      ],
      trialDays: 0,
    });
  });

  test('coming soon disables all payment methods, without USDC both chains are disabled', async () => {
    expect(await pricing({ LAUNCH_COMING_SOON: '1' })).toMatchObject({
      comingSoon: true,
      methods: { card: SOON, base: SOON, solana: SOON },
    });
    const off = 'USDC payments are turned off.';
    expect((await pricing({ CRYPTO_PAYMENTS: '0' })).methods).toMatchObject({ base: off, solana: off });
  });
});

describe('GET /api/subscribe/renewal-info', () => {
  test('200: Pro for a user who never had a plan, with the cost for each number of months', async () => {
    const ann = await registerUser(s, 'ann');
    expect((await ann.get('/api/subscribe/renewal-info')).json()).toEqual({
      planName: 'Pro',
      expiredPlan: 'pro',
      renewalOptions: [
        { months: 1, price: 29.99, discount: 0 },
        { months: 3, price: 85.4715, discount: 0.05 },
        { months: 6, price: 161.946, discount: 0.1 },
        { months: 12, price: 287.904, discount: 0.2 },
      ],
    });
  });

  test('200: the active plan, else the one that ended last', async () => {
    const ben = await registerUser(s, 'ben');
    const long = new Date(s.clock.now().getTime() - 60 * DAY_MS);
    await insertGrant(s, ben, { plan: 'premium', goodAt: long });
    expect((await ben.get('/api/subscribe/renewal-info')).json()).toMatchObject({
      planName: 'Premium+',
      expiredPlan: 'premium',
    });
    await insertGrant(s, ben, { plan: 'pro' });
    expect((await ben.get('/api/subscribe/renewal-info')).json().expiredPlan).toBe('pro');
  });
});

describe('POST /api/subscribe/trial', () => {
  test('200: Pro for seven days, without a card, then automatically free again, without grace', async () => {
    const cat = await registerUser(s, 'cat');
    expect((await cat.get('/api/billing')).json().canTry).toBe(true);
    const endsAt = new Date(s.clock.now().getTime() + 7 * DAY_MS).toISOString();
    expect((await cat.post('/api/subscribe/trial', {})).json()).toEqual({ success: true, endsAt });
    expect((await cat.get('/api/subscription')).json()).toMatchObject({
      plan: 'pro',
      status: 'active',
      currentPeriodEnd: endsAt,
      daysUntilExpiry: 7,
    });
    expect((await cat.get('/api/billing')).json()).toMatchObject({
      canTry: false,
      entries: [{ title: 'Pro trial, 7 days', method: 'none', amount: '0.00', state: 'given', receipt: null }],
    });
    const again = await cat.post('/api/subscribe/trial', {});
    expect(statusAndMessage(again)).toEqual([409, 'You have already used your Pro trial, which is available once.']);
  });

  test('409: of many concurrent calls one is granted', async () => {
    const dan = await registerUser(s, 'dan');
    const answers = await Promise.all(Array.from({ length: 6 }, () => dan.post('/api/subscribe/trial', {})));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409, 409,
    ]);
    expect((await dan.get('/api/billing')).json().entries).toHaveLength(1);
  });

  test('409: for the address of a deleted account that had its trial; only a hash is retained', async () => {
    const ivy = await registerUser(s, 'ivy');
    expect((await ivy.post('/api/subscribe/trial', {})).statusCode).toBe(200);
    expect((await ivy.remove('/api/auth/delete-account')).statusCode).toBe(200);
    const again = await registerUser(s, 'IVY');
    expect([again.id === ivy.id, again.email]).toEqual([false, ivy.email]);
    expect((await again.get('/api/billing')).json().canTry).toBe(false);
    const refused = await again.post('/api/subscribe/trial', {});
    const error = 'An earlier account with this email address has already used its Pro trial, which is available once.';
    expect([refused.statusCode, refused.json()]).toEqual([409, { error, code: 'conflict' }]);
    expect((await again.get('/api/subscription')).json().plan).toBe('free');
    const { db } = s.product.billing;
    const kept = await db.selectFrom('trial_addresses').selectAll().execute();
    expect(kept.every((row) => row.address_hash.length === 32 && Object.keys(row).length === 2)).toBe(true);
    await expect(db.deleteFrom('trial_addresses').execute()).rejects.toThrow('append-only');
  });

  test('409: addresses of one mailbox share one trial, started sequentially or concurrently', async () => {
    const join = async (email: string) => {
      const answer = await sendRequest(s, 'POST', '/api/auth/register', { email, password: PASSWORD });
      const { token, user } = answer.json<{ token: string; user: { id: number; email: string } }>();
      return userWithToken(s, token, user);
    };
    const [first, dotted, plus, other] = [
      await join('lu.cy@gmail.com'),
      await join('lucy+2@googlemail.com'),
      await join('dora+a@people.example'),
      await join('dora+b@people.example'),
    ];
    const atOnce = await Promise.all([first, dotted].map((who) => who.post('/api/subscribe/trial', {})));
    expect(sortedStatuses(atOnce)).toEqual([200, 409]);
    expect((await plus.post('/api/subscribe/trial', {})).statusCode).toBe(200);
    expect((await other.get('/api/billing')).json().canTry).toBe(false);
    expect((await other.post('/api/subscribe/trial', {})).statusCode).toBe(409);
    // A different mailbox, though similar: only Gmail ignores dots.
    const dots = await join('do.ra@people.example');
    expect((await dots.post('/api/subscribe/trial', {})).statusCode).toBe(200);
  });

  test('409: on a paid plan, and after one; a reversed payment does not count', async () => {
    const eve = await registerUser(s, 'eve');
    const source = await insertGrant(s, eve, { plan: 'premium' });
    expect((await eve.post('/api/subscribe/trial', {})).json().error).toBe('You are already on Premium+.');
    const fay = await registerUser(s, 'fay');
    await insertGrant(s, fay, { goodAt: new Date(s.clock.now().getTime() - 60 * DAY_MS) });
    expect((await fay.post('/api/subscribe/trial', {})).json().error).toBe(
      'The trial is available only to accounts that have never had a paid plan.',
    );
    await undoGrant(s, eve, source);
    expect((await eve.post('/api/subscribe/trial', {})).statusCode).toBe(200);
  });

  test.each([
    [{ TRIAL_DAYS: '0' }, 'No trial is available right now.'],
    [{ LAUNCH_COMING_SOON: '1' }, SOON],
  ])('409: with %o', async (env, error) => {
    const { app } = await s.another(env);
    const gus = await registerUser(s, `gus${Object.keys(env)[0]?.toLowerCase()}`);
    const headers = { authorization: `Bearer ${gus.token}` };
    const answer = await app.inject({ method: 'POST', url: '/api/subscribe/trial', headers, payload: {} });
    expect([answer.statusCode, answer.json()]).toEqual([409, { error, code: 'conflict' }]);
    expect((await app.inject({ url: '/api/billing', headers })).json().canTry).toBe(false);
  });
});

describe('GET /api/billing', () => {
  test('200: balance, queue, and gifts, credit and proration together, newest first', async () => {
    const hal = await registerUser(s, 'hal');
    const { billing } = s.product;
    const now = s.clock.now().getTime();
    const entry = (key: string, hours: number, units: bigint) => ({
      key,
      at: new Date(now - hours * 3_600_000),
      about: '',
      createdBy: null,
      lines: [
        [creditAccount(hal.id), -units],
        ['goodwill', units],
      ] as const,
    });
    await billing.db.transaction().execute(async (tx) => {
      await post(tx, entry('admin:41', 1, 5_000_000n));
      await post(tx, entry('prorate:wallet:x:1', 2, 12_340_000n));
      await post(tx, entry('dep:base:0x1:0:0', 3, 1_000_000n));
    });
    await insertGrant(s, hal, { plan: 'premium', source: 'admin:9', units: 0n, months: 1, days: 2 });
    await insertGrant(s, hal, { plan: 'pro' });
    const answer = (await hal.get('/api/billing')).json<Billing>();
    expect(answer).toMatchObject({ credit: '18.34', card: null, canTry: false });
    expect(answer.upcoming).toEqual([
      { plan: 'pro', startsAt: '2026-12-22T12:00:00.000Z', endsAt: '2027-01-22T12:00:00.000Z' },
    ]);
    expect(answer.entries.map(({ title, method, amount, state }) => [title, method, amount, state])).toEqual([
      ['Premium+, 1 month and 2 days, a gift', 'none', '0.00', 'given'],
      ['Goodwill credit', 'credit', '-5.00', 'given'],
      ['Credit for unused Pro time', 'credit', '-12.34', 'given'],
    ]);
  });

  test('users cannot see the data of others', async () => {
    const ida = await registerUser(s, 'ida');
    expect((await ida.get('/api/billing')).json()).toEqual({
      credit: '0.00',
      card: null,
      upcoming: [],
      canTry: true,
      entries: [],
    });
    const answer = await ida.get('/api/billing/receipts/in_nothing');
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'Receipt not found']);
    expect((await ida.get('/api/billing/receipts/a%20b')).statusCode).toBe(400);
  });
});

const RECEIPT: Receipt = {
  number: 'M-C-000123',
  at: new Date('2026-11-20T12:00:00Z'),
  lines: [
    ['Pro, 3 prepaid months', '89.97'],
    ['Discount of 5%', '-4.50'],
    ['Credit for unused Pro time – 八', '-10.00'],
  ],
  total: '75.47',
  paidBy: 'USDC on Base, transaction 0x1f2e',
};

/** Another account's payment method, as a further rail would add one. */
const barter = (owner: number): PaymentMethod => ({
  methods: () => ({}),
  entriesOf: async () => [],
  findReceipt: async (userId, id) => (userId === owner && id === 'in_1' ? RECEIPT : undefined),
});

describe('GET /api/billing/receipts/:id', () => {
  test('200: a PDF with selectable text, with number, date, lines, total, payment method and seller', async () => {
    const jo = await registerUser(s, 'jo');
    (s.product.billing.ways as PaymentMethod[]).push(barter(jo.id));
    const answer = await jo.get('/api/billing/receipts/in_1');
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      'attachment; filename="meridian-receipt-M-C-000123.pdf"',
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(pdfText(answer.rawPayload).join(' | ')).toBe(
      'Meridian | Receipt | Number | M-C-000123 | Date | 20 Nov 2026, 12:00:00 UTC | Billed to | ' +
        'jo@people.example | Paid by | USDC on Base, transaction 0x1f2e | Item | ' +
        'Amount (USD) | Pro, 3 prepaid months | 89.97 | Discount of 5% | -4.50 | ' +
        'Credit for unused Pro time – ? | -10.00 | Total paid | 75.47 USD | Sold by | Meridian Ltd | ' +
        '1 Station Road, Cheyenne | Tax number 12-345 | support@meridian.example | ' +
        'Pro and Premium+ are prepaid. This receipt was generated electronically and is valid without a signature.',
    );
  });
});
