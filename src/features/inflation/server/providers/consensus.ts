import { z } from 'zod';

import type { SourceDescriptor } from '#kernel/source-set.ts';
import { easternDay, releasesBetween } from '#shared/release-calendar.ts';

import type { ExpectationSource, Expected, Measure } from '../types.ts';

export const consensusCalendar: SourceDescriptor = {
  id: 'consensus-calendar',
  name: 'Forex Factory calendar',
  gives: 'This week’s releases with consensus forecasts',
  homepage: 'https://www.forexfactory.com/calendar',
  licence: 'Unofficial file without published terms; its use is at the operator’s discretion',
  attribution: null,
  key: 'none',
  off: ({ CONSENSUS_CALENDAR }) =>
    CONSENSUS_CALENDAR ? null : 'Off: set CONSENSUS_CALENDAR=1 if you may use this calendar',
  options: ({ CONSENSUS_CALENDAR_BASE_URL }) => ({
    baseUrl: CONSENSUS_CALENDAR_BASE_URL,
    perMinute: 1,
    burst: 2,
    retries: 0,
  }),
};

const TITLES: Readonly<Record<string, readonly [Expected['type'], Measure]>> = {
  'CPI m/m': ['cpi', 'headline'],
  'Core CPI m/m': ['cpi', 'core'],
  'PCE Price Index m/m': ['pce', 'headline'],
  'Core PCE Price Index m/m': ['pce', 'core'],
  'PPI m/m': ['ppi', 'headline'],
  'Core PPI m/m': ['ppi', 'core'],
  'PPI y/y': ['ppi', 'yoy'],
};
const DAY_MS = 86_400_000;

const events = z.array(
  z.object({
    title: z.string(),
    country: z.string(),
    date: z.iso.datetime({ offset: true }),
    forecast: z.string().nullish(),
  }),
);

/** GET /ff_calendar_thisweek.json: expectations as text such as `0.3%`; an event belongs to the release of its day. */
export const consensus: ExpectationSource = {
  source: 'consensus-calendar',
  async read(client, { now, signal }) {
    const { data } = await client.get('/ff_calendar_thisweek.json', events, { signal });
    return data.flatMap(({ title, country, date, forecast }): Expected[] => {
      const [type, measure] = TITLES[title.trim()] ?? [];
      const [, number] = /^(-?\d+(?:\.\d+)?)\s*%$/.exec(forecast?.trim() ?? '') ?? [];
      if (!type || !measure || !number || country !== 'USD') return [];
      const at = new Date(date);
      const day = easternDay(at);
      const near = releasesBetween(new Date(at.getTime() - 2 * DAY_MS), new Date(at.getTime() + 2 * DAY_MS), [type]);
      // When two months are released on one day, the calendar means the later one.
      const release = near.findLast((each) => easternDay(each.at) === day) ?? near.at(-1);
      if (!release || now >= release.at) return [];
      return [
        { type, measure, period: release.period, kind: 'consensus', value: Number(number), as_of: now.toISOString() },
      ];
    });
  },
};
