import type { Crossing } from '../gate.ts';
import type { LevelName } from '../levels.ts';
import type { Known, Reading } from '../reading.ts';

/** What a rule says of one gate at one moment. */
export type Judged = {
  gate: string;
  levels: LevelName;
  /** Held against the levels. */
  strength: number;
  metric: string;
  /** In the unit of the metric. */
  value: number | null;
  message: (crossing: Crossing) => string;
  birth: Omit<Known, 'value'>;
  event?: { id: number; date: string };
};

/** Judges what is known; of what is not it says nothing. */
export type Rule = (reading: Reading) => Judged[];

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of a sample. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1] ?? 0, sorted[Math.floor(half)] ?? 0];
  return (low + high) / 2;
}

/** '8.4', with a true minus. */
export const figure = (value: number, decimals: number): string =>
  value.toFixed(decimals).replace('-', Number(value.toFixed(decimals)) === 0 ? '' : '\u2212');
