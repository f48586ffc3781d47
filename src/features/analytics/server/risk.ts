/** A year of a market that never closes. */
const YEAR_DAYS = 365;
/** Annual risk-free rate. */
export const RISK_FREE = 0.02;
/** A smaller deviation is a rounding error. */
const NOTHING = 1e-12;

/** Percent per year; ratios of the annual figures. null when the divisor is zero. */
export type ReturnRisk = { volatility: number; sharpe: number | null; sortino: number | null };

/** Four accumulators, so that additions do not wait for each other. */
function computeMean(values: Float64Array): number {
  const n = values.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
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

/**
 * For at least two daily returns, as fractions. Sample deviation; downside deviation from the daily risk-free rate over
 * all days.
 */
export function computeReturnRisk(returns: Float64Array): ReturnRisk {
  const n = returns.length;
  const mean = computeMean(returns);
  const free = RISK_FREE / YEAR_DAYS;
  let even = 0;
  let odd = 0;
  let low = 0;
  let lower = 0;
  let i = 0;
  for (; i + 1 < n; i += 2) {
    const x = returns[i] as number;
    const y = returns[i + 1] as number;
    const dx = x - mean;
    const dy = y - mean;
    even += dx * dx;
    odd += dy * dy;
    // Twice the smaller of 0 and the distance, without a branch, which would be mispredicted half the time.
    const fx = x - free - Math.abs(x - free);
    const fy = y - free - Math.abs(y - free);
    low += fx * fx;
    lower += fy * fy;
  }
  if (i < n) {
    const x = returns[i] as number;
    even += (x - mean) ** 2;
    low += (2 * Math.min(0, x - free)) ** 2;
  }
  const deviation = Math.sqrt((even + odd) / (n - 1));
  const downside = Math.sqrt((low + lower) / n) / 2;
  const excess = mean * YEAR_DAYS - RISK_FREE;
  const ratio = (by: number) => (by > NOTHING ? excess / (by * Math.sqrt(YEAR_DAYS)) : null);
  return { volatility: 100 * deviation * Math.sqrt(YEAR_DAYS), sharpe: ratio(deviation), sortino: ratio(downside) };
}

/** Largest decline from a previous highest close, in percent; 0 if it never fell. */
export function maxDrawdown(closes: readonly number[]): number {
  let [peak, worst] = [0, 0];
  for (const close of closes) {
    if (close > peak) peak = close;
    else worst = Math.max(worst, 1 - close / peak);
  }
  return 100 * worst;
}

/** Covariance with the other returns of the same days ÷ their variance; null when those are constant. */
export function betaTo(returns: Float64Array, others: Float64Array): number | null {
  const [mean, otherMean] = [computeMean(returns), computeMean(others)];
  let [together, square] = [0, 0];
  for (let i = 0; i < returns.length; i++) {
    const distance = (others[i] as number) - otherMean;
    together += ((returns[i] as number) - mean) * distance;
    square += distance * distance;
  }
  return Math.sqrt(square / others.length) > NOTHING ? together / square : null;
}

/** Rolling sums restart after this many steps, to bound rounding errors. */
const SEED_EVERY = 4096;
/** Below this share of the largest sum since then, rounding errors would be visible. */
const DOUBTFUL = 1e-3;

/**
 * Volatility in percent per year over each `window` of returns, from the first complete one. `into` is a buffer for
 * reuse.
 */
export function rollingVolatility(
  returns: Float64Array,
  window: number,
  into = new Float64Array(Math.max(0, returns.length - window + 1)),
): Float64Array {
  const scale = 100 * Math.sqrt(YEAR_DAYS);
  const count = returns.length - window + 1;
  const perWindow = 1 / window;
  const factor = (scale * scale) / (window - 1);
  for (let seed = 0; seed < count; seed += SEED_EVERY) {
    const end = Math.min(count, seed + SEED_EVERY);
    const centre = computeMean(returns.subarray(seed, seed + window));
    let sum = 0;
    let squares = 0;
    for (let i = seed; i < seed + window; i++) {
      const distance = (returns[i] as number) - centre;
      sum += distance;
      squares += distance * distance;
    }
    let doubtful = squares * DOUBTFUL;
    for (let i = seed; ; ) {
      const square = squares - sum * sum * perWindow;
      into[i] = square > doubtful ? Math.sqrt(square * factor) : scale * exactly(returns, i, window);
      if (++i === end) break;
      const gone = (returns[i - 1] as number) - centre;
      const come = (returns[i + window - 1] as number) - centre;
      sum += come - gone;
      squares += (come - gone) * (come + gone);
      if (squares * DOUBTFUL > doubtful) doubtful = squares * DOUBTFUL;
    }
  }
  return into;
}

function exactly(returns: Float64Array, from: number, window: number): number {
  const part = returns.subarray(from, from + window);
  const mean = computeMean(part);
  let square = 0;
  for (let i = 0; i < window; i++) square += ((part[i] as number) - mean) ** 2;
  return Math.sqrt(square / (window - 1));
}
