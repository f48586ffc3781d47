import { setImmediate } from 'node:timers/promises';

import { readCryptoPrices } from '#features/api/contract/api.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';

import { csvText } from './http/csv.ts';
import { shapeOf } from './http/response.ts';

export type { ApiCall } from './call.ts';
export { apiCalls } from './calls.ts';
export type { ApiDeps } from './context.ts';
export { apiInput } from './http/request.ts';

const PRICES = shapeOf(readCryptoPrices.reply);

/** What `/api/v1/crypto-prices?format=csv` answers with these rows. */
export const pricesCsv = (rows: readonly CryptoPrice[]): Promise<string> => csvText('prices', PRICES, rows, null);

/** What the answers of the API are prepared from, and who prepares them. */
export type ApiReads = {
  onInvalid: (error: unknown) => void;
  /** The dashboard as it was composed last; null before that. */
  latest: () => Dashboard | null;
  /** Takes a new dashboard, and gives what is to be done for each answer that is kept ready, each in a turn of its own. */
  publish: (value: Dashboard) => (() => Promise<void>)[];
  /** Something beside the dashboard has changed. */
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
