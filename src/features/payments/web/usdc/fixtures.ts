import type { Payment } from '#features/payments/contract/usdc.ts';

/** An open payment for tests: Pro for a month on Base, held for fifteen minutes from noon. */
export const paymentOf = (change: Partial<Payment> = {}): Payment => ({
  paymentId: 'pay_0000000001',
  planId: 'pro',
  network: 'base',
  months: 1,
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  amount: '29.99',
  price: '29.99',
  creditUsed: '0.00',
  createdAt: '2026-11-21T12:00:00.000Z',
  expiresAt: '2026-11-21T12:15:00.000Z',
  uri: 'ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=0x52908400098527886E0F7030069857D2E4169EE7&uint256=29990000',
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

export const solanaPaymentOf = (change: Partial<Payment> = {}): Payment =>
  paymentOf({
    network: 'solana',
    address: 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN',
    amount: '29.990037',
    uri: 'solana:mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN?amount=29.990037&spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v&reference=82ZJ7nbGpixjeDCmEhUcmwXYfvurzAgGdtSMuHnUgyny&label=Meridian&message=Pro',
    reference: '82ZJ7nbGpixjeDCmEhUcmwXYfvurzAgGdtSMuHnUgyny',
    token: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    ...change,
  });

export const depositOf = (change: Partial<Payment['deposits'][number]> = {}): Payment['deposits'][number] => ({
  tx: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
  url: 'https://basescan.org/tx/0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
  at: '2026-11-21T12:02:00.000Z',
  amount: '29.99',
  sender: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  state: 'seen',
  isLate: false,
  ...change,
});
