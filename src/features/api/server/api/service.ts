import { readCryptoPrices } from '#features/api/contract/api.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';

import { csvText } from './http/csv.ts';
import { shapeOf } from './http/shape.ts';

export type { ApiCall } from './call.ts';
export { apiCalls } from './calls.ts';
export type { ApiDeps } from './context.ts';
export { apiInput } from './http/input.ts';
export { type ApiReads, createApiReads } from './reads.ts';

const PRICES = shapeOf(readCryptoPrices.reply);

/** What `/api/v1/crypto-prices?format=csv` answers with these rows. */
export const pricesCsv = (rows: readonly CryptoPrice[]): Promise<string> => csvText('prices', PRICES, rows, null);
