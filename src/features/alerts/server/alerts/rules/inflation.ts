import type { PrintReading, Reading } from '../reading.ts';
import { figure, type Judged } from './rule.ts';

const NAMES = { cpi: 'Consumer prices (CPI)', pce: 'Consumer spending prices (PCE)', ppi: 'Producer prices (PPI)' };
const BASIS = { consensus: 'the consensus', nowcast: 'the Cleveland Fed nowcast', previous: 'the previous month' };
/** A month is often a tenth off the one before: without an expectation that is no surprise yet. */
const USUAL_STEP = 0.1;

const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
const tenths = (value: number) => Math.round(value * 10) / 10;

function messageOf({ type, period, value, expected, basis }: PrintReading): string {
  const difference = tenths(value - tenths(expected));
  const moved = value === 0 ? 'were unchanged' : `${value < 0 ? 'fell' : 'rose'} ${figure(Math.abs(value), 1)}%`;
  const far = `${figure(Math.abs(difference), 1)} points ${difference < 0 ? 'below' : 'above'}`;
  return `${NAMES[type]} ${moved} in ${month.format(new Date(`${period}-01T00:00:00Z`))}, ${far} ${BASIS[basis]} of ${figure(expected, 1)}%`;
}

/** No print of the last two days is a quiet gate, which is how the next one is new. */
export function inflation({ prints, at }: Reading): Judged[] {
  if (!prints) return [];
  return (['cpi', 'pce', 'ppi'] as const).map((type): Judged => {
    const print = prints[type];
    const distance = print ? Math.abs(tenths(print.value - tenths(print.expected))) : 0;
    return {
      gate: `INFLATION_SURPRISE:${type}`,
      levels: 'INFLATION_SURPRISE',
      strength: tenths(print?.basis === 'previous' ? distance - USUAL_STEP : distance),
      metric: 'inflation.mom',
      value: print?.value ?? null,
      message: () => (print ? messageOf(print) : ''),
      birth: print ?? { source: 'Meridian', method: 'computed', sourceAt: at, receivedAt: at },
    };
  });
}
