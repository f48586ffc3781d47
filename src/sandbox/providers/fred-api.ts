import type { Market } from '#sandbox/market/market.ts';
import { priceIndexesOf, usSeries } from '#sandbox/market/price-indexes.ts';
import { type Call, type Provider, Refusal, type Reply } from '#sandbox/provider.ts';
import { easternDay } from '#shared/release-calendar.ts';

import { announcedReleases, dateText } from '../market/calendar.ts';
import { DAY } from '../market/time.ts';

const RELEASES = {
  cpi: [10, 'Consumer Price Index'],
  ppi: [46, 'Producer Price Index'],
  payrolls: [50, 'Employment Situation'],
  gdp: [53, 'Gross Domestic Product'],
  pce: [54, 'Personal Income and Outlays'],
} as const;

/** It gives days alone, and has the second estimate of GDP a day later than the agency. */
function releaseDates({ now, query }: Call): object {
  if (!query.get('api_key'))
    throw new Refusal({
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

/** Every vintage of every month that overlaps the asked span of days. */
function observations(market: Market, { query, now }: Call): object {
  if (!query.get('api_key'))
    throw new Refusal(
      refused('Bad Request.  Variable api_key is not set.  Read https://fred.stlouisfed.org/docs/api/'),
    );
  const series = usSeries(query.get('series_id') ?? '');
  if (!series) throw new Refusal(refused('Bad Request.  The series does not exist.'));
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
      { path: '/fred/series/observations', answer: (call) => ({ body: observations(market, call) }) },
      { path: '/fred/releases/dates', answer: (call) => ({ body: releaseDates(call) }) },
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
