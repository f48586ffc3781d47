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

/** Marked-up text as people read it. */
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
