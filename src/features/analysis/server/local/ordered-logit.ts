/** Classes in order: 0 down, 1 flat, 2 up. */
export type OrderedLogit = {
  /** Cut points between down and flat, flat and up. */
  cuts: readonly [number, number];
  weights: readonly number[];
};

const sigmoid = (z: number): number => (z >= 0 ? 1 / (1 + Math.exp(-z)) : Math.exp(z) / (1 + Math.exp(z)));
const LEAST = 1e-9;
const STEPS = 30;
const ENOUGH = 1e-6;

const score = (weights: readonly number[], row: Float64Array): number => {
  let sum = 0;
  for (const [i, weight] of weights.entries()) sum += weight * (row[i] ?? 0);
  return sum;
};

/** McCullagh's proportional odds: P(class ≤ k) = sigmoid(cut_k − weights·x). Gives down, flat, up. */
export function predict({ cuts, weights }: OrderedLogit, row: Float64Array): [number, number, number] {
  const z = score(weights, row);
  const down = sigmoid(cuts[0] - z);
  const notUp = sigmoid(cuts[1] - z);
  return [down, Math.max(0, notUp - down), 1 - notUp];
}

/**
 * Maximum likelihood with a ridge on the weights (not on the cuts), by Fisher scoring with the outer product of gradients.
 * `ridge` is the prior precision of a weight on standardised features. Weights are zero where the data say nothing.
 */
export function fitOrderedLogit(
  rows: readonly Float64Array[],
  classes: Uint8Array,
  width: number,
  ridge: number,
): OrderedLogit {
  let model = startingPoint(classes, width);
  let likelihood = penalised(model, rows, classes, ridge);
  for (let step = 0; step < STEPS; step++) {
    const { gradient, information } = derivatives(model, rows, classes, ridge);
    const direction = solve(information, gradient);
    let size = 1;
    let next = moved(model, direction, size);
    let reached = penalised(next, rows, classes, ridge);
    // A step that overshoots, or puts the cuts out of order, is halved.
    while ((!(reached >= likelihood) || next.cuts[0] >= next.cuts[1]) && size > 1e-4) {
      size /= 2;
      next = moved(model, direction, size);
      reached = penalised(next, rows, classes, ridge);
    }
    if (!(reached > likelihood) || next.cuts[0] >= next.cuts[1]) break;
    const gained = reached - likelihood;
    model = next;
    likelihood = reached;
    if (gained < ENOUGH * Math.abs(likelihood)) break;
  }
  return model;
}

/** The cuts that give every class its share, each counted once more so that none is empty. */
function startingPoint(classes: Uint8Array, width: number): OrderedLogit {
  const counts = [1, 1, 1];
  for (const c of classes) counts[c] = (counts[c] ?? 0) + 1;
  const [down = 1, flat = 1] = counts;
  const n = classes.length + 3;
  const logit = (p: number) => Math.log(p / (1 - p));
  return { cuts: [logit(down / n), logit((down + flat) / n)], weights: Array.from({ length: width }, () => 0) };
}

function penalised(model: OrderedLogit, rows: readonly Float64Array[], classes: Uint8Array, ridge: number): number {
  let sum = 0;
  for (const [i, row] of rows.entries()) sum += Math.log(Math.max(LEAST, predict(model, row)[classes[i] as 0 | 1 | 2]));
  for (const weight of model.weights) sum -= (ridge * weight * weight) / 2;
  return sum;
}

const moved = ({ cuts, weights }: OrderedLogit, direction: Float64Array, size: number): OrderedLogit => ({
  cuts: [cuts[0] + size * (direction[0] ?? 0), cuts[1] + size * (direction[1] ?? 0)],
  weights: weights.map((weight, i) => weight + size * (direction[i + 2] ?? 0)),
});

function derivatives(model: OrderedLogit, rows: readonly Float64Array[], classes: Uint8Array, ridge: number) {
  const size = model.weights.length + 2;
  const gradient = new Float64Array(size);
  const information = Array.from({ length: size }, () => new Float64Array(size));
  const own = new Float64Array(size);
  for (const [i, row] of rows.entries()) {
    const z = score(model.weights, row);
    const lower = sigmoid(model.cuts[0] - z);
    const upper = sigmoid(model.cuts[1] - z);
    const [lowerSlope, upperSlope] = [lower * (1 - lower), upper * (1 - upper)];
    const c = classes[i];
    const p = Math.max(LEAST, c === 0 ? lower : c === 1 ? upper - lower : 1 - upper);
    own[0] = (c === 0 ? lowerSlope : c === 1 ? -lowerSlope : 0) / p;
    own[1] = (c === 1 ? upperSlope : c === 2 ? -upperSlope : 0) / p;
    const byScore = -(own[0] + own[1]);
    for (let k = 2; k < size; k++) own[k] = byScore * (row[k - 2] ?? 0);
    for (let a = 0; a < size; a++) {
      const value = own[a] ?? 0;
      gradient[a] = (gradient[a] ?? 0) + value;
      const line = information[a] as Float64Array;
      for (let b = 0; b <= a; b++) line[b] = (line[b] ?? 0) + value * (own[b] ?? 0);
    }
  }
  for (let a = 0; a < size; a++) {
    const line = information[a] as Float64Array;
    if (a >= 2) {
      gradient[a] = (gradient[a] ?? 0) - ridge * (model.weights[a - 2] ?? 0);
      line[a] = (line[a] ?? 0) + ridge;
    }
    line[a] = (line[a] ?? 0) + LEAST;
    for (let b = 0; b < a; b++) (information[b] as Float64Array)[a] = line[b] ?? 0;
  }
  return { gradient, information };
}

/** Gauss with partial pivoting. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const rows: Float64Array[] = matrix.map((line, i) => Float64Array.of(...line, right[i] ?? 0));
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(rows[r]?.[c] ?? 0) > Math.abs(rows[pivot]?.[c] ?? 0)) pivot = r;
    [rows[c], rows[pivot]] = [rows[pivot] as Float64Array, rows[c] as Float64Array];
    const line = rows[c] as Float64Array;
    const head = line[c] || LEAST;
    for (let r = c + 1; r < n; r++) {
      const other = rows[r] as Float64Array;
      const factor = (other[c] ?? 0) / head;
      for (let k = c; k <= n; k++) other[k] = (other[k] ?? 0) - factor * (line[k] ?? 0);
    }
  }
  const solution = new Float64Array(n);
  for (let r = n - 1; r >= 0; r--) {
    const line = rows[r] as Float64Array;
    let sum = line[n] ?? 0;
    for (let k = r + 1; k < n; k++) sum -= (line[k] ?? 0) * (solution[k] ?? 0);
    solution[r] = sum / (line[r] || LEAST);
  }
  return solution;
}
