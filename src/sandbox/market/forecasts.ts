import type { Market } from './market.ts';
import { signalsOf, wave } from './signals.ts';
import { DAY } from './time.ts';

/**
 * How a model forecasts: `insight` sees a little of the future, `momentum` extrapolates the past, `bluster` is
 * confident without skill.
 */
export type ForecastStyle = 'insight' | 'momentum' | 'bluster';
export type Odds = { up: number; flat: number; down: number };

export const FORECAST_DAYS = { '24h': 1, '7d': 7, '28d': 28, '180d': 180 } as const;
export type Horizon = keyof typeof FORECAST_DAYS;

/** [symbol, id of the coin, weight in the market as a whole] */
export const FORECAST_COINS = [
  ['BTC', 'bitcoin', 0.55],
  ['ETH', 'ethereum', 0.25],
  ['SOL', 'solana', 0.1],
  ['SUI', 'sui', 0.03],
  ['XRP', 'ripple', 0.07],
] as const;

const FLAT_BAND = 0.43;
/** Correlation between the signal of `insight` and the outcome. */
const INSIGHT = 0.35;
const TREND = 0.25;
const OVERCONFIDENT = { lean: 0.9, spread: 0.65 };
const MIN_PROBABILITY = 0.01;
const SALT = 0x61_69_00;

/** Standard normal distribution function, to 1e-7 (Abramowitz and Stegun 7.1.26). */
function normalCdf(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - tail * Math.exp((-x * x) / 2);
  return x < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
}

const clamp = (x: number, limit: number) => Math.max(-limit, Math.min(limit, x));
const rounded = (x: number) => Number(x.toFixed(4));

/** The expected return in units of volatility: mean and standard deviation. */
function oddsOf({ mean, spread }: { mean: number; spread: number }): Odds {
  const within = (p: number) => Math.max(MIN_PROBABILITY, Math.min(1 - 2 * MIN_PROBABILITY, p));
  const up = rounded(within(1 - normalCdf((FLAT_BAND - mean) / spread)));
  const down = rounded(Math.min(within(normalCdf((-FLAT_BAND - mean) / spread)), 1 - MIN_PROBABILITY - up));
  return { up, flat: rounded(1 - up - down), down };
}

type Expectation = { mean: number; spread: number };

function expectationOf(
  market: Market,
  style: ForecastStyle,
  coin: (typeof FORECAST_COINS)[number],
  days: number,
  ms: number,
): Expectation {
  const [, id] = coin;
  const signals = signalsOf(market);
  const volatility = signals.usualDeviation(id) * Math.exp(signals.logVolatility(id, ms)) * Math.sqrt(days);
  const salt = SALT + market.get(id).index * 256 + days;
  const noise = wave(market.seed, salt, ms, Math.max(1, days / 4) * DAY);
  if (style === 'bluster') return { mean: OVERCONFIDENT.lean * noise, spread: OVERCONFIDENT.spread };
  const pastReturn = clamp(signals.logReturn(id, ms, days * DAY) / volatility, 2);
  if (style === 'momentum') return { mean: TREND * pastReturn, spread: 1 };
  const futureReturn = clamp(Math.log(market.priceAt(id, ms + days * DAY) / market.priceAt(id, ms)) / volatility, 2.5);
  const foresight = INSIGHT * futureReturn + Math.sqrt(1 - INSIGHT ** 2) * noise;
  return { mean: INSIGHT * foresight, spread: Math.sqrt(1 - INSIGHT ** 2) };
}

export type Forecast = { market: Record<Horizon, Odds>; assets: Record<string, Record<Horizon, Odds>> };

/** The forecast of a model of this style at a given time, independent of when it is computed. */
export function forecastAt(market: Market, style: ForecastStyle, ms: number): Forecast {
  const horizons = Object.entries(FORECAST_DAYS) as [Horizon, number][];
  const expectations = FORECAST_COINS.map((coin) =>
    horizons.map(([, days]) => expectationOf(market, style, coin, days, ms)),
  );
  const perHorizon = (oddsAt: (index: number) => Odds) =>
    Object.fromEntries(horizons.map(([horizon], index) => [horizon, oddsAt(index)])) as Record<Horizon, Odds>;
  const marketView = (index: number): Expectation => ({
    mean: expectations.reduce((sum, row, i) => sum + (FORECAST_COINS[i]?.[2] ?? 0) * (row[index]?.mean ?? 0), 0),
    spread: expectations[0]?.[index]?.spread ?? 1,
  });
  return {
    market: perHorizon((index) => oddsOf(marketView(index))),
    assets: Object.fromEntries(
      FORECAST_COINS.map(([symbol], i) => [
        symbol,
        perHorizon((index) => oddsOf(expectations[i]?.[index] ?? marketView(index))),
      ]),
    ),
  };
}
