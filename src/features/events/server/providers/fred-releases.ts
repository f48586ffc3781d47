import { z } from 'zod';

import { dayOf } from '../days.ts';
import { kindOf } from '../kinds.ts';
import type { EventSource } from '../types.ts';
import { atUsualTime, recurring } from './found.ts';

const dates = z.object({
  release_dates: z.array(z.object({ release_id: z.int(), release_name: z.string().nullish(), date: z.iso.date() })),
});

/** GET /fred/releases/dates: days alone; the hour is the usual one of the release. */
export const fredReleaseDates: EventSource = {
  source: 'fred-api',
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
