/** A count that never promises more than there is: 253 is '250+', 17 is '15+', 7 is '7'. */
export function atLeast(count: number): string {
  if (count < 10) return String(count);
  const step = count < 100 ? 5 : count < 1000 ? 50 : 500;
  return `${new Intl.NumberFormat('en-US').format(Math.floor(count / step) * step)}+`;
}

export type Uptime = { percent: number | null; windowDays: number; targetPercent: number };

/** The measured figure with its window and the target; the target alone until enough is measured. */
export function uptimeText({ percent, windowDays, targetPercent }: Uptime): { figure: string; words: string } {
  if (percent === null) return { figure: `${targetPercent}%`, words: 'uptime is the target, measuring since start' };
  // Rounded down: 99.96 must not read 100.
  const shown = Math.floor(percent * 100) / 100;
  return { figure: `${shown}%`, words: `uptime over the last ${windowText(windowDays)}, target ${targetPercent}%` };
}

const MINUTES_A_DAY = 1440;

function windowText(days: number): string {
  if (days === 1) return 'day';
  if (days > 1) return `${days} days`;
  const minutes = Math.max(1, Math.round(days * MINUTES_A_DAY));
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} hours`;
}
