import { z } from 'zod';

import { detectKind } from '../kinds.ts';
import { classifyCalendar, significantWords } from '../rules.ts';
import type { EventSource, Found } from '../types.ts';
import { BARE, recurring } from './parsing.ts';

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

/** `0.3%` becomes `+0.3%`, as elsewhere; anything else is unchanged. */
function figure(value: string | null | undefined): string | null {
  const text = value?.trim() ?? '';
  const [, minus, number] = /^([-−]?)(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  if (number === undefined) return text || null;
  return `${minus ? '−' : Number(number) === 0 ? '' : '+'}${number}%`;
}

function toFound(row: Row): Found[] {
  const rated = ({ High: 'high', Medium: 'medium' } as const)[row.impact];
  if (!rated) return [];
  const kind = row.country === 'USD' ? detectKind(row.title) : null;
  const [actual, forecast, previous] = [figure(row.actual), figure(row.forecast), figure(row.previous)];
  const shared = {
    ref: `${row.country} ${row.title} ${row.date.slice(0, 10)}`,
    at: new Date(row.date),
    publisher: 'Forex Factory',
    url: 'https://www.forexfactory.com/calendar',
    figures: actual || forecast || previous ? { actual, forecast, previous } : null,
  };
  // The core index and its yearly rate are published with the headline.
  if (kind) return /core|y\/y/i.test(row.title) ? [] : [recurring({ ...shared, kind, description: null })];
  if (rated === 'medium' && row.country !== 'USD') return [];
  const title = `${row.country} ${row.title}`;
  return [
    { ...BARE, ...shared, match: significantWords(title), title, ...classifyCalendar(row.title, rated, row.country) },
  ];
}

/** GET /ff_calendar_thisweek.json: two calls within five minutes are too many. */
export const weekCalendar: EventSource = {
  source: 'consensus-calendar',
  rank: 4,
  everyMs: 3_600_000,
  async read(client, { signal }) {
    const { data } = await client.get('/ff_calendar_thisweek.json', week, { signal });
    return data.flatMap(toFound);
  },
};
