/** A piece of a chat message as displayed. */
export type ChatPart = { text: string; style?: 'bold' | 'italic' | undefined; href?: string | undefined };

/** A plain address, `*bold*`, `_italic_` and `[words](https://address)`. Markers within a word, or never closed, are text. */
const MARKS =
  /(?<url>https?:\/\/[^\s()<>"]*[^\s()<>"'.,;:!?*_[\]])|\[(?<label>[^[\]\n]+)\]\((?<to>https:\/\/[^\s()<>"]+)\)|(?<![\p{L}\p{N}*_])(?:\*(?<bold>[^\s*](?:[^*\n]*[^\s*])?)\*|_(?<italic>[^\s_](?:[^_\n]*[^\s_])?)_)(?![\p{L}\p{N}*_])/gu;

/** A message split into the pieces a chat displays; together they are never longer than the text. */
export function chatParts(text: string): ChatPart[] {
  const parts: ChatPart[] = [];
  let from = 0;
  for (const { index, 0: whole, groups = {} } of text.matchAll(MARKS)) {
    if (index > from) parts.push({ text: text.slice(from, index) });
    from = index + whole.length;
    const { url, label, to, bold, italic } = groups;
    if (url !== undefined) parts.push({ text: url, href: url });
    else if (label !== undefined && to !== undefined) parts.push({ text: label, href: to });
    else if (bold !== undefined) parts.push({ text: bold, style: 'bold' });
    else parts.push({ text: italic ?? whole, style: 'italic' });
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

export const shownText = (parts: readonly ChatPart[]): string => parts.map(({ text }) => text).join('');

/** The end of every announcement, with opt-out instructions. */
export const ANNOUNCEMENT_END: readonly ChatPart[] = [
  { text: '\n\n' },
  { text: 'Announcement. Send /stop to opt out.', style: 'italic' },
];

/** An announcement as displayed. */
export const announcementParts = (text: string): ChatPart[] => [...chatParts(text), ...ANNOUNCEMENT_END];
