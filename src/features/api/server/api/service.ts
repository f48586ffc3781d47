import { setImmediate } from 'node:timers/promises';

import { readCryptoPrices } from '#features/api/contract/api.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';

import { csvText } from './http/csv.ts';
import { toShape } from './http/response.ts';

export type { ApiCall } from './call.ts';
export { apiCalls } from './calls.ts';
export type { ApiDeps } from './context.ts';
export { apiInput } from './http/request.ts';

const PRICES = toShape(readCryptoPrices.reply);

/** The response of `/api/v1/crypto-prices?format=csv` for these rows. */
export const pricesCsv = (rows: readonly CryptoPrice[]): Promise<string> => csvText('prices', PRICES, rows, null);

/** Data for prepared API responses, and their maintenance. */
export type ApiReads = {
  onInvalid: (error: unknown) => void;
  /** The latest composed dashboard; null before the first. */
  latest: () => Dashboard | null;
  /** Accepts a new dashboard, and returns the updates of prepared responses, one task each. */
  publish: (value: Dashboard) => (() => Promise<void>)[];
  /** Something outside the dashboard has changed. */
  renew: () => Promise<void>;
  onChange: (handler: () => Promise<void>) => void;
};

export function createApiReads(onInvalid: (error: unknown) => void): ApiReads {
  const handlers: (() => Promise<void>)[] = [];
  let latest: Dashboard | null = null;
  return {
    onInvalid,
    latest: () => latest,
    publish(value) {
      latest = value;
      return handlers;
    },
    async renew() {
      for (const handler of handlers) {
        await setImmediate();
        await handler();
      }
    },
    onChange: (handler) => handlers.push(handler),
  };
}
