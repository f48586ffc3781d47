import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { pdfText } from '#tests/support/pdf-text.ts';
import { person } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

import type { PaymentMethod, Receipt } from './payment-methods.ts';

const RECEIPT: Receipt = {
  number: 'M-C-000123',
  at: new Date('2026-11-20T12:00:00Z'),
  lines: [
    ['Pro, 3 prepaid months', '89.97'],
    ['Discount of 5%', '-4.50'],
    ['Credit for the rest of Pro – 八', '-10.00'],
  ],
  total: '75.47',
  paidBy: 'USDC on Base, transaction 0x1f2e',
};

/** Somebody else's way to pay, as a further rail would add one. */
const barter = (owner: number): PaymentMethod => ({
  methods: () => ({}),
  entriesOf: async () => [],
  findReceipt: async (userId, id) => (userId === owner && id === 'in_1' ? RECEIPT : undefined),
});

let s: Started;
beforeAll(async () => {
  const SELLER = 'Meridian Ltd; 1 Station Road, Cheyenne; Tax number 12-345';
  s = await start({ env: { EMAIL_CONFIRMATION: 'off', SELLER } });
});
afterAll(() => s.stop());

describe('GET /api/billing/receipts/:id', () => {
  test('200: a PDF whose text can be selected, with number, date, lines, total, way and seller', async () => {
    const ann = await person(s, 'ann');
    (s.product.billing.ways as PaymentMethod[]).push(barter(ann.id));
    const answer = await ann.get('/api/billing/receipts/in_1');
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      'attachment; filename="meridian-receipt-M-C-000123.pdf"',
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(pdfText(answer.rawPayload)).toEqual([
      'Meridian',
      'Receipt',
      'Number',
      'M-C-000123',
      'Date',
      '20 Nov 2026, 12:00:00 UTC',
      'Billed to',
      'ann@people.example',
      'Paid by',
      'USDC on Base, transaction 0x1f2e',
      'Prepaid months and other items',
      'US dollars',
      'Pro, 3 prepaid months',
      '89.97',
      'Discount of 5%',
      '-4.50',
      'Credit for the rest of Pro – ?',
      '-10.00',
      'Total paid',
      '75.47 USD',
      'Sold by',
      'Meridian Ltd',
      '1 Station Road, Cheyenne',
      'Tax number 12-345',
      'support@meridian.example',
      'Pro and Premium+ are paid ahead. This receipt was made by a computer and is valid without a signature.',
    ]);
  });

  test('404: of somebody else', async () => {
    const ben = await person(s, 'ben');
    expect((await ben.get('/api/billing/receipts/in_1')).statusCode).toBe(404);
  });
});
