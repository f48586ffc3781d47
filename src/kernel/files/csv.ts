import type { Cell, FileHead, Table, Written } from './table.ts';
import { cleanText, minuteText, PIECE, plainText } from './text.ts';

/** What a spreadsheet would take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const QUOTED = /[",\r\n]/;

/** Only texts are guarded: an apostrophe before a number would make it a text. */
function csvText(text: string): string {
  let clean = cleanText(text);
  if (FORMULA.test(clean)) clean = `'${clean}`;
  if (clean === '') return '""';
  return QUOTED.test(clean) ? `"${clean.replaceAll('"', '""')}"` : clean;
}

function csvCell(cell: Cell | undefined): string {
  if (typeof cell === 'string') return csvText(cell);
  if (typeof cell === 'number') return Number.isFinite(cell) ? `${cell}` : '';
  return cell === null || cell === undefined ? '' : `${cell}`;
}

/**
 * RFC 4180 in UTF-8: names of columns first, CRLF, null as nothing and an empty text as `""`. No byte order mark: for
 * readers that expect none it would be part of the first column's name. Spreadsheets have XLSX.
 */
export async function* csvOf(table: Table, written: Written): AsyncGenerator<string> {
  const width = table.columns.length;
  let text = `${table.columns.map(({ name }) => csvText(name)).join(',')}\r\n`;
  for await (const batch of table.rows) {
    for (const row of batch) {
      let line = csvCell(row[0]);
      for (let i = 1; i < width; i++) line += `,${csvCell(row[i])}`;
      // An empty line would be no row.
      text += line === '' ? '""\r\n' : `${line}\r\n`;
      written.rows++;
      if (text.length >= PIECE) {
        yield text;
        text = '';
      }
    }
  }
  yield text;
}

/** Notes of the tables in a packed CSV, which cannot hold them. */
export function aboutText(head: FileHead): string {
  const lines = [head.title, `${head.look.name} · ${minuteText(head.madeAt)}`];
  if (head.dataMode === 'demo') lines.push('Demo data');
  lines.push('', ...head.notes);
  if (head.metadata)
    lines.push('', ...Object.entries(head.metadata).map(([key, value]) => `${key}: ${plainText(value)}`));
  return `${lines.map(cleanText).join('\r\n')}\r\n`;
}
