import { grouped } from './format.ts';

/** A count that never overstates: 253 is '250+', 17 is '15+', 7 is '7'. */
export function atLeast(count: number): string {
  if (count < 10) return String(count);
  const step = count < 100 ? 5 : count < 1000 ? 50 : 500;
  return `${grouped(Math.floor(count / step) * step)}+`;
}

export type Uptime = { percent: number | null; windowDays: number; targetPercent: number };

/** Measured uptime with its window and the target; only the target until a day is measured. */
export function uptimeText({ percent, windowDays, targetPercent }: Uptime): { figure: string; words: string } {
  if (percent === null || windowDays < 1)
    return { figure: `${targetPercent}%`, words: 'uptime target; measured after one day' };
  // Rounded down: 99.96 must not be shown as 100.
  const shown = Math.floor(percent * 100) / 100;
  return {
    figure: `${shown}%`,
    words: `uptime over the last ${windowDays === 1 ? 'day' : `${windowDays} days`}, target ${targetPercent}%`,
  };
}
