export const CLASSES = ['up', 'flat', 'down'];
export const DAY_MS = 86_400_000;

export const mean = (values) =>
  values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;

export const brierOf = (p, outcome) =>
  CLASSES.reduce((sum, name) => sum + (p[name] - (name === outcome ? 1 : 0)) ** 2, 0);

/** Over the order down < flat < up. */
export function rpsOf(p, outcome) {
  const reached = { down: [1, 1], flat: [0, 1], up: [0, 0] }[outcome];
  return (p.down - reached[0]) ** 2 + (p.down + p.flat - reached[1]) ** 2;
}

/** Relative to the best baseline. */
export function skillOf(score, ...baselines) {
  const best = Math.min(...baselines);
  return score !== null && best > 0 ? 1 - score / best : null;
}

export const logScoreOf = (p, outcome) => -Math.log(Math.max(p[outcome], 0.001));

/** The most likely class; a tie for the maximum is a call of flat. */
export function calledBy(p) {
  const most = Math.max(p.up, p.flat, p.down);
  const first = CLASSES.filter((name) => p[name] === most);
  return first.length === 1 ? first[0] : 'flat';
}

export function wilson(rate, n) {
  if (rate === null || n === 0) return null;
  const z = 1.959963984540054;
  const centre = rate + (z * z) / (2 * n);
  const spread = z * Math.sqrt((rate * (1 - rate) + (z * z) / (4 * n)) / n);
  const scale = 1 + (z * z) / n;
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

/** Mean rank among ties, from the number of smaller and equal values. */
function ranksOf(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const firstAt = new Map();
  const times = new Map();
  for (const [i, value] of sorted.entries()) {
    if (!firstAt.has(value)) firstAt.set(value, i);
    times.set(value, (times.get(value) ?? 0) + 1);
  }
  return values.map((value) => firstAt.get(value) + (times.get(value) - 1) / 2);
}

export function spearman(x, y) {
  if (x.length < 3) return null;
  const [a, b] = [ranksOf(x), ranksOf(y)];
  const [ma, mb] = [mean(a), mean(b)];
  const covariance = a.reduce((sum, each, i) => sum + (each - ma) * (b[i] - mb), 0);
  const va = a.reduce((sum, each) => sum + (each - ma) ** 2, 0);
  const vb = b.reduce((sum, each) => sum + (each - mb) ** 2, 0);
  return va > 0 && vb > 0 ? Math.max(-1, Math.min(1, covariance / Math.sqrt(va * vb))) : null;
}

/** CORP: pool adjacent violators over groups of equal forecasts, then the Brier decomposition. */
export function corp(forecasts, events) {
  const groups = new Map();
  for (const [i, p] of forecasts.entries()) {
    const group = groups.get(p) ?? { from: p, to: p, sum: 0, hits: 0, count: 0 };
    groups.set(p, { ...group, sum: group.sum + p, hits: group.hits + (events[i] ? 1 : 0), count: group.count + 1 });
  }
  const blocks = [];
  for (const group of [...groups.values()].toSorted((a, b) => a.from - b.from)) {
    let block = group;
    while (blocks.length > 0 && blocks.at(-1).hits * block.count >= block.hits * blocks.at(-1).count) {
      const { from, sum, hits, count } = blocks.pop();
      block = { from, to: block.to, sum: sum + block.sum, hits: hits + block.hits, count: count + block.count };
    }
    blocks.push(block);
  }
  const n = forecasts.length;
  const base = blocks.reduce((sum, { hits }) => sum + hits, 0) / n;
  const brier = mean(forecasts.map((p, i) => (p - (events[i] ? 1 : 0)) ** 2));
  const calibrated =
    blocks.reduce(
      (sum, { hits, count }) => sum + hits * (1 - hits / count) ** 2 + (count - hits) * (hits / count) ** 2,
      0,
    ) / n;
  return {
    points: blocks.map(({ from, to, sum, hits, count }) => ({
      from,
      to,
      forecast: sum / count,
      observed: hits / count,
      count,
    })),
    brier,
    miscalibration: brier - calibrated,
    discrimination: base * (1 - base) - calibrated,
    uncertainty: base * (1 - base),
  };
}

/** Dates at least the horizon apart, starting with the oldest. */
export function independent(dates, horizonDays) {
  const taken = [];
  for (const date of dates.toSorted((a, b) => a.day - b.day))
    if (taken.length === 0 || date.day - taken.at(-1).day >= horizonDays) taken.push(date);
  return taken;
}
