import type { Payment } from '#features/usdc/contract.ts';

/** A payment in USDC that waits for its money. */
export const paymentOf = (change: Partial<Payment> = {}): Payment => ({
  paymentId: 'pay_7h3k2m9q',
  planId: 'pro',
  network: 'base',
  months: 3,
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  amount: '85.4715',
  price: '85.4715',
  creditUsed: '0.00',
  expiresAt: '2026-11-21T12:15:00.000Z',
  uri: 'ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=0x52908400098527886E0F7030069857D2E4169EE7&uint256=85471500',
  reference: null,
  token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  status: 'pending',
  flags: [],
  paid: '0.00',
  grantedUntil: null,
  deposits: [],
  demoWallet: null,
  ...change,
});
