/** By a metric's name or its beginning, the more special first; see features/metrics. */
const UNITS: readonly (readonly [beginning: string, unit: string])[] = [
  ['market.', 'USD'],
  ['dominance.', '%'],
  ['stablecoins.', 'USD'],
  ['ssr', 'ratio'],
  ['flow.btc.', 'BTC'],
  ['flow.eth.', 'ETH'],
  ['reserve.btc', 'BTC'],
  ['reserve.eth', 'ETH'],
  ['altcoin_season', '0 to 100'],
  ['oi.', 'USD'],
  ['venue.oi.', 'USD'],
  ['funding.', '% in 8 hours'],
  ['venue.funding.', '% in 8 hours'],
  ['liquidations.', 'USD'],
  ['venue.liquidations.', 'USD'],
  ['whales.', 'transfers'],
  ['venue.whales.', 'transfers'],
  ['hash_rate', 'H/s'],
  ['addresses.', 'addresses'],
  ['macro.us', '%'],
  ['macro.fed_funds', '%'],
  ['macro.oil_wti', 'USD a barrel'],
  ['macro.', 'index'],
];
const ENDINGS: readonly (readonly [ending: string, unit: string])[] = [
  ['.tps', 'transactions a second'],
  ['.addresses', 'addresses'],
];

/** Null for a figure that has none, as the difficulty of Bitcoin. */
export const unitOf = (metric: string): string | null =>
  UNITS.find(([beginning]) => metric.startsWith(beginning))?.[1] ??
  ENDINGS.find(([ending]) => metric.endsWith(ending))?.[1] ??
  null;
