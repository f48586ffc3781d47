import { dateTime } from '#shared/format.ts';

import type { AdminPayment } from '../contract.ts';

export const METHODS: Record<AdminPayment['method'], string> = {
  card: 'Card',
  base: 'USDC on Base',
  solana: 'USDC on Solana',
};

/** '$29.99', '−$5.00' */
export const usd = (amount: string): string => (amount.startsWith('-') ? `−$${amount.slice(1)}` : `$${amount}`);

export const when = (iso: string): string => dateTime(Date.parse(iso));
