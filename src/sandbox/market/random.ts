function mix(hash: number, word: number): number {
  let h = Math.imul(hash ^ word, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Uniform in (0, 1), a pure function of its words. */
export function fraction(a: number, b = 0, c = 0, d = 0): number {
  return ((mix(mix(mix(mix(0x5bd1e995, a), b), c), d) >>> 0) + 0.5) / 4_294_967_296;
}

/** A generator (sfc32) re-seeded for every node of the path, so that no result depends on the order of queries. */
export class Noise {
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 1;
  #spare = Number.NaN;

  seed(k0: number, k1: number, k2: number, k3: number): this {
    this.#a = mix(mix(mix(mix(0x2c1b3c6d, k0), k1), k2), k3);
    this.#b = mix(mix(this.#a, 0x68e31da4), k3);
    this.#c = mix(mix(this.#b, 0x1b56c4e9), k1);
    this.#d = 1;
    this.#spare = Number.NaN;
    for (let i = 0; i < 4; i++) this.uniform();
    return this;
  }

  uniform(): number {
    const t = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return ((t >>> 0) + 0.5) / 4_294_967_296;
  }

  normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const value = this.#spare;
      this.#spare = Number.NaN;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  /** Student's t with four degrees of freedom, scaled to variance 1 and truncated at the level of a trading halt. */
  heavy(): number {
    const chiSquare = -2 * Math.log(this.uniform() * this.uniform());
    const t = (this.normal() / Math.sqrt(chiSquare / 4)) * Math.SQRT1_2;
    return Math.max(-5, Math.min(5, t));
  }
}
