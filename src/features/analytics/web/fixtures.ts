import type { AnalyticsSummary, Matrix, RiskRow } from '#features/analytics/contract.ts';
import type { Candles } from '#features/market/contract/market.ts';
import type {
  CorrelationPair,
  DerivativesReply,
  OnchainReply,
  SentimentReading,
} from '#features/market/contract/metrics.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { figuresOf, missing, NOON, origin } from '#ui/testing/figures.ts';
import { barStart } from './bars.ts';
import { ASSET_ORDER, type Timeframe, toCoinId } from './view.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const at = (seconds: number) => iso(seconds * 1000);
const computed = (metric: string) => origin(metric, { method: 'computed', source: 'Meridian' });

type Made = { count?: number; symbol?: (typeof ASSET_ORDER)[number]; first?: number };

/** Bars up to noon that oscillate around a price. */
export function candlesOf(interval: Timeframe, { count = 120, symbol = 'BTC', first = 97_000 }: Made = {}): Candles {
  return {
    id: toCoinId(symbol),
    symbol,
    interval,
    history: 'complete',
    candles: Array.from({ length: count }, (_, i) => {
      const open = first * (1 + Math.sin(i / 9) / 40);
      const close = first * (1 + Math.sin((i + 1) / 9) / 40);
      return {
        at: at(barStart(interval, NOON / 1000, i - count + 1)),
        open,
        high: Math.max(open, close) * 1.002,
        low: Math.min(open, close) * 0.998,
        close,
        volume: 1e9 + 1e8 * (i % 7),
      };
    }),
    gaps: [],
    limitedToDays: null,
    meta: {
      source: 'OKX',
      observedAt: iso(NOON - 12_000),
      fetchedAt: iso(NOON - 11_000),
      method: 'measured',
      staleAfter: iso(NOON + 600_000),
    },
  };
}

/** Five hours are missing in the middle. */
export function candlesWithGap(): Candles {
  const whole = candlesOf('60');
  const gone = whole.candles.slice(60, 65);
  return {
    ...whole,
    candles: whole.candles.filter((bar) => !gone.includes(bar)),
    gaps: [{ from: gone[0]?.at ?? '', to: gone.at(-1)?.at ?? '' }],
  };
}

export const summary: AnalyticsSummary = {
  ...figuresOf({
    totalVolume: [4.31e10, computed('analytics.volume')],
    volatility: [6.42, computed('analytics.volatility')],
    riskAdjustedReturn: [0.21, computed('analytics.risk_adjusted')],
    avgChange: [1.35, computed('analytics.avg_change')],
    bitcoinDominance: [56.31, computed('dominance.btc')],
  }),
  assetCount: 5,
  trend: 'Bullish',
  volatilityLevel: 'Medium',
};

const NO_PAST = 'Two daily closes at least are needed.';

export const risk: RiskRow[] = ASSET_ORDER.map((asset, i) => ({
  ...figuresOf({
    annualised_volatility: [48.2 + 9 * i, computed('risk.volatility')],
    sharpe: [1.21 - 0.4 * i, computed('risk.sharpe')],
    sortino: [1.72 - 0.5 * i, computed('risk.sortino')],
    max_drawdown: [-(21.4 + 8 * i), computed('risk.drawdown')],
    beta_btc: i === 3 ? [null, missing('risk.beta', NO_PAST)] : [1 + 0.15 * i, computed('risk.beta')],
  }),
  asset,
  days: 365,
}));

const MORE = Array.from({ length: 15 }, (_, i) => `C${i + 1}`);

/** SUI and XRP have too little common history. */
export function correlationOf(
  count: '5' | '20' = '5',
  days = 90,
): Matrix & { correlationData: Record<string, CorrelationPair> } {
  const assets: string[] = count === '5' ? [...ASSET_ORDER] : [...ASSET_ORDER, ...MORE];
  return {
    timestamp: iso(NOON),
    days,
    assets,
    correlationData: {},
    pairs: assets.map((row, i) =>
      assets.map((column, j) => {
        const isDefault = (row === 'SUI' && column === 'XRP') || (row === 'XRP' && column === 'SUI');
        const value = i === j ? 1 : isDefault ? 0.5 : 0.85 - 0.2 * Math.abs(i - j);
        const method = isDefault ? 'default' : 'measured';
        return {
          value: Math.max(-1, value),
          method,
          days: isDefault ? 4 : days,
          meta: origin('correlation', { method: isDefault ? 'default' : 'computed', source: 'Meridian' }),
        };
      }),
    ),
  };
}

export const sentimentOf = (value: number, classification: string): SentimentReading => ({
  value,
  classification,
  source: 'alternative',
  timestamp: iso(NOON - 43_200_000),
  metadata: {
    history: [
      { date: '2026-11-21', value, classification },
      { date: '2026-11-20', value: 66, classification: 'Greed' },
    ],
  },
  meta: { value: origin('fear_greed', { source: 'alternative', observedMs: NOON - 43_200_000 }) },
});

const noneOf = <K extends string>(...names: K[]) =>
  figuresOf(
    Object.fromEntries(names.map((name) => [name, [null, missing(name, NO_PAST)]])) as Record<K, [null, FigureMeta]>,
  );
const one = <K extends string>(...names: K[]) => ({ ...noneOf('value'), metadata: noneOf(...names) });

export const derivativesReply: DerivativesReply = {
  timestamp: iso(NOON),
  derivatives: [
    {
      ...figuresOf({
        open_interest: [2.412e10, origin('oi.btc', { source: 'okx' })],
        funding_rate: [-0.0042, origin('funding.btc', { source: 'okx' })],
        volume_24h: [1.93e10, origin('volume.btc', { source: 'okx' })],
      }),
      asset: 'BTC',
      derivative_type: 'perpetual',
      source: 'OKX',
    },
    {
      ...figuresOf({
        open_interest: [8.1e9, origin('oi.eth', { source: 'bybit' })],
        funding_rate: [0.0104, origin('funding.eth', { source: 'bybit' })],
        volume_24h: [null, missing('volume.eth', 'Not provided by this venue')],
      }),
      asset: 'ETH',
      derivative_type: 'perpetual',
      source: 'Bybit',
    },
  ],
  totals: {
    openInterest: one('btc_oi', 'eth_oi'),
    fundingRate: one('btc_funding', 'eth_funding'),
    liquidations: one('long_liquidations', 'short_liquidations'),
  },
};

export const onchainReply: OnchainReply = {
  timestamp: iso(NOON),
  onchain: [
    {
      blockchain: 'bitcoin',
      metric_type: 'hash_rate',
      value: 1.142e21,
      source: 'mempool',
      timestamp: iso(NOON - 3_600_000),
      metadata: { difficulty: 1.52e14, network_health: 'strong' },
      meta: { value: origin('hash_rate', { source: 'mempool', observedMs: NOON - 3_600_000 }) },
    },
    {
      blockchain: 'bitcoin',
      metric_type: 'whale_transactions',
      value: null,
      source: null,
      timestamp: null,
      metadata: {},
      meta: { value: missing('whales.count', 'Blockchair has not answered yet.') },
    },
  ],
  totals: {
    whaleTransactions: one('large_transfers', 'exchange_deposits'),
    hashRate: { ...noneOf('value'), metadata: { ...noneOf('difficulty'), network_health: null } },
    activeAddresses: one('new_addresses', 'returning_addresses'),
  },
};
