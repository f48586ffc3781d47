import { z } from 'zod/mini';

import { cryptoPrice, marketTotals } from '#features/market/contract.ts';
import { endpoint } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';

/** Calls of the public API are `public` to sessions: the key decides, by `scope`. */
export const readCryptoPrices = endpoint({
  method: 'GET',
  path: '/api/v1/crypto-prices',
  access: 'public',
  scope: 'market',
  reply: z.object({
    timestamp: z.iso.datetime(),
    dataMode,
    prices: z.array(cryptoPrice),
    totals: marketTotals,
  }),
});
