export type Item = { title: string; link: string; description: string; category?: string; at: number };

const rfc822 = (ms: number) => new Date(ms).toUTCString();
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A feed, newest first, with its texts as CDATA or escaped, as each agency writes it. */
export function rss(title: string, items: readonly Item[], cdata: boolean): string {
  const text = (value: string) => (cdata ? `<![CDATA[${value}]]>` : escaped(value));
  const rows = items
    .toSorted((a, b) => b.at - a.at)
    .map(
      (item) => `<item>
<title>${text(item.title)}</title>
<link>${text(item.link)}</link>
<guid isPermaLink="true">${text(item.link)}</guid>
<description>${text(`<p>${item.description}</p>`)}</description>
${item.category ? `<category>${text(item.category)}</category>\n` : ''}<pubDate>${rfc822(item.at)}</pubDate>
</item>`,
    );
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>${escaped(title)}</title><language>en</language>
${rows.join('\n')}
</channel></rss>
`;
}

export const PAGE = '<!DOCTYPE html>\n<html><head><title>%</title></head><body><h1>%</h1></body></html>\n';
export const page = (words: string): string => PAGE.replaceAll('%', words);
