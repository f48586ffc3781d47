import { z } from 'zod';

import type { SourceDescriptor } from '#server/platform/source-set.ts';

import { addDays, dayOf } from '../days.ts';
import { judgeCoin, wordsOf } from '../rules.ts';
import type { EventSource, Found } from '../types.ts';
import { BARE } from './found.ts';

export const coinmarketcal: SourceDescriptor = {
  id: 'coinmarketcal',
  name: 'CoinMarketCal',
  gives: 'Events of single coins: upgrades, unlocks, listings',
  homepage: 'https://coinmarketcal.com',
  licence: 'With a key under the CoinMarketCal API terms',
  attribution: 'Powered by CoinMarketCal',
  key: 'required',
  keySetting: 'COINMARKETCAL_API_KEY',
  off: ({ COINMARKETCAL_API_KEY }) =>
    COINMARKETCAL_API_KEY ? null : 'CoinMarketCal needs a key: set COINMARKETCAL_API_KEY',
  options: ({ COINMARKETCAL_BASE_URL, COINMARKETCAL_API_KEY }) => ({
    baseUrl: COINMARKETCAL_BASE_URL,
    headers: { 'x-api-key': COINMARKETCAL_API_KEY ?? '' },
    perMinute: 20,
    burst: 3,
  }),
};

const localised = z.object({ en: z.string().nullish() });
const answer = z.object({
  body: z.array(
    z.object({
      id: z.union([z.int(), z.string()]),
      title: localised.nullish(),
      description: localised.nullish(),
      coins: z.array(z.object({ symbol: z.string().nullish(), name: z.string().nullish() })).nullish(),
      date_event: z.iso.datetime({ offset: true }).nullish(),
      can_occur_before: z.boolean().nullish(),
      displayed_date: z.string().nullish(),
      proof: z.string().nullish(),
      source: z.string().nullish(),
    }),
  ),
});
type Row = z.output<typeof answer>['body'][number];

const PAGES = 3;
const PAGE_SIZE = 75;
const said = (text: string | null | undefined) => text?.trim() || null;
const link = (text: string | null | undefined) => (text && /^https?:/.test(text) && URL.canParse(text) ? text : null);

function toFound(row: Row): Found[] {
  if (!row.date_event) return [];
  const at = new Date(row.date_event);
  const symbols = (row.coins ?? []).flatMap(({ symbol }) => said(symbol)?.toUpperCase() ?? []);
  const title = said(row.title?.en);
  const named = title && symbols.length > 0 ? `${symbols.slice(0, 3).join(', ')}: ${title}` : title;
  // A day is written "01 Dec 2026", a month or quarter as such.
  const displayed = row.displayed_date ?? '';
  const isVague = row.can_occur_before === true || (displayed !== '' && !/^\d{1,2}\s/.test(displayed));
  const url = link(row.source) ?? link(row.proof);
  return [
    {
      ...BARE,
      ref: String(row.id),
      match: named ? wordsOf(named) : `coinmarketcal ${row.id}`,
      title: named,
      description: said(row.description?.en),
      ...judgeCoin(`${title ?? ''} ${row.description?.en ?? ''}`, symbols),
      at: new Date(`${dayOf(at)}T00:00:00Z`),
      allDay: true,
      estimated: isVague,
      // Without a page that proves it, it is not said where it comes from.
      publisher: url ? 'CoinMarketCal' : null,
      url,
    },
  ];
}

/** GET /v1/events, page by page. */
export const coinEvents: EventSource = {
  source: 'coinmarketcal',
  rank: 4,
  everyMs: 6 * 3_600_000,
  async read(client, { now, signal }) {
    const range = { dateRangeStart: dayOf(now), dateRangeEnd: dayOf(addDays(now, 90)) };
    const rows: Row[] = [];
    for (let page = 1; page <= PAGES; page++) {
      const query = { ...range, page, max: PAGE_SIZE, sortBy: 'hot_events' };
      const { data } = await client.get('/v1/events', answer, { query, signal });
      rows.push(...data.body);
      if (data.body.length < PAGE_SIZE) break;
    }
    return rows.flatMap(toFound);
  },
};
