import { z } from 'zod';

import type { SourceDescriptor } from '#kernel/source-set.ts';
import { US_SERIES } from '#shared/us-series.ts';

import type { IndexSource, IndexValue } from '../types.ts';
import { parseLevel } from './level.ts';

const failure = z.object({ APIErrorCode: z.string(), APIErrorDescription: z.string() });
const failed = z.union([
  z.object({ BEAAPI: z.object({ Results: z.object({ Error: failure }) }) }).transform((at) => at.BEAAPI.Results.Error),
  z.object({ BEAAPI: z.object({ Error: failure }) }).transform((at) => at.BEAAPI.Error),
]);

export const bea: SourceDescriptor = {
  id: 'bea',
  name: 'Bureau of Economic Analysis',
  gives: 'PCE price index on release day',
  homepage: 'https://apps.bea.gov/API/',
  licence: 'Public domain; requires a free key',
  attribution: 'US Bureau of Economic Analysis',
  key: 'required',
  keySetting: 'BEA_API_KEY',
  off: ({ BEA_API_KEY }) => (BEA_API_KEY ? null : 'BEA_API_KEY is not set'),
  options: ({ BEA_BASE_URL, BEA_API_KEY }) => ({
    baseUrl: BEA_BASE_URL,
    query: { UserID: BEA_API_KEY ?? '' },
    perMinute: 30,
    burst: 3,
    parseError(body) {
      const { data } = failed.safeParse(body);
      if (!data) return null;
      return /threshold|rate/i.test(data.APIErrorDescription) ? 'rate_limited' : data.APIErrorDescription.slice(0, 200);
    },
  }),
};

const row = z.object({ SeriesCode: z.string(), TimePeriod: z.string(), DataValue: z.string() });
const table = z.object({ BEAAPI: z.object({ Results: z.object({ Data: z.array(row) }) }) });

/** GET /api/data: table T20804, monthly price indexes of personal consumption. */
export const beaTable: IndexSource = {
  source: 'bea',
  gives: ({ release }) => release === 'pce',
  async read(client, series, from, { now, signal }) {
    const first = Number(from.slice(0, 4));
    const years = Array.from({ length: now.getUTCFullYear() - first + 1 }, (_, i) => first + i);
    const query = {
      method: 'GetData',
      datasetname: 'NIPA',
      TableName: 'T20804',
      Frequency: 'M',
      Year: years.join(','),
      ResultFormat: 'JSON',
    };
    const { data } = await client.get('/api/data', table, { query, signal });
    return data.BEAAPI.Results.Data.flatMap(({ SeriesCode, TimePeriod, DataValue }): IndexValue[] => {
      const known = US_SERIES.find(({ agencyId }) => agencyId === SeriesCode);
      const [, year, month] = /^(\d{4})M(\d{2})$/.exec(TimePeriod) ?? [];
      const value = parseLevel(DataValue);
      if (!known || !series.includes(known) || !year || !month || value === undefined) return [];
      return [{ series: known.id, period: `${year}-${month}`, value }];
    });
  },
};
