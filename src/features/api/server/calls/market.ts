import { readCryptoPrices } from '#features/api/contract.ts';
import { composeDashboard } from '#features/dashboard/server/service.ts';
import type { ApiCall } from '../calls.ts';
import type { ApiDeps } from '../context.ts';

export const marketCalls = (deps: ApiDeps): ApiCall[] => [
  {
    endpoint: readCryptoPrices,
    answer() {
      const { timestamp, dataMode, cryptoPrices: prices, totals } = composeDashboard(deps);
      return { timestamp, dataMode, prices, totals };
    },
  },
];
