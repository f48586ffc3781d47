import { z } from 'zod/mini';

import { cryptoPrice, marketTotals, sourceHealth } from '#features/market/contract.ts';
import { endpoint, plan } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';

/** The only personal part of the payload: null for an anonymous visitor. */
export const subscriptionStatus = z.nullable(z.object({ plan, planName: z.string() }));

/** Parts that a later collection fills are absent until they exist; nothing is made up in between. */
export const dashboard = z.object({
  timestamp: z.iso.datetime(),
  dataMode,
  subscriptionStatus,
  lastCollectionTime: z.nullable(z.iso.datetime()),
  nextCollectionTime: z.nullable(z.iso.datetime()),
  cryptoPrices: z.array(cryptoPrice),
  totals: marketTotals,
  sources: z.array(sourceHealth),
});
export type Dashboard = z.infer<typeof dashboard>;

export const getDashboard = endpoint({
  method: 'GET',
  path: '/api/dashboard',
  access: 'public',
  reply: dashboard,
});
