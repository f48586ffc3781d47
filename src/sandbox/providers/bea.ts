import type { Market } from '#sandbox/market/market.ts';
import { priceIndexesOf } from '#sandbox/market/price-indexes.ts';
import type { Call, Provider } from '#sandbox/provider.ts';
import { US_SERIES } from '#shared/us-series.ts';

const LINES: Readonly<Record<string, [line: string, description: string]>> = {
  DPCERG: ['1', 'Personal consumption expenditures (PCE)'],
  DPCCRG: ['25', 'PCE excluding food and energy'],
};
const failed = (APIErrorCode: string, APIErrorDescription: string) => ({
  BEAAPI: { Request: {}, Results: { Error: { APIErrorCode, APIErrorDescription } } },
});

/** The service sends its own errors with status 200. */
function table(market: Market, { query, now }: Call): object {
  if (!query.get('UserID')) return failed('3', 'The BEA API UserID provided in the request does not exist.');
  if (query.get('TableName') !== 'T20804') return failed('101', 'Unknown TableName');
  const years = new Set((query.get('Year') ?? '').split(','));
  const indexes = priceIndexesOf(market);
  const Data = US_SERIES.filter(({ release }) => release === 'pce').flatMap((series) => {
    const [LineNumber = '', LineDescription = ''] = LINES[series.agencyId] ?? [];
    return indexes
      .months(now)
      .filter((period) => years.has(period.slice(0, 4)))
      .flatMap((period) => {
        const level = indexes.levelAt(series, period, now);
        if (typeof level !== 'number') return [];
        return {
          TableName: 'T20804',
          SeriesCode: series.agencyId,
          LineNumber,
          LineDescription,
          TimePeriod: period.replace('-', 'M'),
          METRIC_NAME: 'Fisher Price Index',
          CL_UNIT: 'Level',
          UNIT_MULT: '0',
          DataValue: level.toFixed(3),
          NoteRef: 'T20804',
        };
      });
  });
  return { BEAAPI: { Request: {}, Results: { Statistic: 'NIPA Table', Data, Notes: [] } } };
}

export function bea(market: Market): Provider {
  return {
    id: 'bea',
    base: '/bea',
    env: { BEA_BASE_URL: { scheme: 'http', path: '/bea' } },
    routes: [
      { path: '/api/data', handle: (call) => ({ body: table(market, call) }) },
      { path: '/api/data/', handle: (call) => ({ body: table(market, call) }) },
    ],
    notFound: { status: 404, body: '<html><body>Not Found</body></html>' },
    rateLimited: failed('1', 'The API user has exceeded the threshold for requests per minute'),
    serverError: '<html><body>Service Unavailable</body></html>',
    softError: failed('201', 'Error retrieving NIPA/Fixed Assets data'),
    withNulls: (_path, body) =>
      JSON.parse(JSON.stringify(body).replaceAll(/"DataValue":"(\d+)\.(\d)5\d"/g, '"DataValue":""')) as object,
  };
}
