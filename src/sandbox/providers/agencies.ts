import { longDate } from '#sandbox/market/calendar.ts';
import { DAY, HOUR } from '#sandbox/market/time.ts';
import type { Provider } from '#sandbox/provider.ts';

import { type Item, page, rss } from './rss.ts';

type Announcement = (at: number) => { title: string; description: string };

const SEC: readonly Announcement[] = [
  (at) => ({
    title: `SEC to Host Crypto Task Force Roundtable on Tokenization on ${longDate(at + 31 * DAY)}`,
    description: 'The roundtable is open to the public and will be webcast.',
  }),
  () => ({
    title: 'SEC Charges Three Individuals in Real Estate Offering Fraud',
    description: 'The complaint was filed in the Southern District of New York.',
  }),
  (at) => ({
    title: 'SEC Proposes Custody Rules for Digital Assets',
    description: `Comments should be received on or before ${longDate(at + 45 * DAY)}.`,
  }),
  () => ({
    title: 'SEC Approves Generic Listing Standards for Spot Crypto ETPs',
    description: 'Exchanges may list &amp; trade products that meet the standards.',
  }),
];
const CFTC: readonly Announcement[] = [
  (at) => ({
    title: `CFTC Announces Digital Asset Markets Subcommittee Meeting on ${longDate(at + 38 * DAY)}`,
    description: 'Members will discuss tokenized collateral.',
  }),
  () => ({ title: 'CFTC Staff Issues Weekly Grain Advisory', description: 'For hedgers of corn and wheat.' }),
  (at) => ({
    title: 'CFTC Seeks Public Comment on Stablecoin Margin Guidance',
    description: `Comments will be accepted until ${longDate(at + 52 * DAY)}.`,
  }),
];

function feed(
  name: string,
  link: string,
  announcements: readonly Announcement[],
  hour: number,
  now: number,
  cdata: boolean,
): string {
  const week = Math.floor(now / (7 * DAY));
  const items = Array.from({ length: 12 }, (_, i): Item => {
    const at = (week - i) * 7 * DAY + 5 * DAY + hour * HOUR;
    const announcement = announcements[(week - i) % announcements.length]?.(at) ?? { title: '', description: '' };
    return { ...announcement, link: `${link}${week - i}`, at };
  });
  return rss(
    name,
    items.filter(({ at }) => at <= now),
    cdata,
  );
}

const createAgency = (id: string, env: string, path: string, render: (now: number) => string): Provider => ({
  id,
  base: `/${id}`,
  env: { [env]: { scheme: 'http', path: `/${id}` } },
  routes: [{ path, handle: ({ now }) => ({ body: render(now), headers: { 'content-type': 'application/rss+xml' } }) }],
  notFound: { status: 404, body: page('Page not found') },
  rateLimited: page('Request Rate Threshold Exceeded'),
  serverError: page('Service Unavailable'),
  withNulls: (_path, body) => String(body).replaceAll(/<description>[\s\S]*?<\/description>/g, '<description/>'),
});

export const sec = (): Provider =>
  createAgency('sec', 'SEC_BASE_URL', '/news/pressreleases.rss', (now) =>
    feed('Press Releases', 'https://www.sec.gov/newsroom/press-releases/2026-', SEC, 15, now, false),
  );

export const cftc = (): Provider =>
  createAgency('cftc', 'CFTC_BASE_URL', '/RSS/RSSGP/rssgp.xml', (now) =>
    feed('General Press Releases', 'https://www.cftc.gov/PressRoom/PressReleases/', CFTC, 18, now, true),
  );
