import type { HistoryType } from '#features/exports/contract/history.ts';
import { SEASON_STOPS } from '#shared/readings.ts';

export type SeriesRule = {
  symbol: string;
  metric: string;
  unit: string;
  /** May be zero or negative, or is a state: a percentage change is meaningless. */
  noPercent?: true;
  /** Converts the stored value for display. */
  shown?: (stored: number) => number;
};

/** −1 Bitcoin season, 0 neutral, 1 altcoin season. */
export function seasonState(index: number): number {
  const [neutral, altcoin] = SEASON_STOPS;
  if (index >= altcoin) return 1;
  return index >= neutral ? 0 : -1;
}

const percent = (symbol: string, metric: string): SeriesRule => ({ symbol, metric, unit: '%' });
const funding = (symbol: string, metric: string): SeriesRule => ({
  symbol,
  metric,
  unit: '% per 8h',
  noPercent: true,
});
const usd = (symbol: string, metric: string): SeriesRule => ({ symbol, metric, unit: 'USD' });
const flow = (symbol: string, metric: string, unit: string): SeriesRule => ({ symbol, metric, unit, noPercent: true });

/** The series of each type, by their common names. Coin prices come from candles. */
export const SERIES: Record<Exclude<HistoryType, 'CRYPTO_PRICE'>, readonly SeriesRule[]> = {
  EQUITY_INDEX: [{ symbol: 'SP500', metric: 'macro.sp500', unit: 'points' }],
  // The Federal Reserve's index: ICE's DXY has no free source.
  DXY: [{ symbol: 'DXY_BROAD', metric: 'macro.dollar_broad', unit: 'points' }],
  TREASURY_YIELD: [percent('US2Y', 'macro.us2y'), percent('US10Y', 'macro.us10y'), percent('US30Y', 'macro.us30y')],
  VOLATILITY_INDEX: [{ symbol: 'VIX', metric: 'macro.vix', unit: 'points' }],
  ENERGY_PRICE: [{ symbol: 'WTI', metric: 'macro.oil_wti', unit: 'USD/barrel' }],
  TOTAL_MARKET_CAP: [usd('TOTAL', 'market.cap')],
  ALTCOIN_SEASON: [{ symbol: 'ALTSEASON', metric: 'altcoin_season', unit: 'index, 0–100' }],
  SEASON_INDICATOR: [
    { symbol: 'SEASON', metric: 'altcoin_season', unit: 'state', noPercent: true, shown: seasonState },
  ],
  DERIVATIVES: [
    usd('OI_TOTAL', 'oi.total'),
    usd('OI_BTC', 'oi.btc'),
    usd('OI_ETH', 'oi.eth'),
    funding('FUNDING_MARKET', 'funding.market'),
    funding('FUNDING_BTC', 'funding.btc'),
    funding('FUNDING_ETH', 'funding.eth'),
  ],
  ONCHAIN: [
    { symbol: 'BTC_HASH_RATE', metric: 'hash_rate', unit: 'H/s' },
    { symbol: 'BTC_DIFFICULTY', metric: 'difficulty', unit: '' },
    { symbol: 'BTC_ACTIVE_ADDRESSES', metric: 'addresses.btc.active', unit: 'addresses' },
    { symbol: 'ETH_ACTIVE_ADDRESSES', metric: 'l1.ethereum.addresses', unit: 'addresses' },
    { symbol: 'BTC_TPS', metric: 'l1.bitcoin.tps', unit: 'tx/s' },
    { symbol: 'ETH_TPS', metric: 'l1.ethereum.tps', unit: 'tx/s' },
    { symbol: 'SOL_TPS', metric: 'l1.solana.tps', unit: 'tx/s' },
    { symbol: 'SUI_TPS', metric: 'l1.sui.tps', unit: 'tx/s' },
    { symbol: 'XRP_TPS', metric: 'l1.ripple.tps', unit: 'tx/s' },
    flow('BTC_NET_FLOW', 'flow.btc.net', 'BTC'),
    flow('ETH_NET_FLOW', 'flow.eth.net', 'ETH'),
    { symbol: 'BTC_RESERVE', metric: 'reserve.btc', unit: 'BTC' },
    { symbol: 'ETH_RESERVE', metric: 'reserve.eth', unit: 'ETH' },
    usd('STABLECOIN_SUPPLY', 'stablecoins.supply'),
    { symbol: 'SSR', metric: 'ssr', unit: 'ratio' },
  ],
};

/** Type and symbol of a metric; null for one without a type. */
export function seriesNamed(metric: string): { type: HistoryType; symbol: string } | null {
  for (const [type, rules] of Object.entries(SERIES) as [HistoryType, readonly SeriesRule[]][]) {
    const rule = rules.find((each) => each.metric === metric);
    if (rule) return { type, symbol: rule.symbol };
  }
  return null;
}
