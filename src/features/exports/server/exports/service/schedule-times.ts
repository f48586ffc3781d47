import type { Cadence, ExportFormat, ExportType } from '#features/exports/contract/exports.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Longer than the longest gap between two scheduled times. */
const LOOKBACK_MS = 40 * DAY_MS;

/** A calendar day; `month` is 1 to 12. */
type Day = { year: number; month: number; day: number };

const clocks = new Map<string, Intl.DateTimeFormat>();

function zonedClock(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const clock = new Intl.DateTimeFormat('en-US', {
    ...numeric,
    second: 'numeric',
    hourCycle: 'h23',
    timeZone,
  });
  clocks.set(timeZone, clock);
  return clock;
}

/** True for a name such as Europe/Berlin; an offset is not a zone. */
export function knowsZone(timeZone: string): boolean {
  if (!/^[A-Za-z]/.test(timeZone)) return false;
  try {
    zonedClock(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** Local time in a zone as if it were UTC; whole seconds. */
function wallTime(timeZone: string, at: number): number {
  const parts = zonedClock(timeZone).formatToParts(at);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

const offsetAt = (timeZone: string, at: number): number => wallTime(timeZone, at) - Math.floor(at / 1000) * 1000;

/** The transition between two moments at which the offset changes. */
function changeBetween(timeZone: string, from: number, to: number): number {
  const before = offsetAt(timeZone, from);
  let [low, high] = [from, to];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetAt(timeZone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** The first moment at which local time shows that hour, or the first one after a skipped hour. */
function toUtc(timeZone: string, { year, month, day }: Day, hour: number): number {
  const wall = Date.UTC(year, month - 1, day, hour);
  const offsets = [offsetAt(timeZone, wall - DAY_MS), offsetAt(timeZone, wall + DAY_MS)];
  const candidates = offsets.map((offset) => wall - offset).toSorted((a, b) => a - b);
  const shown = candidates.find((at) => wallTime(timeZone, at) === wall);
  if (shown !== undefined) return shown;
  const [earlier = wall, later = wall] = candidates;
  return changeBetween(timeZone, earlier, later);
}

const toDay = (utc: number): Day => {
  const at = new Date(utc);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
};

const isoWeekday = (utc: number): number => new Date(utc).getUTCDay() || 7;

/** Days of the schedule from shortly before a day, in order. */
function* daysFrom(schedule: Cadence, anchor: number, wall: number): Generator<Day> {
  if (schedule === 'monthly') {
    const { year, month } = toDay(wall);
    for (let i = -1; ; i += 1) {
      const last = new Date(Date.UTC(year, month + i, 0));
      yield { ...toDay(last.getTime()), day: Math.min(anchor, last.getUTCDate()) };
    }
  }
  for (let utc = wall - 2 * DAY_MS; ; utc += DAY_MS)
    if (schedule === 'daily' || isoWeekday(utc) === anchor) yield toDay(utc);
}

/**
 * The next scheduled time after a given one: at `hour` o'clock in `timeZone`, each day, on the weekday `anchor` (1 is
 * Monday), or on that day of the month, capped at its last day. A skipped hour moves to the next moment; a repeated one
 * counts once.
 */
export function nextRun(schedule: Cadence, anchor: number, hour: number, timeZone: string, after: Date): Date {
  for (const day of daysFrom(schedule, anchor, wallTime(timeZone, after.getTime()))) {
    const at = toUtc(timeZone, day, hour);
    if (at > after.getTime()) return new Date(at);
  }
  throw new Error('A schedule has no end');
}

/** The latest scheduled time up to now, for a schedule due at `due`: earlier missed ones are not made up for. */
export function newestRun(
  { schedule, anchor, hour, timeZone }: { schedule: Cadence; anchor: number; hour: number; timeZone: string },
  due: Date,
  now: Date,
): Date {
  const next = (after: Date) => nextRun(schedule, anchor, hour, timeZone, after);
  const earliest = new Date(now.getTime() - LOOKBACK_MS);
  let newest = due > earliest ? due : next(earliest);
  for (let later = next(newest); later <= now; later = next(later)) newest = later;
  return newest;
}

/** Day of the week or month at which a schedule created now is anchored. */
export function anchorAt(schedule: Cadence, timeZone: string, at: Date): number {
  const wall = wallTime(timeZone, at.getTime());
  return schedule === 'monthly' ? toDay(wall).day : isoWeekday(wall);
}

const CADENCES: Record<Cadence, string> = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' };

const TYPES: Record<ExportType, string> = {
  crypto_prices: 'Crypto prices',
  market_data: 'Market data',
  ai_analysis: 'AI analysis',
  fear_greed: 'Fear & Greed',
  narratives: 'Narratives',
  alerts: 'Alerts',
  backtest_results: 'Backtest results',
  all_data: 'All data',
};

export const typeWords = (types: readonly ExportType[]): string => types.map((type) => TYPES[type]).join(', ');

/** 'Weekly · Crypto prices, Narratives · CSV' */
export const scheduleName = (of: {
  schedule: Cadence;
  dataTypes: readonly ExportType[];
  format: ExportFormat;
}): string => `${CADENCES[of.schedule]} · ${typeWords(of.dataTypes)} · ${of.format.toUpperCase()}`;

/** '2026-11-20 12:05 UTC' */
export const minuteWords = (iso: string): string => `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** '1.5 MB', in steps of 1,000 as in file managers. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
