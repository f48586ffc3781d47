import { type DailyMacro, isHoliday, isWeekend, macroOf, monthStart } from '#sandbox/market/macro.ts';
import type { Market } from '#sandbox/market/market.ts';
import { priceIndexesOf, usSeries } from '#sandbox/market/price-indexes.ts';
import { DAY, HOUR, MARKET_START } from '#sandbox/market/time.ts';
import { type Call, type Provider, type Reply, ReplyError } from '#sandbox/provider.ts';
import { easternDay } from '#shared/release-calendar.ts';

import { announcedReleases, dateText } from '../market/calendar.ts';

/** Publication delay after the start of a day, and the number of decimals. */
const DAILY: Readonly<Record<DailyMacro, { lagMs: number; digits: number }>> = {
  DGS30: { lagMs: DAY + 20.25 * HOUR, digits: 2 },
  DGS10: { lagMs: DAY + 20.25 * HOUR, digits: 2 },
  DGS2: { lagMs: DAY + 20.25 * HOUR, digits: 2 },
  VIXCLS: { lagMs: DAY + 13 * HOUR, digits: 2 },
  SP500: { lagMs: DAY + 1 * HOUR, digits: 2 },
  DTWEXBGS: { lagMs: 3 * DAY + 20.25 * HOUR, digits: 4 },
  DCOILWTICO: { lagMs: 7 * DAY + 17 * HOUR, digits: 2 },
};
const MONTHLY = 'FEDFUNDS';
/** The dollar index of a week is published on the following Monday. */
const WEEKLY: ReadonlySet<string> = new Set(['DTWEXBGS']);
const FIRST_DAY = MARKET_START / DAY;
const FIRST_MONTH = (2019 - 1970) * 12;
const PAGE = '<!DOCTYPE html>\n<html><head><title>FRED</title></head><body><h1>%</h1></body></html>\n';

const isDaily = (id: string): id is DailyMacro => Object.hasOwn(DAILY, id);
const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

function lastPublished(id: DailyMacro, now: number): number {
  const last = Math.floor((now - DAILY[id].lagMs) / DAY);
  if (!WEEKLY.has(id)) return last;
  const weekday = new Date(last * DAY).getUTCDay();
  return last - ((weekday + 2) % 7);
}

/** Values by date; weekends are omitted, holidays are present without a value. */
function observations(market: Market, id: string, now: number): Map<string, string> {
  const macro = macroOf(market);
  const rows = new Map<string, string>();
  if (id === MONTHLY) {
    for (let month = FIRST_MONTH + 1; monthStart(month + 1) * DAY + 20 * HOUR <= now; month++) {
      rows.set(dateOf(monthStart(month)), macro.fundsRate(month).toFixed(2));
    }
    return rows;
  }
  const monthly = usSeries(id);
  if (monthly) {
    const indexes = priceIndexesOf(market);
    for (const period of indexes.months(now)) {
      const level = indexes.levelAt(monthly, period, now);
      if (level !== undefined) rows.set(`${period}-01`, level === null ? '' : level.toFixed(3));
    }
    return rows;
  }
  if (!isDaily(id)) throw new ReplyError({ status: 404, body: PAGE.replace('%', 'Page not found') });
  const last = lastPublished(id, now);
  for (let day = FIRST_DAY + 1; day <= last; day++) {
    if (isWeekend(day)) continue;
    rows.set(dateOf(day), isHoliday(day) ? '' : macro.valueOn(id, day).toFixed(DAILY[id].digits));
  }
  return rows;
}

function table(market: Market, { query, now }: Call): string {
  const ids = (query.get('id') ?? '').split(',').filter(Boolean);
  if (ids.length === 0) throw new ReplyError({ status: 404, body: PAGE.replace('%', 'Page not found') });
  const columns = ids.map((id) => observations(market, id, now));
  const [from, to] = [query.get('cosd')?.split(',')[0] ?? '', query.get('coed')?.split(',')[0] ?? '9999'];
  const dates = [...new Set(columns.flatMap((column) => [...column.keys()]))].filter((at) => at >= from && at <= to);
  const rows = dates.toSorted().map((at) => [at, ...columns.map((column) => column.get(at) ?? '')].join(','));
  return `${[`observation_date,${ids.join(',')}`, ...rows].join('\n')}\n`;
}

/** Older exports have a point for a missing value. */
function withNulls(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  return body
    .split('\n')
    .map((line, i) => (i > 0 && i % 5 === 2 ? line.replaceAll(/,[^,]+/g, ',.') : line))
    .join('\n');
}

export function fred(market: Market): Provider {
  return {
    id: 'fred',
    base: '/fred',
    env: { FRED_BASE_URL: { scheme: 'http', path: '/fred' } },
    routes: [
      {
        path: '/graph/fredgraph.csv',
        handle: (call) => ({ body: table(market, call), headers: { 'content-type': 'application/csv' } }),
      },
    ],
    notFound: { status: 404, body: PAGE.replace('%', 'Page not found') },
    rateLimited: PAGE.replace('%', 'Too Many Requests'),
    serverError: PAGE.replace('%', 'Service Unavailable'),
    withNulls: (_path, body) => withNulls(body),
  };
}

const RELEASES = {
  cpi: [10, 'Consumer Price Index'],
  ppi: [46, 'Producer Price Index'],
  payrolls: [50, 'Employment Situation'],
  gdp: [53, 'Gross Domestic Product'],
  pce: [54, 'Personal Income and Outlays'],
} as const;

/** Has only days, and has the second estimate of GDP a day later than the agency. */
function releaseDates({ now, query }: Call): object {
  if (!query.get('api_key'))
    throw new ReplyError({
      status: 400,
      body: { error_code: 400, error_message: 'Bad Request.  Variable api_key is not set.' },
    });
  const from = query.get('realtime_start') ?? dateText(now);
  const rows = announcedReleases(now, now - DAY, now + 200 * DAY).map(({ type, at, estimate }) => {
    const [release_id, release_name] = RELEASES[type];
    return { release_id, release_name, date: dateText(at.getTime() + (estimate === 'second' ? DAY : 0)) };
  });
  return {
    realtime_start: from,
    realtime_end: '9999-12-31',
    order_by: 'release_date',
    sort_order: 'asc',
    count: rows.length,
    offset: 0,
    limit: 1000,
    release_dates: rows.filter(({ date }) => date >= from),
  };
}

const refused = (error_message: string): Reply => ({ status: 400, body: { error_code: 400, error_message } });
const FOREVER = '9999-12-31';
const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** Every vintage of every month that overlaps the requested dates. */
function apiObservations(market: Market, { query, now }: Call): object {
  if (!query.get('api_key'))
    throw new ReplyError(
      refused('Bad Request.  Variable api_key is not set.  Read https://fred.stlouisfed.org/docs/api/'),
    );
  const series = usSeries(query.get('series_id') ?? '');
  if (!series) throw new ReplyError(refused('Bad Request.  The series does not exist.'));
  const today = easternDay(new Date(now));
  const from = query.get('realtime_start') ?? today;
  const to = query.get('realtime_end') ?? today;
  const first = query.get('observation_start') ?? '1776-07-04';
  const indexes = priceIndexesOf(market);
  const rows = indexes
    .months(now)
    .filter((period) => `${period}-01` >= first)
    .flatMap((period) => {
      const vintages = indexes.vintages(series, period, now);
      return vintages.map(({ from: at, value }, i) => {
        const next = vintages[i + 1];
        return {
          realtime_start: easternDay(new Date(at)),
          realtime_end: next ? dayBefore(easternDay(new Date(next.from))) : FOREVER,
          date: `${period}-01`,
          value: value === null ? '.' : value.toFixed(3),
        };
      });
    })
    .filter(({ realtime_start, realtime_end }) => realtime_start <= to && realtime_end >= from);
  return {
    realtime_start: from,
    realtime_end: to,
    observation_start: first,
    observation_end: FOREVER,
    units: 'lin',
    output_type: 1,
    file_type: 'json',
    order_by: 'observation_date',
    sort_order: 'asc',
    count: rows.length,
    offset: 0,
    limit: 100_000,
    observations: rows,
  };
}

type Table = { observations: { value: string }[] };

export function fredApi(market: Market): Provider {
  return {
    id: 'fred-api',
    base: '/fred-api',
    env: { FRED_API_BASE_URL: { scheme: 'http', path: '/fred-api' } },
    routes: [
      { path: '/fred/series/observations', handle: (call) => ({ body: apiObservations(market, call) }) },
      { path: '/fred/releases/dates', handle: (call) => ({ body: releaseDates(call) }) },
    ],
    notFound: { status: 404, body: { error_code: 404, error_message: 'Not Found' } },
    rateLimited: { error_code: 429, error_message: 'Too Many Requests.  Exceeded Rate Limit' },
    serverError: { error_code: 500, error_message: 'Internal Server Error' },
    withNulls(path, body) {
      if (path === '/fred/releases/dates') return { ...(body as object), release_dates: null };
      const table = body as Table;
      return {
        ...table,
        observations: table.observations.map((row, i) => (i % 5 === 2 ? { ...row, value: '.' } : row)),
      };
    },
  };
}
