const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Lanczos's approximation (1964) with g = 7 and nine terms, for x of at least 0.5. */
export function lnGamma(x: number): number {
  const t = x + 6.5;
  const series = LANCZOS.reduce((sum, term, i) => sum + term / (x + i), 0.99999999999980993);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(series);
}

const awayFromZero = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value);

/** The continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method (1976). */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

/** Regularised incomplete beta function I_x(a, b) (DLMF 8.17). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** P(T ≤ t) of Student's t (Abramowitz and Stegun 26.7.1): from the middle near 0, from the tail beyond. */
export function studentCdf(t: number, degrees: number): number {
  const square = t * t;
  if (square < 1) return 0.5 + (Math.sign(t) / 2) * incompleteBeta(square / (degrees + square), 0.5, degrees / 2);
  const tail = incompleteBeta(degrees / (degrees + square), degrees / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** P(Z ≤ z) of the normal distribution by its Taylor series (Marsaglia 2004). */
export function normalCdf(z: number): number {
  if (Math.abs(z) > 8) return z > 0 ? 1 : 0;
  let [term, sum] = [z, z];
  for (let k = 3; sum + term !== sum; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-0.5 * z * z)) / Math.sqrt(2 * Math.PI);
}
