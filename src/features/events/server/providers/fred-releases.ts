import { z } from 'zod';

import type { SourceDescriptor } from '#server/platform/source-set.ts';

import { dayOf } from '../days.ts';
import { kindOf } from '../kinds.ts';
import type { EventSource } from '../types.ts';
import { atUsualTime, recurring } from './found.ts';

export const fredReleases: SourceDescriptor = {
  id: 'fred-releases',
  name: 'FRED release dates',
  gives: 'Days of release of US figures, as a second word',
  homepage: 'https://fred.stlouisfed.org/releases/calendar',
  licence: 'Free with a key under the FRED API terms of use',
  attribution: 'Federal Reserve Bank of St. Louis, FRED',
  key: 'required',
  off: ({ FRED_API_KEY }) => (FRED_API_KEY ? null : 'Set FRED_API_KEY to switch it on.'),
  options: ({ FRED_API_BASE_URL, FRED_API_KEY }) => ({
    baseUrl: FRED_API_BASE_URL,
    query: { api_key: FRED_API_KEY ?? '' },
    perMinute: 30,
    burst: 4,
    refusal: (body) => refusalIn.safeParse(body).data?.error_message ?? null,
  }),
};

const refusalIn = z.object({ error_message: z.string() });
const dates = z.object({
  release_dates: z.array(z.object({ release_id: z.int(), release_name: z.string().nullish(), date: z.iso.date() })),
});

/** GET /fred/releases/dates: days alone; the hour is the usual one of the release. */
export const fredReleaseDates: EventSource = {
  source: 'fred-releases',
  rank: 2,
  everyMs: 6 * 3_600_000,
  async read(client, { now, signal }) {
    const query = {
      file_type: 'json',
      include_release_dates_with_no_data: 'true',
      realtime_start: dayOf(now),
      realtime_end: '9999-12-31',
      sort_order: 'asc',
      limit: 1000,
    };
    const { data } = await client.get('/fred/releases/dates', dates, { query, signal });
    return data.release_dates.flatMap(({ release_id, release_name, date }) => {
      const kind = kindOf(release_name ?? '');
      if (!kind || kind.startsWith('fomc') || kind === 'beige-book') return [];
      const url = `https://fred.stlouisfed.org/releases/calendar?rid=${release_id}`;
      return [recurring({ kind, ref: `${release_id} ${date}`, at: atUsualTime(kind, date), publisher: 'FRED', url })];
    });
  },
};
