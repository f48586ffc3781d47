import { SourceError } from '#kernel/http/source-error.ts';
import { easternTime } from '#shared/release-calendar.ts';

import { KINDS, type Kind, type KindId } from '../kinds.ts';
import { classifyByKind, DAY_MS, dayFrom, midnight, monthNamed } from '../rules.ts';
import type { Found } from '../types.ts';

/** Defaults of an event. */
export const BARE = {
  kind: null,
  title: null,
  description: null,
  allDay: false,
  estimated: false,
  interval: null,
  publisher: null,
  url: null,
  figures: null,
} as const;

type Recurring = Partial<Found> & { kind: KindId; ref: string; at: Date };

/** An event of a recurring kind: name, category and impact from the table. */
export const recurring = ({ kind, ...more }: Recurring): Found => ({
  ...BARE,
  match: kind,
  kind,
  title: KINDS[kind].name,
  ...classifyByKind(kind),
  ...more,
});

/** Release time of this kind on a day in New York. */
export function atUsualTime(kind: KindId, day: string): Date {
  const known: Kind = KINDS[kind];
  return easternTime(day, known.time);
}

export const unreadable = (what: string): SourceError => new SourceError('body', what);

const MONTH =
  '(Jan(?:uary|\\.)?|Feb(?:ruary|\\.)?|Mar(?:ch|\\.)?|Apr(?:il|\\.)?|May|June?|July?|Aug(?:ust|\\.)?|Sep(?:t(?:ember)?)?\\.?|Oct(?:ober|\\.)?|Nov(?:ember|\\.)?|Dec(?:ember|\\.)?)';
const DATE = new RegExp(
  `\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:\\s*[-–]\\s*\\d{1,2})?(?:,?\\s+(\\d{4}))?\\b`,
  'g',
);
const YEAR_MS = 366 * DAY_MS;

/** The first day in a text after `from`, at most a year later. Without a year the next such day is assumed. */
export function dayAhead(text: string, from: Date): string | null {
  const days = [...text.matchAll(DATE)].flatMap(([, word = '', date, given]): string[] => {
    const month = monthNamed(word);
    if (month === undefined) return [];
    const year = from.getUTCFullYear();
    const years = given ? [Number(given)] : [year, year + 1];
    return years.flatMap((of) => dayFrom(of, month, Number(date)) ?? []);
  });
  const ahead = days.filter((day) => {
    const ms = midnight(day).getTime() - from.getTime();
    return ms > 0 && ms <= YEAR_MS;
  });
  return ahead.toSorted()[0] ?? null;
}

export type RssItem = {
  title: string;
  description: string;
  link: string | null;
  guid: string | null;
  categories: string[];
  at: Date;
};

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function character(code: number): string {
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
}

const unescaped = (text: string): string =>
  text.replaceAll(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? whole;
    return character(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  });

/** Plain text of HTML. */
export const readable = (html: string): string =>
  unescaped(
    unescaped(html.replaceAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')).replaceAll(
      /<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi,
      ' ',
    ),
  )
    .replaceAll(/\s+/g, ' ')
    .trim();

const contents = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}(?:\\s[^>]*)?>([\\s\\S]*?)</${tag}>`, 'gi'))].map(([, text = '']) => text);

const first = (xml: string, tag: string): string => readable(contents(xml, tag)[0] ?? '');

const address = (text: string): string | null => (/^https?:\/\//i.test(text) && URL.canParse(text) ? text : null);

/** The items of an RSS feed; null for other formats. Items without title or date are skipped. */
export function parseRss(text: string): RssItem[] | null {
  if (!/<(rss|rdf:RDF)[\s>]/i.test(text)) return null;
  return contents(text, 'item').flatMap((item): RssItem[] => {
    const title = first(item, 'title');
    const at = new Date(first(item, 'pubDate') || first(item, 'dc:date'));
    if (!title || Number.isNaN(at.getTime())) return [];
    const guid = first(item, 'guid') || null;
    const categories = contents(item, 'category').map(readable);
    const description = first(item, 'description').slice(0, 600);
    return [{ title, description, link: address(first(item, 'link')) ?? address(guid ?? ''), guid, categories, at }];
  });
}
