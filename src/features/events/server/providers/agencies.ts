import { z } from 'zod';

import { contactHeaders } from '#kernel/http/contact.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import { classifyRegulation, mentionsCrypto, significantWords } from '../rules.ts';
import type { EventSource, Found } from '../types.ts';
import { BARE, dayAhead, parseRss, type RssItem, unreadable } from './parsing.ts';

const LICENCE = 'US-government works, public domain';

export const sec: SourceDescriptor = {
  id: 'sec',
  name: 'SEC',
  gives: 'Crypto-related press releases',
  homepage: 'https://www.sec.gov/newsroom/press-releases',
  licence: LICENCE,
  attribution: 'U.S. Securities and Exchange Commission',
  key: 'none',
  options: (config) => ({ baseUrl: config.SEC_BASE_URL, headers: contactHeaders(config), perMinute: 20, burst: 2 }),
};

export const cftc: SourceDescriptor = {
  id: 'cftc',
  name: 'CFTC',
  gives: 'Crypto-related press releases',
  homepage: 'https://www.cftc.gov/PressRoom/PressReleases',
  licence: LICENCE,
  attribution: 'U.S. Commodity Futures Trading Commission',
  key: 'none',
  options: (config) => ({ baseUrl: config.CFTC_BASE_URL, headers: contactHeaders(config), perMinute: 20, burst: 2 }),
};

/** A release about a future day becomes an event of that day; any other one of its publication day. */
function toFound(publisher: string, { title, description, link, guid, at }: RssItem): Found[] {
  const text = `${title} ${description}`;
  if (!mentionsCrypto(text)) return [];
  const named = dayAhead(title, at);
  const ahead = named ?? dayAhead(description, at);
  const isDeadline = named === null && ahead !== null && /\bcomments?\b/i.test(description);
  return [
    {
      ...BARE,
      ref: guid ?? link ?? title,
      match: significantWords(title),
      title: isDeadline ? `Comments due: ${title}` : title,
      description: description || null,
      ...classifyRegulation(text),
      at: ahead ? new Date(`${ahead}T00:00:00Z`) : at,
      allDay: ahead !== null,
      publisher,
      url: link,
    },
  ];
}

const feed = (source: string, publisher: string, path: string): EventSource => ({
  source,
  rank: 1,
  async read(client, { signal }) {
    const { data } = await client.get(path, z.string(), { format: 'text', signal });
    const items = parseRss(data);
    if (!items) throw unreadable(`${publisher} did not return RSS`);
    return items.flatMap((item) => toFound(publisher, item));
  },
});

/** GET /news/pressreleases.rss and /RSS/RSSGP/rssgp.xml. */
export const secPress = feed('sec', 'SEC', '/news/pressreleases.rss');
export const cftcPress = feed('cftc', 'CFTC', '/RSS/RSSGP/rssgp.xml');
