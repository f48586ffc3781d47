import type { CryptoPrice } from '#features/market/contract/market.ts';

import type { Dashboard } from '#features/site/contract/dashboard.ts';

/** A payload for tests at one fixed time; the figures come from the market's own fixtures. */
export const dashboardOf = (
  nowMs: number,
  parts: { cryptoPrices: CryptoPrice[] } & Pick<Dashboard, 'totals' | 'sources'>,
): Dashboard => ({
  timestamp: new Date(nowMs).toISOString(),
  dataMode: 'live',
  subscriptionStatus: null,
  lastCollectionTime: new Date(nowMs - 140_000).toISOString(),
  nextCollectionTime: new Date(nowMs + 3_000_000).toISOString(),
  ...parts,
});
