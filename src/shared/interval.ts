/** Fewer values do not give a meaningful interval. */
export const MIN_VALUES = 8;
const Z99 = 2.5758;

/** Two-sided 99% quantile of Student's t, by its expansion around the normal one. */
function t99(df: number): number {
  const z = Z99;
  return (
    z +
    (z ** 3 + z) / (4 * df) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * df ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * df ** 3)
  );
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Student's 99% confidence interval of the mean; null below eight values. */
export function confidenceInterval(values: readonly number[]): { low: number; high: number } | null {
  const n = values.length;
  if (n < MIN_VALUES) return null;
  const middle = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (n - 1);
  const half = t99(n - 1) * Math.sqrt(variance / n);
  return { low: middle - half, high: middle + half };
}
