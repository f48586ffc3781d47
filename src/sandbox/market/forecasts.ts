import type { Market } from './market.ts';
import { signalsOf, wave } from './signals.ts';
import { DAY } from './time.ts';

/**
 * How a model forecasts: `insight` sees a little of the future, `momentum` extrapolates the past, `bluster` is
 * confident without skill.
 */
export type Temper = 'insight' | 'momentum' | 'bluster';
export type Odds = { up: number; flat: number; down: number };

export const FORECAST_DAYS = { '24h': 1, '7d': 7, '28d': 28, '180d': 180 } as const;
export type Distance = keyof typeof FORECAST_DAYS;

/** [symbol, id of the coin, weight in the market as a whole] */
export const FORECAST_COINS = [
  ['BTC', 'bitcoin', 0.55],
  ['ETH', 'ethereum', 0.25],
  ['SOL', 'solana', 0.1],
  ['SUI', 'sui', 0.03],
  ['XRP', 'ripple', 0.07],
] as const;

const FLAT = 0.43;
/** Correlation between the signal of `insight` and the outcome. */
const INSIGHT = 0.35;
const TREND = 0.25;
const BLUSTER = { lean: 0.9, spread: 0.65 };
const LEAST = 0.01;
const SALT = 0x61_69_00;

/** Standard normal distribution function, to 1e-7 (Abramowitz and Stegun 7.1.26). */
function below(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - tail * Math.exp((-x * x) / 2);
  return x < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
}

const limited = (x: number, most: number) => Math.max(-most, Math.min(most, x));
const digits = (x: number) => Number(x.toFixed(4));

/** The expected return in units of volatility: mean and standard deviation. */
function oddsOf({ mean, spread }: { mean: number; spread: number }): Odds {
  const within = (p: number) => Math.max(LEAST, Math.min(1 - 2 * LEAST, p));
  const up = digits(within(1 - below((FLAT - mean) / spread)));
  const down = digits(Math.min(within(below((-FLAT - mean) / spread)), 1 - LEAST - up));
  return { up, flat: digits(1 - up - down), down };
}

type View = { mean: number; spread: number };

function viewOf(market: Market, temper: Temper, coin: (typeof FORECAST_COINS)[number], days: number, ms: number): View {
  const [, id] = coin;
  const signals = signalsOf(market);
  const volatility = signals.usual(id) * Math.exp(signals.restlessness(id, ms)) * Math.sqrt(days);
  const salt = SALT + market.get(id).index * 256 + days;
  const noise = wave(market.seed, salt, ms, Math.max(1, days / 4) * DAY);
  if (temper === 'bluster') return { mean: BLUSTER.lean * noise, spread: BLUSTER.spread };
  const past = limited(signals.logReturn(id, ms, days * DAY) / volatility, 2);
  if (temper === 'momentum') return { mean: TREND * past, spread: 1 };
  const future = limited(Math.log(market.priceAt(id, ms + days * DAY) / market.priceAt(id, ms)) / volatility, 2.5);
  const seen = INSIGHT * future + Math.sqrt(1 - INSIGHT ** 2) * noise;
  return { mean: INSIGHT * seen, spread: Math.sqrt(1 - INSIGHT ** 2) };
}

export type Forecast = { market: Record<Distance, Odds>; assets: Record<string, Record<Distance, Odds>> };

/** The forecast of a model of this temper at a given time, independent of when it is computed. */
export function forecastAt(market: Market, temper: Temper, ms: number): Forecast {
  const distances = Object.entries(FORECAST_DAYS) as [Distance, number][];
  const views = FORECAST_COINS.map((coin) => distances.map(([, days]) => viewOf(market, temper, coin, days, ms)));
  const each = (make: (place: number) => Odds) =>
    Object.fromEntries(distances.map(([distance], place) => [distance, make(place)])) as Record<Distance, Odds>;
  const whole = (place: number): View => ({
    mean: views.reduce((sum, row, i) => sum + (FORECAST_COINS[i]?.[2] ?? 0) * (row[place]?.mean ?? 0), 0),
    spread: views[0]?.[place]?.spread ?? 1,
  });
  return {
    market: each((place) => oddsOf(whole(place))),
    assets: Object.fromEntries(
      FORECAST_COINS.map(([symbol], i) => [symbol, each((place) => oddsOf(views[i]?.[place] ?? whole(place)))]),
    ),
  };
}
