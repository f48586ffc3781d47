import { priceList } from '#features/payments/server/billing/service.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import type { About, Schedule } from '#features/site/contract/legal.ts';
import { resolveAnalytics } from '#kernel/analytics.ts';
import type { Config } from '#kernel/config.ts';
import type { Uptime } from '#kernel/heartbeat.ts';

/** Times of a UTC cron expression that can be put into words; null for others. */
type Times = { minutes: number[]; hours: number[]; days: number[] };
type Rule = { when: string; rhythm: string };

const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];
const DAY_HOURS = 24;

/** '9-17' gives 9 to 17, '*' everything, '*' + '/4' every fourth; null when out of range. */
function parseCronField(field: string, min: number, max: number): number[] | null {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [, from, to, step] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? [];
    if (part === '' || (from === undefined && !part.startsWith('*'))) return null;
    const first = from === undefined ? min : Number(from);
    const alone = from !== undefined && to === undefined && step === undefined;
    const last = alone ? first : to === undefined ? max : Number(to);
    const by = step === undefined ? 1 : Number(step);
    if (first < min || last > max || first > last || by < 1) return null;
    for (let value = first; value <= last; value += by) values.add(value);
  }
  return [...values].toSorted((a, b) => a - b);
}

function parseCron(cron: string): Times | null {
  const [minute = '', hour = '', dayOfMonth, month, weekday = ''] = cron.split(' ');
  if (dayOfMonth !== '*' || month !== '*') return null;
  const [minutes, hours, days] = [
    parseCronField(minute, 0, 59),
    parseCronField(hour, 0, 23),
    parseCronField(weekday, 0, 7),
  ];
  if (!minutes || !hours || !days) return null;
  const week = [...new Set(days.map((day) => day % 7))].toSorted((a, b) => a - b);
  return { minutes, hours, days: week };
}

/** The step of values that fill 0 to `size` evenly; null if they do not. */
function findStep(values: readonly number[], size: number): number | null {
  const step = size / values.length;
  return Number.isInteger(step) && values.every((value, i) => value === (values[0] ?? 0) + i * step) ? step : null;
}

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
const same = (a: readonly number[], b: readonly number[]): boolean => a.join() === b.join();

function dayWords(days: readonly number[]): string {
  if (days.length === 7) return 'Every day';
  if (same(days, [1, 2, 3, 4, 5])) return 'Weekdays';
  if (same(days, [0, 6])) return 'Weekends';
  return list(days.map((day) => DAYS[day] ?? ''));
}

const OFF_HOURS: Record<string, string> = {
  Weekdays: 'Weekday off-hours',
  Weekends: 'Weekend off-hours',
  'Every day': 'Off-hours',
};

const isSpan = (hours: readonly number[]): boolean =>
  hours.length > 2 && hours.length < DAY_HOURS && hours.every((hour, i) => hour === (hours[0] ?? 0) + i);

/** The step in hours, if `hours` together with `busy` fill the day on the same grid; null if they do not. */
function offHoursStep(hours: readonly number[], busy: readonly number[]): number | null {
  if (hours.some((hour) => busy.includes(hour))) return null;
  for (const step of [2, 3, 4, 6, 8, 12]) {
    const grid = Array.from({ length: DAY_HOURS / step }, (_, i) => i * step);
    const free = grid.filter((hour) => !busy.includes(hour));
    if (free.length < grid.length && same(free, hours)) return step;
  }
  return null;
}

/** Frequency within the matching hours: 'hourly', 'every 15 minutes'. */
function withinHour(minutes: readonly number[]): string {
  const [first = 0] = minutes;
  const step = findStep(minutes, 60);
  if (minutes.length === 1) return first === 0 ? 'hourly' : `hourly, ${first} minutes past`;
  if (step === 1) return 'every minute';
  return step === null ? `at minutes ${list(minutes.map(String))} of each hour` : `every ${step} minutes`;
}

const clock = (hour: number, minute: number) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

function scheduleRule({ minutes, hours, days }: Times, others: readonly Times[]): Rule {
  const when = dayWords(days);
  if (hours.length === DAY_HOURS) return { when, rhythm: withinHour(minutes) };
  if (isSpan(hours)) return { when: `${when} ${hours[0]}-${hours.at(-1)} UTC`, rhythm: withinHour(minutes) };
  if (minutes.length > 1)
    return { when: `${when} ${list(hours.map(String))} UTC`, rhythm: `${withinHour(minutes)} within these hours` };
  const step = findStep(hours, DAY_HOURS);
  if (step !== null && hours.length > 1) return { when, rhythm: `every ${step} hours` };
  for (const other of others) {
    const off = same(other.days, days) && isSpan(other.hours) ? offHoursStep(hours, other.hours) : null;
    if (off !== null) return { when: OFF_HOURS[when] ?? `${when}, off-hours`, rhythm: `every ${off} hours` };
  }
  return { when, rhythm: `at ${list(hours.map((hour) => clock(hour, minutes[0] ?? 0)))} UTC` };
}

/** A list of UTC cron expressions in words; unsupported ones are shown unchanged. */
export function cronWords(crons: readonly string[]): Rule[] {
  const all = crons.map(parseCron);
  return all.map((times, i) =>
    times
      ? scheduleRule(times, all.filter((other) => other !== null && other !== times) as Times[])
      : { when: 'By the cron expression', rhythm: `${crons[i]} (UTC)` },
  );
}

type Lanes = Pick<Config, 'FAST_LANE_SECONDS' | 'LISTING_MINUTES' | 'FULL_COLLECTION_CRON' | 'SLOW_LANE_MINUTES'>;

const counted = (count: number, unit: string) => (count === 1 ? `every ${unit}` : `every ${count} ${unit}s`);

/** As the jobs run: on whole minutes, and for intervals above an hour on whole hours. */
export function readSchedule(config: Lanes): Schedule {
  const { FAST_LANE_SECONDS: fast, SLOW_LANE_MINUTES: slow } = config;
  return {
    prices: fast > 60 ? `at least ${counted(fast / 60, 'minute')}` : 'at least every 60 seconds',
    listing: counted(config.LISTING_MINUTES, 'minute'),
    full: cronWords(config.FULL_COLLECTION_CRON),
    slow: slow >= 60 ? counted(Math.round(slow / 60), 'hour') : counted(slow, 'minute'),
  };
}

function readPlans(config: Config): About['plans'] {
  const { pro, premium, trialDays, limits } = priceList(config);
  return { pro: pro.originalPrice, premium: premium.originalPrice, trialDays, limits };
}

type Known = { config: Config; dashboard: Dashboard; uptime: Uptime };

/** Instance facts for the About text, all of them derived. */
export function composeAbout({ config, dashboard, uptime }: Known): About {
  const { dataMode, cryptoPrices, sources } = dashboard;
  const statistics = resolveAnalytics(config);
  return {
    dataMode,
    schedule: readSchedule(config),
    counts: { coins: cryptoPrices.length, sources: sources.length },
    sources: sources.map(({ id, name, gives }) => ({ id, name, gives })),
    plans: readPlans(config),
    analytics: statistics && new URL(statistics.origin).host,
    uptime,
  };
}
