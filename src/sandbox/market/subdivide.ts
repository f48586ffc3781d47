import { item } from './item.ts';
import type { Noise } from './random.ts';

/** One interval in log prices; `sigma` is its standard deviation, `share` its part of the day's volume. */
export type Interval = { open: number; close: number; high: number; low: number; sigma: number; share: number };

/** The highest point of a Brownian bridge has a known law: one uniform draws it. */
export function bridgeHigh(open: number, close: number, sigma: number, uniform: number): number {
  const gap = close - open;
  return (open + close + Math.sqrt(gap * gap - 2 * sigma * sigma * Math.log(uniform))) / 2;
}

export function bridgeLow(open: number, close: number, sigma: number, uniform: number): number {
  return -bridgeHigh(-open, -close, sigma, uniform);
}

/**
 * The parts of an interval, packed: n + 1 knots, then n highs, lows, sigmas and volume shares.
 * Knots run from the interval's open to its close, the highest high is its high, the lowest low its low.
 */
export class Parts {
  readonly count: number;
  readonly #data: Float64Array;

  constructor(count: number) {
    this.count = count;
    this.#data = new Float64Array(5 * count + 1);
  }

  knot(i: number): number {
    return item(this.#data, i);
  }

  high(i: number): number {
    return item(this.#data, this.count + 1 + i);
  }

  low(i: number): number {
    return item(this.#data, 2 * this.count + 1 + i);
  }

  sigma(i: number): number {
    return item(this.#data, 3 * this.count + 1 + i);
  }

  share(i: number): number {
    return item(this.#data, 4 * this.count + 1 + i);
  }

  interval(i: number): Interval {
    return {
      open: this.knot(i),
      close: this.knot(i + 1),
      high: this.high(i),
      low: this.low(i),
      sigma: this.sigma(i),
      share: this.share(i),
    };
  }

  /** `restless` spreads the variance unevenly over the parts: some hours are wild, some asleep. */
  static of(whole: Interval, count: number, restless: number, noise: Noise): Parts {
    const parts = new Parts(count);
    parts.#draw(whole, restless, noise);
    parts.#fit(whole);
    parts.#shareOut(whole);
    return parts;
  }

  #draw({ open, close, sigma }: Interval, restless: number, noise: Noise): void {
    const [data, n] = [this.#data, this.count];
    const sigmas = 3 * n + 1;
    let variance = 0;
    for (let i = 0; i < n; i++) {
      const weight = restless > 0 ? Math.exp(restless * noise.normal()) : 1;
      data[sigmas + i] = weight;
      variance += weight;
    }
    let walk = 0;
    for (let i = 0; i < n; i++) {
      const part = sigma * Math.sqrt(item(data, sigmas + i) / variance);
      data[sigmas + i] = part;
      walk += part * noise.normal();
      data[i + 1] = walk;
    }
    const miss = close - open - walk;
    const total = sigma * sigma;
    let elapsed = 0;
    data[0] = open;
    for (let i = 0; i < n - 1; i++) {
      elapsed += item(data, sigmas + i) ** 2;
      data[i + 1] = open + item(data, i + 1) + miss * (elapsed / total);
    }
    data[n] = close;
    for (let i = 0; i < n; i++) {
      const [from, to, part] = [this.knot(i), this.knot(i + 1), this.sigma(i)];
      data[n + 1 + i] = bridgeHigh(from, to, part, noise.uniform());
      data[2 * n + 1 + i] = bridgeLow(from, to, part, noise.uniform());
    }
  }

  /** Stretches what lies above and below the ends so that the extremes are exactly those of the whole. */
  #fit({ open, close, high, low }: Interval): void {
    const [data, n] = [this.#data, this.count];
    const [highs, lows] = [n + 1, 2 * n + 1];
    let top = 0;
    let bottom = 0;
    for (let i = 1; i < n; i++) {
      if (this.high(i) > this.high(top)) top = i;
      if (this.low(i) < this.low(bottom)) bottom = i;
    }
    const ceiling = Math.max(open, close);
    const floor = Math.min(open, close);
    const over = this.high(top) - ceiling;
    const under = floor - this.low(bottom);
    const up = over > 0 ? (high - ceiling) / over : 0;
    const down = under > 0 ? (floor - low) / under : 0;
    for (let i = 1; i < lows + n; i++) {
      if (i === n) continue;
      const value = item(data, i);
      if (value > ceiling) data[i] = Math.min(high, ceiling + (value - ceiling) * up);
      else if (value < floor) data[i] = Math.max(low, floor - (floor - value) * down);
    }
    data[highs + top] = high;
    data[lows + bottom] = low;
  }

  #shareOut({ sigma, share }: Interval): void {
    const [data, n] = [this.#data, this.count];
    const usual = sigma / Math.sqrt(n) || 1;
    const shares = 4 * n + 1;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const weight = 0.2 + this.sigma(i) / usual + Math.abs(this.knot(i + 1) - this.knot(i)) / usual;
      data[shares + i] = weight;
      sum += weight;
    }
    for (let i = 0; i < n; i++) data[shares + i] = (share * item(data, shares + i)) / sum;
  }
}
