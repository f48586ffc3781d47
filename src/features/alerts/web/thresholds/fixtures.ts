import type { Preview, Threshold } from '#features/alerts/contract/thresholds.ts';
import type { Provenance } from '#shared/provenance.ts';

/** The fixed noon of all test data. */
const NOON = Date.parse('2026-11-21T12:00:00Z');
const DAY_MS = 86_400_000;

const iso = (ms: number) => new Date(ms).toISOString();

const meta = (): Provenance => ({
  source: 'coingecko',
  observedAt: iso(NOON - 12_000),
  fetchedAt: iso(NOON - 11_500),
  method: 'measured',
  staleAfter: iso(NOON + 600_000),
});

export const ruleOf = (change: Partial<Threshold> = {}): Threshold => ({
  id: 1,
  name: 'Bitcoin price above $105,000',
  description: '',
  metric: 'btc_price',
  condition: 'above',
  value: 105_000,
  enabled: true,
  icon: 'bitcoin',
  iconChosen: false,
  unit: 'USD',
  options: {
    mode: 'every',
    cooldownMinutes: 15,
    margin: null,
    holdMinutes: 0,
    expiresAt: null,
    and: null,
    schedule: null,
  },
  state: 'armed',
  note: null,
  canRearm: false,
  lastFiredAt: null,
  fires: 0,
  cadence: 'with every price, about once a second',
  current: { value: 97_412.5, meta: meta() },
  ...change,
});

export const rules: Threshold[] = [
  ruleOf(),
  ruleOf({
    id: 2,
    name: 'Panic',
    description: 'Time to read the news.',
    metric: 'fear_greed',
    condition: 'below',
    value: 25,
    unit: 'index',
    state: 'fired',
    note: 'Already below: fires at the next crossing',
    lastFiredAt: iso(NOON - 3 * 3_600_000),
    fires: 12,
    cadence: 'when its daily figure is published; checked every 30 minutes',
    current: { value: 22, meta: meta() },
  }),
  ruleOf({
    id: 3,
    name: 'Overall AI Alert',
    metric: 'ai_prediction_overall',
    condition: 'changes_to_bullish',
    value: 'BULLISH',
    unit: 'direction',
    enabled: false,
    state: 'off',
    cadence: 'with every analysis, hourly on weekdays',
    current: { value: 0, meta: meta() },
  }),
];

const POINTS = 180;

/** A price that swings between about 91,000 and 109,000. */
const series: [number, number][] = Array.from({ length: POINTS }, (_, i) => [
  NOON - (POINTS - 1 - i) * (DAY_MS / 2),
  Math.round(100_000 + 6000 * Math.sin(i / 9) + 3000 * Math.sin(i / 2.3)),
]);

const crossings = (level: number): [number, number][] =>
  series.filter(([, value], i) => value >= level && (series[i - 1]?.[1] ?? value) < level);

/** The backtest of a price rule above `level` on that series. */
export function previewOf(level: number, change: Partial<Preview> = {}): Preview {
  const fires = crossings(level);
  return {
    metric: 'btc_price',
    unit: 'USD',
    from: iso(series[0]?.[0] ?? NOON),
    to: iso(NOON),
    days: 90,
    tried: [{ source: 'CoinGecko', grain: 'hourly closes' }],
    absent: null,
    points: series,
    level,
    fires,
    fireCount: fires.length,
    perWeek: Math.round((fires.length / 90) * 700) / 100,
    longestSilenceDays: fires.length === 0 ? 90 : 23.4,
    suppressed: 4,
    after: {
      asset: 'BTC',
      fires: { n: 6, mean: 0.84, low: -1.21, high: 2.83 },
      all: { n: 90, mean: 0.1, low: -0.31, high: 0.52 },
      verdict: 'no evidence',
    },
    suggestions: [{ perWeek: 1, value: 104_200 }],
    ...change,
  };
}
