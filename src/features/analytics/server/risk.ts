/** A year of a market that never closes. */
const YEAR_DAYS = 365;
/** What is called free of risk, a year. */
export const RISK_FREE = 0.02;
/** Below this a deviation is what rounding leaves of none. */
const NOTHING = 1e-12;

/** Percent a year; ratios of the yearly figures. null where there is nothing to divide by. */
export type ReturnRisk = { volatility: number; sharpe: number | null; sortino: number | null };

/** Four chains, so that an addition does not wait for the one before. */
function meanOf(values: Float64Array): number {
  const n = values.length;
  let [a, b, c, d] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < n; i += 4) {
    a += values[i] as number;
    b += values[i + 1] as number;
    c += values[i + 2] as number;
    d += values[i + 3] as number;
  }
  for (; i < n; i++) a += values[i] as number;
  return (a + b + c + d) / n;
}

/** Of two daily returns at least, as fractions. Deviations: the sample's; downside from the risk-free day over all days. */
export function riskOfReturns(returns: Float64Array): ReturnRisk {
  const n = returns.length;
  const mean = meanOf(returns);
  const free = RISK_FREE / YEAR_DAYS;
  let [even, odd] = [0, 0];
  let [low, lower] = [0, 0];
  let i = 0;
  for (; i + 1 < n; i += 2) {
    const [x, y] = [returns[i] as number, returns[i + 1] as number];
    const [dx, dy] = [x - mean, y - mean];
    const [fx, fy] = [Math.min(0, x - free), Math.min(0, y - free)];
    even += dx * dx;
    odd += dy * dy;
    low += fx * fx;
    lower += fy * fy;
  }
  if (i < n) {
    const x = returns[i] as number;
    even += (x - mean) ** 2;
    low += Math.min(0, x - free) ** 2;
  }
  const deviation = Math.sqrt((even + odd) / (n - 1));
  const downside = Math.sqrt((low + lower) / n);
  const excess = mean * YEAR_DAYS - RISK_FREE;
  const ratio = (by: number) => (by > NOTHING ? excess / (by * Math.sqrt(YEAR_DAYS)) : null);
  return { volatility: 100 * deviation * Math.sqrt(YEAR_DAYS), sharpe: ratio(deviation), sortino: ratio(downside) };
}

/** Percent that the price fell at most below its highest close before; 0 where it never fell. */
export function maxDrawdown(closes: readonly number[]): number {
  let [peak, worst] = [0, 0];
  for (const close of closes) {
    if (close > peak) peak = close;
    else worst = Math.max(worst, 1 - close / peak);
  }
  return 100 * worst;
}

/** Covariance with the other returns of the same days ÷ their variance; null where those do not move. */
export function betaTo(returns: Float64Array, others: Float64Array): number | null {
  const [mean, otherMean] = [meanOf(returns), meanOf(others)];
  let [together, square] = [0, 0];
  for (let i = 0; i < returns.length; i++) {
    const distance = (others[i] as number) - otherMean;
    together += ((returns[i] as number) - mean) * distance;
    square += distance * distance;
  }
  return Math.sqrt(square / others.length) > NOTHING ? together / square : null;
}

/** Rolling sums are begun anew after so many steps: what rounding adds to them stays small. */
const SEED_EVERY = 4096;

/**
 * Volatility in percent a year over each `window` of returns, from the first whole one on. `into` takes the values where
 * there is one to be used again.
 */
export function rollingVolatility(
  returns: Float64Array,
  window: number,
  into = new Float64Array(Math.max(0, returns.length - window + 1)),
): Float64Array {
  const scale = 100 * Math.sqrt(YEAR_DAYS);
  const count = returns.length - window + 1;
  const perWindow = 1 / window;
  const perDegree = 1 / (window - 1);
  for (let seed = 0; seed < count; seed += SEED_EVERY) {
    const end = Math.min(count, seed + SEED_EVERY);
    const centre = returns[seed] as number;
    let [sum, squares, largest] = [0, 0, 0];
    for (let i = seed; i < end + window - 1; i++) {
      const distance = Math.abs((returns[i] as number) - centre);
      if (distance > largest) largest = distance;
    }
    for (let i = seed; i < seed + window; i++) {
      const distance = (returns[i] as number) - centre;
      sum += distance;
      squares += distance * distance;
    }
    // So little is left of the sums that rounding would be seen in it.
    const doubtful = largest * largest * 1e-3;
    for (let i = seed; ; ) {
      const square = squares - sum * sum * perWindow;
      into[i] = square > doubtful ? scale * Math.sqrt(square * perDegree) : scale * exactly(returns, i, window);
      if (++i === end) break;
      const gone = (returns[i - 1] as number) - centre;
      const come = (returns[i + window - 1] as number) - centre;
      sum += come - gone;
      squares += come * come - gone * gone;
    }
  }
  return into;
}

function exactly(returns: Float64Array, from: number, window: number): number {
  const part = returns.subarray(from, from + window);
  const mean = meanOf(part);
  let square = 0;
  for (let i = 0; i < window; i++) square += ((part[i] as number) - mean) ** 2;
  return Math.sqrt(square / (window - 1));
}
