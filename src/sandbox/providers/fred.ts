import { type DailyMacro, isHoliday, isWeekend, macroOf, monthStart } from '#sandbox/market/macro.ts';
import type { Market } from '#sandbox/market/market.ts';
import { priceIndexesOf, usSeries } from '#sandbox/market/price-indexes.ts';
import { DAY, HOUR, MARKET_START } from '#sandbox/market/time.ts';
import { type Call, type Provider, Refusal } from '#sandbox/provider.ts';

/** How long after its beginning a day is published, and with how many digits. */
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
/** The dollar's week comes out as a whole on the Monday after. */
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

/** Dates and texts; weekends are left out, holidays are there without a value. */
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
  if (!isDaily(id)) throw new Refusal({ status: 404, body: PAGE.replace('%', 'Page not found') });
  const last = lastPublished(id, now);
  for (let day = FIRST_DAY + 1; day <= last; day++) {
    if (isWeekend(day)) continue;
    rows.set(dateOf(day), isHoliday(day) ? '' : macro.valueOn(id, day).toFixed(DAILY[id].digits));
  }
  return rows;
}

function table(market: Market, { query, now }: Call): string {
  const ids = (query.get('id') ?? '').split(',').filter(Boolean);
  if (ids.length === 0) throw new Refusal({ status: 404, body: PAGE.replace('%', 'Page not found') });
  const columns = ids.map((id) => observations(market, id, now));
  const [from, to] = [query.get('cosd')?.split(',')[0] ?? '', query.get('coed')?.split(',')[0] ?? '9999'];
  const dates = [...new Set(columns.flatMap((column) => [...column.keys()]))].filter((at) => at >= from && at <= to);
  const rows = dates.toSorted().map((at) => [at, ...columns.map((column) => column.get(at) ?? '')].join(','));
  return `${[`observation_date,${ids.join(',')}`, ...rows].join('\n')}\n`;
}

/** Older exports write a point where a value is missing. */
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
        answer: (call) => ({ body: table(market, call), headers: { 'content-type': 'application/csv' } }),
      },
    ],
    notFound: { status: 404, body: PAGE.replace('%', 'Page not found') },
    rateLimited: PAGE.replace('%', 'Too Many Requests'),
    serverError: PAGE.replace('%', 'Service Unavailable'),
    withNulls: (_path, body) => withNulls(body),
  };
}
