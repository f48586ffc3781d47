import { z } from 'zod';

import { collectSettled } from '#kernel/http/resilience.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import { addDays, COMPANIES, classifyEarnings, isoDay, midnight } from '../rules.ts';
import type { EventSource, Found } from '../types.ts';
import { BARE } from './parsing.ts';

export const finnhub: SourceDescriptor = {
  id: 'finnhub',
  name: 'Finnhub',
  gives: 'Earnings dates of crypto-related companies',
  homepage: 'https://finnhub.io/docs/api/earnings-calendar',
  licence: 'Free keys are for personal use; public display requires a license',
  attribution: 'Finnhub',
  key: 'required',
  keySetting: 'FINNHUB_API_KEY',
  off: ({ FINNHUB_API_KEY }) => (FINNHUB_API_KEY ? null : 'Finnhub needs a key: set FINNHUB_API_KEY'),
  options: ({ FINNHUB_BASE_URL, FINNHUB_API_KEY }) => ({
    baseUrl: FINNHUB_BASE_URL,
    headers: { 'x-finnhub-token': FINNHUB_API_KEY ?? '' },
    perMinute: 30,
    burst: 2,
    parseError: (body) => refusalIn.safeParse(body).data?.error ?? null,
  }),
};

const refusalIn = z.object({ error: z.string() });
const calendar = z.object({
  earningsCalendar: z.array(
    z.object({
      symbol: z.string(),
      date: z.iso.date(),
      hour: z.string().nullish(),
      quarter: z.int().nullish(),
      year: z.int().nullish(),
      epsEstimate: z.number().nullish(),
      epsActual: z.number().nullish(),
    }),
  ),
});
type Row = z.output<typeof calendar>['earningsCalendar'][number];

const HOURS: Readonly<Record<string, string>> = { bmo: 'before the market opens', amc: 'after the market closes' };
const perShare = (value: number | null | undefined) =>
  typeof value === 'number' ? `${value < 0 ? '−' : ''}$${Math.abs(value).toFixed(2)}` : null;

function toFound(row: Row): Found[] {
  const company = Object.hasOwn(COMPANIES, row.symbol) ? COMPANIES[row.symbol] : undefined;
  if (!company) return [];
  const quarter = row.quarter && row.year ? ` for Q${row.quarter} ${row.year}` : '';
  const [actual, forecast] = [perShare(row.epsActual), perShare(row.epsEstimate)];
  const when = HOURS[row.hour ?? ''];
  return [
    {
      ...BARE,
      ref: `${row.symbol}${quarter || ` ${row.date}`}`,
      match: `earnings ${row.symbol}`,
      title: `${company.name} (${row.symbol}) earnings`,
      description: `${company.name} reports${quarter}${when ? ` ${when}` : ''}. Figures are earnings per share.`,
      ...classifyEarnings(company.near),
      at: midnight(row.date),
      allDay: true,
      publisher: 'Finnhub',
      url: `https://finnhub.io/stock/${row.symbol}`,
      figures: actual || forecast ? { actual, forecast, previous: null } : null,
    },
  ];
}

const WEEK_DAYS = 7;
const WEEKS_AHEAD = 15;

/**
 * GET /calendar/earnings: all companies, one week at a time, because a free key is limited to a month per call; ours
 * are selected.
 */
export const finnhubEarnings: EventSource = {
  source: 'finnhub',
  rank: 4,
  everyMs: 6 * 3_600_000,
  read: (client, { now, signal }) =>
    collectSettled(
      Array.from({ length: WEEKS_AHEAD + 1 }, async (_, week) => {
        const first = (week - 1) * WEEK_DAYS;
        const query = { from: isoDay(addDays(now, first)), to: isoDay(addDays(now, first + WEEK_DAYS - 1)) };
        const { data } = await client.get('/calendar/earnings', calendar, { query, signal });
        return data.earningsCalendar.flatMap(toFound);
      }),
    ),
};
