import type { Cell, FileHead, Table, Written } from './table.ts';
import { CHUNK, xmlText } from './text.ts';

type Tables = Iterable<Table> | AsyncIterable<Table>;

const NOT_IN_NAMES = /[^\p{L}\p{Nd}_.-]/gu;

/** As the name of an element: other signs become '_', and so does what may not begin one. */
export function xmlName(text: string): string {
  const name = text.toWellFormed().normalize('NFC').replaceAll(NOT_IN_NAMES, '_');
  return /^[\p{L}_]/u.test(name) && !/^xml/i.test(name) ? name : `_${name}`;
}

const cellText = (cell: Cell): string => (typeof cell === 'string' ? xmlText(cell) : `${cell}`);

/** Objects become elements, lists repeat theirs as `item`. */
function elements(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  const tag = xmlName(name);
  let inside: string;
  if (Array.isArray(value)) inside = value.map((each) => elements('item', each)).join('');
  else if (value instanceof Date) inside = value.toISOString();
  else if (typeof value === 'object')
    inside = Object.entries(value)
      .map(([key, each]) => elements(key, each))
      .join('');
  else inside = xmlText(String(value));
  return `<${tag}>${inside}</${tag}>\n`;
}

/**
 * `<export title by madeAt dataMode><metadata/><notes><note/></notes><tables><NAME><row><COLUMN>cell</COLUMN></row></NAME></tables></export>`.
 * Null has no element, an empty text an empty one. Names that XML does not allow are changed.
 */
export async function* xmlOf(head: FileHead, tables: Tables, written: Map<string, Written>): AsyncGenerator<string> {
  let text =
    `<?xml version="1.0" encoding="UTF-8"?>\n<export title="${xmlText(head.title)}" by="${xmlText(head.look.name)}" ` +
    `madeAt="${head.madeAt.toISOString()}" dataMode="${head.dataMode}">\n`;
  if (head.metadata) text += elements('metadata', head.metadata);
  text += `<notes>${head.notes.map((note) => elements('note', note)).join('')}</notes>\n<tables>\n`;
  for await (const table of tables) {
    const count: Written = { rows: 0 };
    written.set(table.name, count);
    const tableTag = xmlName(table.name);
    const opens = table.columns.map(({ name }) => `<${xmlName(name)}>`);
    const closes = table.columns.map(({ name }) => `</${xmlName(name)}>`);
    text += `<${tableTag}>\n`;
    for await (const batch of table.rows) {
      for (const row of batch) {
        let line = '<row>';
        for (let i = 0; i < opens.length; i++) {
          const cell = row[i];
          if (cell === null || cell === undefined || (typeof cell === 'number' && !Number.isFinite(cell))) continue;
          line += opens[i] + cellText(cell) + closes[i];
        }
        text += `${line}</row>\n`;
        count.rows++;
        if (text.length >= CHUNK) {
          yield text;
          text = '';
        }
      }
    }
    text += `</${tableTag}>\n`;
  }
  yield `${text}</tables>\n</export>\n`;
}
