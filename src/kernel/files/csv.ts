import type { Cell, FileHead, Table, WrittenFile } from './table.ts';
import { cleanText, minuteText, PIECE, plainText } from './text.ts';

/** What a spreadsheet would interpret as the start of a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const QUOTED = /[",\r\n]/;

/** Only text is escaped: an apostrophe before a number would turn it into text. */
function csvLines(text: string): string {
  let clean = cleanText(text);
  if (FORMULA.test(clean)) clean = `'${clean}`;
  if (clean === '') return '""';
  return QUOTED.test(clean) ? `"${clean.replaceAll('"', '""')}"` : clean;
}

function csvCell(cell: Cell | undefined): string {
  if (typeof cell === 'string') return csvLines(cell);
  if (typeof cell === 'number') return Number.isFinite(cell) ? `${cell}` : '';
  return cell === null || cell === undefined ? '' : `${cell}`;
}

/**
 * RFC 4180 in UTF-8: column names first, CRLF, null as an empty field and an empty text as `""`. No byte order mark:
 * readers that do not expect one would make it part of the first column name. Spreadsheets have XLSX.
 */
export async function* csvRows(table: Table, written: WrittenFile): AsyncGenerator<string> {
  const width = table.columns.length;
  let text = `${table.columns.map(({ name }) => csvLines(name)).join(',')}\r\n`;
  for await (const batch of table.rows) {
    for (const row of batch) {
      let line = csvCell(row[0]);
      for (let i = 1; i < width; i++) line += `,${csvCell(row[i])}`;
      // An empty line would not count as a row.
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

/** Notes on the tables in a packed CSV, which cannot contain them. */
export function metadataText(head: FileHead): string {
  const lines = [head.title, `${head.look.name} · ${minuteText(head.madeAt)}`];
  if (head.dataMode === 'demo') lines.push('Demo data');
  lines.push('', ...head.notes);
  if (head.metadata)
    lines.push('', ...Object.entries(head.metadata).map(([key, value]) => `${key}: ${plainText(value)}`));
  return `${lines.map(cleanText).join('\r\n')}\r\n`;
}
