import type { AdminPayment, Books, SuspenseItem } from '#features/payments/contract/books.ts';

/** The ledger of a small installation, for tests. */
export const books: Books = {
  rails: [
    { method: 'card', closed: 'Cards are not set up here.', goesTo: null, head: null, lookedAt: null },
    {
      method: 'base',
      closed: null,
      goesTo: '0x1111111111111111111111111111111111111111',
      head: 21_000_000,
      lookedAt: '2026-11-20T11:59:00.000Z',
    },
    { method: 'solana', closed: null, goesTo: null, head: null, lookedAt: null },
  ],
  held: { base: '59.98', solana: '12.50', stripe: '0.00' },
  credit: '5.50',
  suspense: '12.50',
  revenue: '59.98',
  goodwill: '5.50',
  loss: '0.00',
  difference: '0.00',
};

export const suspense: SuspenseItem[] = [
  {
    network: 'solana',
    tx: 'tx-one',
    idx: 1,
    at: '2026-11-20T10:00:00.000Z',
    amount: '12.50',
    sender: 'wallet-of-ann',
    claims: [
      { id: 1, userId: 2, email: 'ann@example.com', wallet: 'wallet-of-ann', createdAt: '2026-11-20T10:30:00.000Z' },
      { id: 2, userId: 9, email: null, wallet: 'other', createdAt: '2026-11-20T10:31:00.000Z' },
    ],
  },
];

const paid = (id: string, change: Partial<AdminPayment>): AdminPayment => ({
  id,
  at: '2026-11-20T09:00:00.000Z',
  userId: 2,
  email: 'ann@example.com',
  method: 'base',
  what: 'Pro, 1 month',
  due: '29.99',
  paid: '29.99',
  state: 'applied',
  ...change,
});

export const payments: AdminPayment[] = [
  paid('pay_two', {}),
  paid('pay_one', { at: '2026-11-20T08:00:00.000Z', userId: 7, email: null, paid: '10.00', state: 'partial' }),
];
