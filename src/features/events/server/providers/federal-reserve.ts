import { z } from 'zod';

import type { SourceDescriptor } from '#server/platform/source-set.ts';
import { BRAND } from '#shared/brand.ts';

import { kindOf } from '../kinds.ts';
import { judgeFed, tellsOfCrypto, wordsOf } from '../rules.ts';
import type { EventSource, Found } from '../types.ts';
import { dayAhead } from './dates-in-text.ts';
import { meetingsOn } from './fomc-page.ts';
import { atUsualTime, BARE, recurring, unreadable } from './found.ts';
import { parseRss, type RssItem } from './rss.ts';

/** Agencies turn away who does not say who asks. */
export const WITH_CONTACT = { 'user-agent': `${BRAND.name}/1.0 (${BRAND.supportEmail})` };
export const FOMC_PAGE = 'https://www.federalreserve.gov/monetarypolicy/fomccalendars.htm';

export const federalReserve: SourceDescriptor = {
  id: 'federal-reserve',
  name: 'Federal Reserve',
  gives: 'Dates of FOMC meetings, press releases',
  homepage: FOMC_PAGE,
  licence: 'US-government works, public domain',
  attribution: 'Board of Governors of the Federal Reserve System',
  key: 'none',
  options: ({ FEDERAL_RESERVE_BASE_URL }) => ({
    baseUrl: FEDERAL_RESERVE_BASE_URL,
    headers: WITH_CONTACT,
    perMinute: 20,
    burst: 4,
  }),
};

/** GET /monetarypolicy/fomccalendars.htm: decisions come at 2 p.m. Eastern on the last day of a meeting. */
export const fomcMeetings: EventSource = {
  source: 'federal-reserve',
  rank: 1,
  async read(client, { now, signal }) {
    const { data } = await client.get('/monetarypolicy/fomccalendars.htm', z.string(), { format: 'text', signal });
    const meetings = meetingsOn(data);
    if (!meetings) throw unreadable('The FOMC calendar names no meeting');
    return meetings
      .filter(({ day }) => Math.abs(Date.parse(day) - now.getTime()) < 800 * 86_400_000)
      .map(({ day, projections }) => decisionOn(day, projections, 'Federal Reserve'));
  },
};

export const decisionOn = (day: string, projections: boolean, publisher: string): Found =>
  recurring({
    kind: 'fomc',
    ref: `fomc ${day.slice(0, 7)}`,
    at: atUsualTime('fomc', day),
    description: `The Federal Open Market Committee decides on the target range of the federal funds rate; a news conference follows half an hour later.${projections ? ' With the Summary of Economic Projections.' : ''}`,
    publisher,
    url: FOMC_PAGE,
  });

function toFound({ title, description, link, guid, categories, at }: RssItem): Found[] {
  const kind = kindOf(title);
  const shared = { ref: guid ?? link ?? title, publisher: 'Federal Reserve', url: link };
  // What the press says of a meeting belongs to the meeting; what it adds to its day is not another time of it.
  if (kind === 'fomc' || kind === 'fomc-minutes' || kind === 'beige-book')
    return [recurring({ ...shared, kind, at, description: null })];
  const text = `${title} ${description}`;
  const ahead = dayAhead(text, at);
  const isMonetary = categories.some((category) => /monetary policy/i.test(category));
  // Orders on single banks are no events of the market.
  if (!isMonetary && !ahead && !tellsOfCrypto(text)) return [];
  return [
    {
      ...BARE,
      ...shared,
      match: wordsOf(title),
      title,
      description: description || null,
      ...judgeFed(text, isMonetary),
      at: ahead ? new Date(`${ahead}T00:00:00Z`) : at,
      allDay: ahead !== null,
    },
  ];
}

/** GET /feeds/press_all.xml. */
export const fedPress: EventSource = {
  source: 'federal-reserve',
  as: 'federal-reserve-press',
  rank: 2,
  async read(client, { signal }) {
    const { data } = await client.get('/feeds/press_all.xml', z.string(), { format: 'text', signal });
    const items = parseRss(data);
    if (!items) throw unreadable('The Federal Reserve’s feed is no RSS');
    return items.flatMap(toFound);
  },
};
