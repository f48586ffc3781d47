import type { Noise } from './random.ts';
import { item } from './time.ts';

/** One interval in log prices; `sigma` is its standard deviation, `share` its part of the day's volume. */
export type Interval = { open: number; close: number; high: number; low: number; sigma: number; share: number };

/** Maximum draws until a walk is close to the extremes. */
const MAX_DRAWS = 4;
/** In standard deviations of a part: how far above an end the extreme may be and still be next to it. */
const END_REACH = 1.5;

/** The highest or lowest knot of a walk, the part that contains the extreme, and the shift required. */
type Peak = { knot: number; part: number; shift: number };

/** The high of a Brownian bridge has a known distribution: drawn from one uniform. */
export function bridgeHigh(open: number, close: number, sigma: number, uniform: number): number {
  const gap = close - open;
  return (open + close + Math.sqrt(gap * gap - 2 * sigma * sigma * Math.log(uniform))) / 2;
}

export function bridgeLow(open: number, close: number, sigma: number, uniform: number): number {
  return -bridgeHigh(-open, -close, sigma, uniform);
}

/** The same, conditioned on staying below `limit`. */
function boundedHigh(open: number, close: number, sigma: number, limit: number, uniform: number): number {
  const beyond = Math.exp((-2 * (limit - open) * (limit - close)) / (sigma * sigma || 1));
  return Math.min(limit, bridgeHigh(open, close, sigma, beyond + (1 - beyond) * uniform));
}

function reflectIntoBand(value: number, high: number, low: number): number {
  const span = high - low;
  if (span <= 0) return high;
  const folds = Math.abs((high - value) / span) % 2;
  return high - span * (folds > 1 ? 2 - folds : folds);
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

  /** `unevenness` spreads the variance unevenly over the parts: some hours are volatile, some quiet. */
  static of(parent: Interval, count: number, unevenness: number, noise: Noise): Parts {
    const parts = new Parts(count);
    const sigma = Math.min(parent.sigma, parent.high - parent.low);
    let [top, bottom] = parts.#draw(parent, sigma, unevenness, noise);
    for (let draws = 1; draws < MAX_DRAWS && Math.max(Math.abs(top.shift), Math.abs(bottom.shift)) > sigma / 2; draws++)
      [top, bottom] = parts.#draw(parent, sigma, unevenness, noise);
    parts.#fitToExtremes(parent, top, bottom);
    parts.#drawExtremes(parent, top.part, bottom.part, noise);
    parts.#distributeVolume(parent);
    return parts;
  }

  /** A walk from open to close, and how far its extremes are from those of the whole. */
  #draw(
    { open, close, high, low }: Interval,
    sigma: number,
    unevenness: number,
    noise: Noise,
  ): [top: Peak, bottom: Peak] {
    const [data, n] = [this.#data, this.count];
    const sigmas = 3 * n + 1;
    let variance = 0;
    for (let i = 0; i < n; i++) {
      const weight = unevenness > 0 ? Math.exp(unevenness * noise.normal()) : 1;
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
    const bridgeError = close - open - walk;
    const total = sigma * sigma || 1;
    let elapsed = 0;
    data[0] = open;
    for (let i = 0; i < n - 1; i++) {
      elapsed += item(data, sigmas + i) ** 2;
      data[i + 1] = open + item(data, i + 1) + bridgeError * (elapsed / total);
    }
    data[n] = close;
    return [this.#peak(1, high, noise), this.#peak(-1, low, noise)];
  }

  /**
   * The highest knot, or with -1 the lowest. An end close to the extreme may have it in the adjacent part; the end
   * never moves.
   */
  #peak(sign: 1 | -1, extreme: number, noise: Noise): Peak {
    const [n, uniform] = [this.count, noise.uniform()];
    const at = (knot: number) => sign * this.knot(knot);
    const end = at(0) > at(n) ? 0 : n;
    let knot = 1;
    for (let i = 2; i < n; i++) if (at(i) > at(knot)) knot = i;
    const last = Math.min(end, n - 1);
    if (at(end) > at(knot) && sign * extreme - at(end) < END_REACH * this.sigma(last))
      return { knot: end, part: last, shift: 0 };
    const [left, right] = [at(knot - 1), at(knot + 1)];
    const part = left > right ? knot - 1 : knot;
    const reached = bridgeHigh(at(knot), Math.max(left, right), this.sigma(part), uniform);
    return { knot, part, shift: extreme - sign * reached };
  }

  /** Shifts the walk so that its peaks meet the extremes; points outside the band are mirrored at its edge. */
  #fitToExtremes({ high, low }: Interval, top: Peak, bottom: Peak): void {
    const [data, n] = [this.#data, this.count];
    const [first, second] = top.knot < bottom.knot ? [top, bottom] : [bottom, top];
    const anchors = [{ knot: 0, shift: 0 }, first, second, { knot: n, shift: 0 }];
    for (const [i, to] of anchors.entries()) {
      const from = item(anchors, Math.max(0, i - 1));
      for (let k = from.knot + 1; k <= to.knot && k < n; k++) {
        const lean = from.shift + ((to.shift - from.shift) * (k - from.knot)) / (to.knot - from.knot);
        data[k] = reflectIntoBand(item(data, k) + lean, high, low);
      }
    }
  }

  /** Highs and lows by the distribution of a bridge within the band; only the two peak parts reach its edges. */
  #drawExtremes({ high, low }: Interval, top: number, bottom: number, noise: Noise): void {
    const [data, n] = [this.#data, this.count];
    for (let i = 0; i < n; i++) {
      const [from, to, part] = [this.knot(i), this.knot(i + 1), this.sigma(i)];
      data[n + 1 + i] = i === top ? high : boundedHigh(from, to, part, high, noise.uniform());
      data[2 * n + 1 + i] = i === bottom ? low : -boundedHigh(-from, -to, part, -low, noise.uniform());
    }
  }

  #distributeVolume({ sigma, share }: Interval): void {
    const [data, n] = [this.#data, this.count];
    const typicalSigma = sigma / Math.sqrt(n) || 1;
    const shares = 4 * n + 1;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const weight = 0.2 + this.sigma(i) / typicalSigma + Math.abs(this.knot(i + 1) - this.knot(i)) / typicalSigma;
      data[shares + i] = weight;
      sum += weight;
    }
    for (let i = 0; i < n; i++) data[shares + i] = (share * item(data, shares + i)) / sum;
  }
}
