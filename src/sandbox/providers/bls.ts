import type { Market } from '#sandbox/market/market.ts';
import { priceIndexesOf } from '#sandbox/market/price-indexes.ts';
import type { Call, Provider, Reply } from '#sandbox/provider.ts';
import { US_SERIES } from '#shared/us-series.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const MAX_SERIES = { v1: 25, v2: 50 };

const requestError = (message: string) => ({
  status: 'REQUEST_NOT_PROCESSED',
  responseTime: 0,
  message: [message],
  Results: {},
});
const QUOTA = requestError(
  'Request could not be serviced, as the daily threshold for total number of requests allocated to the user with registration key  has been reached.',
);

type SeriesRequest = {
  seriesid?: string[];
  startyear?: string;
  endyear?: string;
  registrationkey?: string;
  annualaverage?: boolean;
};
type Row = { year: string; period: string; periodName: string; value: string; latest?: string; footnotes: object[] };

function rowsOf(market: Market, agencyId: string, request: SeriesRequest, now: number): Row[] {
  const series = US_SERIES.find((each) => each.agencyId === agencyId && each.release !== 'pce');
  if (!series) return [];
  const year = new Date(now).getUTCFullYear();
  const [from, to] = [Number(request.startyear ?? year - 2), Number(request.endyear ?? year)];
  const indexes = priceIndexesOf(market);
  const rows: Row[] = [];
  for (const period of indexes.months(now).toReversed()) {
    const at = Number(period.slice(0, 4));
    if (at < from || at > to) continue;
    const level = indexes.levelAt(series, period, now);
    if (level === undefined) continue;
    const month = Number(period.slice(5));
    if (month === 12 && level !== null)
      rows.push({ year: String(at), period: 'M13', periodName: 'Annual', value: level.toFixed(3), footnotes: [{}] });
    const missing = { code: 'X', text: 'Data unavailable due to the 2025 lapse in appropriations' };
    rows.push({
      year: String(at),
      period: `M${period.slice(5)}`,
      periodName: MONTHS[month - 1] ?? '',
      ...(rows.length === 0 ? { latest: 'true' } : {}),
      value: level === null ? '-' : level.toFixed(3),
      footnotes: [level === null ? missing : {}],
    });
  }
  return rows;
}

/** The service wraps lines inside its body, even within strings. */
const withNewlines = (body: object): string =>
  JSON.stringify(body)
    .replace('"series":[', '\n"series":\n[')
    .replace('"Annual"', '"Ann\nual"')
    .replace(/\}$/, '\n}\n');

function timeseries(market: Market, version: 'v1' | 'v2', { json, now }: Call): Reply {
  const request = (json ?? {}) as SeriesRequest;
  const ids = request.seriesid ?? [];
  if (ids.length === 0) return { body: requestError('No series ids were given.') };
  if (ids.length > MAX_SERIES[version]) return { body: requestError('Too many series were requested.') };
  if (version === 'v2' && !request.registrationkey)
    return { body: requestError('The key:  provided by the User is invalid.') };
  const series = ids.map((seriesID) => ({ seriesID, data: rowsOf(market, seriesID, request, now) }));
  const body = { status: 'REQUEST_SUCCEEDED', responseTime: 175, message: [], Results: { series } };
  return { body: withNewlines(body), headers: { 'content-type': 'application/json' } };
}

export function bls(market: Market): Provider {
  return {
    id: 'bls',
    base: '/bls',
    env: { BLS_BASE_URL: { scheme: 'http', path: '/bls' } },
    routes: (['v1', 'v2'] as const).flatMap((version) =>
      ['', '/'].map((end) => ({
        path: `/publicAPI/${version}/timeseries/data${end}`,
        handle: (call: Call) => timeseries(market, version, call),
      })),
    ),
    notFound: { status: 404, body: '<html><body>Not Found</body></html>' },
    rateLimited: QUOTA,
    serverError: '<html><body>Service Unavailable</body></html>',
    softError: QUOTA,
    withNulls: (_path, body) => String(body).replace(/"value":"[\d.]+"/, '"value":"-"'),
  };
}
