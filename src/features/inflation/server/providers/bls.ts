import { z } from 'zod';

import { contactHeaders } from '#kernel/http/contact.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { US_SERIES } from '#shared/us-series.ts';

import type { IndexSource, IndexValue } from '../types.ts';
import { parseLevel } from './level.ts';

/** The body has raw line breaks, also inside strings; between values any whitespace is equivalent. */
const unbroken = (text: string): unknown => {
  try {
    // oxlint-disable-next-line no-control-regex
    return JSON.parse(text.replaceAll(/[\u0000-\u001f]+/g, ' '));
  } catch {
    return undefined;
  }
};

const status = z.object({ status: z.string(), message: z.array(z.string()).optional() });

/** Errors have HTTP status 200 and a status field. */
function refusal(body: unknown): string | null {
  const { data } = status.safeParse(typeof body === 'string' ? unbroken(body) : body);
  if (!data || data.status === 'REQUEST_SUCCEEDED') return null;
  const words = data.message?.join(' ') ?? data.status;
  return /threshold/i.test(words) ? 'rate_limited' : words.slice(0, 200);
}

export const bls: SourceDescriptor = {
  id: 'bls',
  name: 'Bureau of Labor Statistics',
  gives: 'CPI and PPI on release day',
  homepage: 'https://www.bls.gov/developers/',
  licence: 'Public domain; 25 calls per day without a key, 500 with one',
  attribution: 'US Bureau of Labor Statistics. BLS.gov cannot vouch for the data after they were retrieved.',
  key: 'optional',
  keySetting: 'BLS_API_KEY',
  options: (config) => ({
    baseUrl: config.BLS_BASE_URL,
    headers: contactHeaders(config),
    perMinute: 30,
    burst: 10,
    retries: 0,
    parseError: refusal,
  }),
};

const row = z.object({ year: z.string(), period: z.string(), value: z.string() });
const results = z.object({
  Results: z.object({ series: z.array(z.object({ seriesID: z.string(), data: z.array(row) })) }),
});
const body = z.string().transform(unbroken).pipe(results);

const MONTH = /^M(0[1-9]|1[0-2])$/;

/** POST /publicAPI/v1 or v2/timeseries/data/: months only, M13 is the annual average. */
export const blsSeries: IndexSource = {
  source: 'bls',
  gives: ({ release }) => release !== 'pce',
  restMs: ({ BLS_API_KEY }) => (BLS_API_KEY ? 4 : 59) * 60_000,
  async read(client, series, from, { config: { BLS_API_KEY }, now, signal }) {
    const request = {
      seriesid: series.map(({ agencyId }) => agencyId),
      startyear: String(Math.max(Number(from.slice(0, 4)), now.getUTCFullYear() - 9)),
      endyear: String(now.getUTCFullYear()),
      ...(BLS_API_KEY ? { registrationkey: BLS_API_KEY } : {}),
    };
    const path = `/publicAPI/${BLS_API_KEY ? 'v2' : 'v1'}/timeseries/data/`;
    const { data } = await client.post(path, request, body, { format: 'text', signal });
    return data.Results.series.flatMap(({ seriesID, data: rows }) => {
      const known = US_SERIES.find(({ agencyId }) => agencyId === seriesID);
      return rows.flatMap(({ year, period, value }): IndexValue[] => {
        const [, month] = MONTH.exec(period) ?? [];
        const level = parseLevel(value);
        if (!known || !month || !/^\d{4}$/.test(year) || level === undefined) return [];
        return [{ series: known.id, period: `${year}-${month}`, value: level }];
      });
    });
  },
};
