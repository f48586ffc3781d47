type Outcome = 'up' | 'flat' | 'down';
type Probabilities = Record<Outcome, number>;

/** Platt scaling in log-odds: `slope` below 1 means overconfident, `intercept` is the bias. */
export type PlattLine = { intercept: number; slope: number };
export type PlattMap = Record<Outcome, PlattLine>;

const SMALLEST = 1e-3;

export function logOdds(p: number): number {
  const held = Math.min(1 - SMALLEST, Math.max(SMALLEST, p));
  return Math.log(held / (1 - held));
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Probabilities recalibrated by their track record: each class on its own line (Platt 1999), scaled to sum to 1. */
export function recalibrated(said: Probabilities, map: PlattMap): Probabilities {
  const of = (name: Outcome) => sigmoid(map[name].intercept + map[name].slope * logOdds(said[name]));
  const [up, flat, down] = [of('up'), of('flat'), of('down')];
  const sum = up + flat + down;
  return { up: up / sum, flat: flat / sum, down: down / sum };
}
