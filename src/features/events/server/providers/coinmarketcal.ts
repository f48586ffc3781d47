import { z } from 'zod';

import type { SourceDescriptor } from '#kernel/source-set.ts';

import { addDays, classifyCoin, isoDay, significantWords } from '../rules.ts';
import type { EventSource, Found } from '../types.ts';
import { BARE } from './parsing.ts';

const failure = z.object({ error: z.object({ message: z.string() }) });

export const coinmarketcal: SourceDescriptor = {
  id: 'coinmarketcal',
  name: 'CoinMarketCal',
  gives: 'Coin events: upgrades, unlocks, listings',
  homepage: 'https://coinmarketcal.com',
  licence: 'Requires a key under the CoinMarketCal API terms',
  attribution: 'Powered by CoinMarketCal',
  key: 'required',
  keySetting: 'COINMARKETCAL_API_KEY',
  off: ({ COINMARKETCAL_API_KEY }) =>
    COINMARKETCAL_API_KEY ? null : 'CoinMarketCal needs a key: set COINMARKETCAL_API_KEY',
  options: ({ COINMARKETCAL_BASE_URL, COINMARKETCAL_API_KEY }) => ({
    baseUrl: COINMARKETCAL_BASE_URL,
    // The documentation names the first, its published clients use the second.
    headers: { authorization: `Bearer ${COINMARKETCAL_API_KEY ?? ''}`, 'x-api-key': COINMARKETCAL_API_KEY ?? '' },
    perMinute: 20,
    burst: 3,
    parseError: (body) => {
      const refused = failure.safeParse(body);
      return refused.success ? refused.data.error.message : null;
    },
  }),
};

const text = z.string().nullish();
const answer = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      title: text,
      description: text,
      // Fields without a value may be empty strings.
      date: z.union([z.iso.datetime({ offset: true }), z.iso.date(), z.literal('')]).nullish(),
      dateType: text,
      isEstimated: z.boolean().nullish(),
      coins: z.array(z.object({ symbol: text })).nullish(),
      sourceUrl: text,
      snapshotUrl: text,
    }),
  ),
  meta: z.object({ cursor: text }),
});
type Row = z.output<typeof answer>['data'][number];

const PAGES = 3;
const PAGE_SIZE = 100;
const trimmed = (words: string | null | undefined) => words?.trim() || null;
const link = (words: string | null | undefined) =>
  words && /^https?:/.test(words) && URL.canParse(words) ? words : null;

function toFound(row: Row): Found[] {
  if (!row.date) return [];
  const at = new Date(row.date);
  const symbols = (row.coins ?? []).flatMap(({ symbol }) => trimmed(symbol)?.toUpperCase() ?? []);
  const title = trimmed(row.title);
  const named = title && symbols.length > 0 ? `${symbols.slice(0, 3).join(', ')}: ${title}` : title;
  const url = link(row.sourceUrl) ?? link(row.snapshotUrl);
  return [
    {
      ...BARE,
      ref: row.id,
      match: named ? significantWords(named) : `coinmarketcal ${row.id}`,
      title: named,
      description: trimmed(row.description),
      ...classifyCoin(`${title ?? ''} ${row.description ?? ''}`, symbols),
      at: new Date(`${isoDay(at)}T00:00:00Z`),
      allDay: true,
      // For a month, a quarter or an estimate the API still returns a day, which was not announced.
      estimated: row.isEstimated !== false || row.dateType !== 'date',
      // Without a page as proof, no publisher is named.
      publisher: url ? 'CoinMarketCal' : null,
      url,
    },
  ];
}

/** GET /v2/events, page by page, the next days first. */
export const coinEvents: EventSource = {
  source: 'coinmarketcal',
  rank: 4,
  // Its terms of May 2026 forbid use with models.
  excludesModels: true,
  everyMs: 6 * 3_600_000,
  async read(client, { now, signal }) {
    // How many of these days are returned depends on the plan of the key.
    const range = { from: isoDay(now), to: isoDay(addDays(now, 90)), limit: PAGE_SIZE, sortBy: 'date_asc' };
    const rows: Row[] = [];
    let cursor: string | null | undefined;
    for (let page = 1; page <= PAGES; page++) {
      const query = cursor ? { ...range, cursor } : range;
      const { data: got } = await client.get('/v2/events', answer, { query, signal });
      rows.push(...got.data);
      cursor = got.meta.cursor;
      if (!cursor) break;
    }
    return rows.flatMap(toFound);
  },
};
