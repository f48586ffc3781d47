import { tenths } from './rates.ts';

export const LOCAL_FORECASTER = { id: 'local', name: 'Built-in forecaster (rules, no AI)' };

const WINDOW = 24;
const LEAST = 6;
/** So many months of no persistence weigh against what was seen. */
const PRIOR = 12;

export type LocalForecast = { prediction: number; confidence: number | null };

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function expect(values: readonly number[]): number {
  const window = values.slice(-WINDOW);
  const middle = mean(window);
  const off = window.map((value) => value - middle);
  const pairs = off.slice(1).map((value, i) => value * (off[i] ?? 0));
  const squares = off.reduce((sum, value) => sum + value * value, 0);
  const seen = squares > 0 ? pairs.reduce((sum, value) => sum + value, 0) / squares : 0;
  const persistence = Math.max(-0.5, Math.min(0.8, (seen * window.length) / (window.length + PRIOR)));
  return middle + persistence * ((window.at(-1) ?? middle) - middle);
}

/**
 * The mean of the last 24 monthly changes, and as much of the last one's distance from it as such distances have lasted.
 * Its confidence is how often the same rule was within a tenth before, each time knowing no more than was known then.
 */
export function localForecast(changes: readonly number[]): LocalForecast | null {
  if (changes.length < LEAST) return null;
  const tried = changes.slice(LEAST).map((actual, i) => Math.abs(tenths(expect(changes.slice(0, i + LEAST))) - actual));
  const hits = tried.slice(-WINDOW).filter((error) => error < 0.1 + 1e-9).length;
  return {
    prediction: Number(expect(changes).toFixed(2)) + 0,
    confidence: tried.length > 0 ? Math.round((100 * hits) / Math.min(WINDOW, tried.length)) : null,
  };
}
