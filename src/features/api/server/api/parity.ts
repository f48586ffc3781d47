/** Where the API returns what the dashboard shows: the call, and the corresponding field. */
type Parity = { path: `/api/v1/${string}`; field: readonly string[] };

const MARKET_DATA = '/api/v1/market-data';
const same = (name: string): Parity => ({ path: MARKET_DATA, field: [name] });

const PARITY: Readonly<Record<string, Parity>> = {
  ...Object.fromEntries(
    [
      'timestamp',
      'dataMode',
      'lastCollectionTime',
      'nextCollectionTime',
      'totals',
      'sources',
      'advancedMetrics',
      'layer1Data',
      'trendingNarratives',
      'asOf',
    ].map((name) => [name, same(name)]),
  ),
  cryptoPrices: { path: '/api/v1/crypto-prices', field: ['prices'] },
  aiAnalysis: { path: '/api/v1/analysis', field: ['aiAnalysis'] },
  backtestResults: { path: '/api/v1/track-record', field: [] },
  upcomingEvents: { path: '/api/v1/events', field: ['events'] },
  upcomingCounts: { path: '/api/v1/events', field: ['upcomingCounts'] },
  subscriptionStatus: { path: '/api/v1/account', field: ['subscriptionStatus'] },
};

/** Undefined if no call returns it. */
export function parsePath([first = '', ...rest]: readonly string[]): { path: string; field: string[] } | undefined {
  const found = Object.hasOwn(PARITY, first) ? PARITY[first] : undefined;
  return found && { path: found.path, field: [...found.field, ...rest] };
}
