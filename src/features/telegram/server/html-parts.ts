import type { ChatPart } from '#shared/chat-text.ts';

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
const plain = (html: string) => html.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);

/** What our own bot has sent, in the pieces that its reader sees: bold, italic and links never lie in one another there. */
export function partsOfHtml(html: string): ChatPart[] {
  const parts: ChatPart[] = [];
  let from = 0;
  for (const { index, 0: whole, 1: tag, 2: href, 3: inside = '' } of html.matchAll(
    /<(a|b|i)(?: href="([^"]*)")?>([^<]*)<\/\1>/g,
  )) {
    if (index > from) parts.push({ text: plain(html.slice(from, index)) });
    from = index + whole.length;
    const text = plain(inside);
    if (tag === 'a') parts.push({ text, href: plain(href ?? '') });
    else parts.push({ text, style: tag === 'b' ? 'bold' : 'italic' });
  }
  if (from < html.length) parts.push({ text: plain(html.slice(from)) });
  return parts;
}
