import { z } from 'zod';

import type { SourceDescriptor } from '#server/platform/source-set.ts';

import { kindOf } from '../kinds.ts';
import { judgeCalendar, wordsOf } from '../rules.ts';
import type { EventSource, Found } from '../types.ts';
import { BARE, recurring } from './found.ts';

export const faireconomy: SourceDescriptor = {
  id: 'faireconomy',
  name: 'Faireconomy',
  gives: 'Forecasts and previous figures of the week’s releases',
  homepage: 'https://www.forexfactory.com/calendar',
  licence: 'Unofficial: its terms do not allow commercial use, so it is off until the operator switches it on',
  attribution: 'Forex Factory',
  key: 'none',
  off: ({ FAIRECONOMY_ENABLED }) => (FAIRECONOMY_ENABLED ? null : 'Set FAIRECONOMY_ENABLED=1 to switch it on.'),
  options: ({ FAIRECONOMY_BASE_URL }) => ({ baseUrl: FAIRECONOMY_BASE_URL, perMinute: 1, burst: 1, retries: 0 }),
};

const text = z.string().nullish();
const week = z.array(
  z.object({
    title: z.string().min(1),
    country: z.string(),
    date: z.iso.datetime({ offset: true }),
    impact: z.string(),
    forecast: text,
    previous: text,
    actual: text,
  }),
);
type Row = z.output<typeof week>[number];

const figure = (value: string | null | undefined) => value?.trim() || null;

function toFound(row: Row): Found[] {
  const rated = ({ High: 'high', Medium: 'medium' } as const)[row.impact];
  if (!rated) return [];
  const kind = row.country === 'USD' ? kindOf(row.title) : null;
  const [actual, forecast, previous] = [figure(row.actual), figure(row.forecast), figure(row.previous)];
  const shared = {
    ref: `${row.country} ${row.title} ${row.date.slice(0, 10)}`,
    at: new Date(row.date),
    publisher: 'Forex Factory',
    url: 'https://www.forexfactory.com/calendar',
    figures: actual || forecast || previous ? { actual, forecast, previous } : null,
  };
  // The core of an index and its yearly rate come with the headline.
  if (kind) return /core|y\/y/i.test(row.title) ? [] : [recurring({ ...shared, kind, description: null })];
  if (rated === 'medium' && row.country !== 'USD') return [];
  const title = `${row.country} ${row.title}`;
  return [{ ...BARE, ...shared, match: wordsOf(title), title, ...judgeCalendar(row.title, rated, row.country) }];
}

/** GET /ff_calendar_thisweek.json: two calls in five minutes are too many. */
export const weekCalendar: EventSource = {
  source: 'faireconomy',
  rank: 4,
  everyMs: 3_600_000,
  async read(client, { signal }) {
    const { data } = await client.get('/ff_calendar_thisweek.json', week, { signal });
    return data.flatMap(toFound);
  },
};
