import { announcedReleases, dateText } from '#sandbox/market/calendar.ts';
import { DAY } from '#sandbox/market/time.ts';
import { type Call, Refusal } from '#sandbox/provider.ts';

const RELEASES = {
  cpi: [10, 'Consumer Price Index'],
  ppi: [46, 'Producer Price Index'],
  payrolls: [50, 'Employment Situation'],
  gdp: [53, 'Gross Domestic Product'],
  pce: [54, 'Personal Income and Outlays'],
} as const;

/** It gives days alone, and has the second estimate of GDP a day later than the agency. */
export function releaseDates({ now, query }: Call): object {
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
