import { z } from 'zod';

import { collectSettled } from '#kernel/http/resilience.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import type { UsSeries } from '#shared/us-series.ts';

import type { IndexSource, IndexValue } from '../types.ts';
import { parseLevel } from './level.ts';

const refused = z.object({ error_message: z.string(), error_code: z.number().optional() });

export const fredApi: SourceDescriptor = {
  id: 'fred-api',
  name: 'FRED API',
  gives: 'Price indexes as first published and revised, with release dates',
  homepage: 'https://fred.stlouisfed.org/docs/api/fred/',
  licence: 'US-government series, public domain; requires a free key',
  attribution:
    'This product uses the FRED® API but is not endorsed or certified by the Federal Reserve Bank of St. Louis',
  key: 'required',
  keySetting: 'FRED_API_KEY',
  off: ({ FRED_API_KEY }) => (FRED_API_KEY ? null : 'FRED_API_KEY is not set'),
  options: ({ FRED_API_BASE_URL, FRED_API_KEY }) => ({
    baseUrl: FRED_API_BASE_URL,
    query: { api_key: FRED_API_KEY ?? '', file_type: 'json' },
    perMinute: 60,
    burst: 50,
    parseError(body) {
      const { data } = refused.safeParse(body);
      if (!data) return null;
      return data.error_code === 429 ? 'rate_limited' : data.error_message.slice(0, 200);
    },
  }),
};

const apiObservations = z.object({
  observations: z.array(z.object({ realtime_start: z.iso.date(), date: z.iso.date(), value: z.string() })),
});

/** GET /fred/series/observations over all real time: every vintage of each month. */
export const fredVintages: IndexSource = {
  source: 'fred-api',
  gives: () => true,
  read: (client, series, from, { signal }) =>
    collectSettled(
      series.map(async ({ id }) => {
        const query = {
          series_id: id,
          observation_start: `${from}-01`,
          realtime_start: '1776-07-04',
          realtime_end: '9999-12-31',
        };
        const { data } = await client.get('/fred/series/observations', apiObservations, { query, signal });
        return data.observations.flatMap(({ realtime_start, date, value }): IndexValue[] => {
          const level = parseLevel(value);
          if (level === undefined) return [];
          return [{ series: id, period: date.slice(0, 7), value: level, publishedOn: realtime_start }];
        });
      }),
    ),
};

/** Months of one column; those after its last value are not published yet. */
function readColumn(lines: readonly string[][], id: string, place: number): IndexValue[] {
  const values = lines.flatMap((cells): IndexValue[] => {
    const [day = ''] = cells;
    const value = parseLevel(cells[place] ?? '');
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || value === undefined) return [];
    return [{ series: id, period: day.slice(0, 7), value }];
  });
  return values.slice(0, values.findLastIndex(({ value }) => value !== null) + 1);
}

function readTable(csv: string, { id }: UsSeries): IndexValue[] {
  const [head = [], ...lines] = csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.trim()));
  const place = head.findIndex((name) => name.toUpperCase() === id);
  if (place === -1) throw new SourceError('body', `FRED sent no table of ${id}`);
  return readColumn(lines, id, place);
}

/**
 * GET /graph/fredgraph.csv: the newest value of each month, one table per series; shares the client of the macro
 * series.
 */
export const fredCsv: IndexSource = {
  source: 'fred',
  gives: () => true,
  read: (client, series, from, { signal }) =>
    collectSettled(
      series.map(async (each) => {
        const query = { id: each.id, cosd: `${from}-01` };
        const options = { query, format: 'text', isItem: true, signal } as const;
        const { data } = await client.get('/graph/fredgraph.csv', z.string(), options);
        return readTable(data, each);
      }),
    ),
};
