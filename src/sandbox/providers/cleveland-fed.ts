import type { Market } from '#sandbox/market/market.ts';
import { priceIndexesOf, usSeries } from '#sandbox/market/price-indexes.ts';
import type { Provider } from '#sandbox/provider.ts';
import { addMonths, findRelease } from '#shared/release-calendar.ts';

const DAY_MS = 86_400_000;
const MONTHS_BACK = 24;
const LINES = [
  ['CPI Inflation', 'CPIAUCSL'],
  ['Core CPI Inflation', 'CPILFESL'],
  ['PCE Inflation', 'PCEPI'],
  ['Core PCE Inflation', 'PCEPILFE'],
] as const;

/**
 * One chart per reference month, from its first day to the release of its PCE; lines mark the releases and have no data
 * points.
 */
function chartOf(market: Market, period: string, now: number): object | undefined {
  const indexes = priceIndexesOf(market);
  const first = Date.parse(`${period}-01`);
  const end = findRelease('pce', period)?.at.getTime() ?? first + 60 * DAY_MS;
  const cpi = findRelease('cpi', period)?.at.getTime();
  const category: object[] = [];
  const data: { value: string }[][] = LINES.map(() => []);
  for (let day = first; day <= Math.min(end, now - 15 * 3_600_000); day += DAY_MS) {
    const date = new Date(day);
    if (date.getUTCDay() % 6 === 0) continue;
    const label = `${String(date.getUTCMonth() + 1).padStart(2, '0')}/${String(date.getUTCDate()).padStart(2, '0')}`;
    category.push({ label });
    if (cpi && Math.floor(cpi / DAY_MS) === day / DAY_MS) category.push({ vline: 'true', label: 'CPI release' });
    for (const [i, [, id]] of LINES.entries()) {
      const series = usSeries(id);
      const at = series && findRelease(series.release, period)?.at.getTime();
      const value = series && at && day < at ? indexes.nowcast(series, period, (at - day) / DAY_MS) : null;
      data[i]?.push({ value: value === null ? '' : value.toFixed(2) });
    }
  }
  if (category.length === 0) return undefined;
  return {
    chart: { caption: 'Inflation, month-over-month percent change', subcaption: period.replace('-0', '-') },
    categories: [{ category }],
    dataset: LINES.map(([seriesname], i) => ({ seriesname, data: data[i] })),
  };
}

export function clevelandFed(market: Market): Provider {
  return {
    id: 'cleveland-fed',
    base: '/cleveland-fed',
    env: { CLEVELAND_FED_BASE_URL: { scheme: 'http', path: '/cleveland-fed' } },
    routes: [
      {
        path: '/-/media/files/webcharts/inflationnowcasting/nowcast_month.json',
        handle: ({ now }) => {
          const current = new Date(now).toISOString().slice(0, 7);
          const charts = Array.from({ length: MONTHS_BACK }, (_, i) =>
            chartOf(market, addMonths(current, i - MONTHS_BACK + 1), now),
          );
          return { body: charts.filter(Boolean) };
        },
      },
    ],
    notFound: { status: 404, body: '<html><body>Not Found</body></html>' },
    rateLimited: '<html><body>Too Many Requests</body></html>',
    serverError: '<html><body>Service Unavailable</body></html>',
    softError: '<html><body>Request Denied</body></html>',
    withNulls: (_path, body) =>
      JSON.parse(JSON.stringify(body).replaceAll(/"value":"0\.2\d"/g, '"value":""')) as object,
  };
}
