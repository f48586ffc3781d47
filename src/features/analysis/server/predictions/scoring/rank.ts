/** Equal values share the mean of their ranks. */
function ranks(values: readonly number[]): Float64Array {
  const order = values.map((_, i) => i).toSorted((a, b) => (values[a] as number) - (values[b] as number));
  const ranked = new Float64Array(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to] as number] === values[order[from] as number]) to++;
    for (let i = from; i < to; i++) ranked[order[i] as number] = (from + to - 1) / 2;
    from = to;
  }
  return ranked;
}

/** Spearman's rank correlation (1904). Null for fewer than three pairs, or when one side never varies. */
export function spearman(x: readonly number[], y: readonly number[]): number | null {
  const n = x.length;
  if (n < 3) return null;
  const [a, b] = [ranks(x), ranks(y)];
  const middle = (n - 1) / 2;
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [da, db] = [(a[i] as number) - middle, (b[i] as number) - middle];
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return aa > 0 && bb > 0 ? Math.max(-1, Math.min(1, ab / Math.sqrt(aa * bb))) : null;
}
