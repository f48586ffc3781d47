import type { Cell, Column, Table, Written } from './table.ts';
import { CHUNK, xmlText } from './text.ts';
import { SHEET_OPENS, STYLE } from './xlsx-parts.ts';

const LONGEST_TEXT = 32_767;
const DAY_MS = 86_400_000;
/** Days from the sheets' beginning of time to 1970; before March 1900 they count a day that never was. */
const DAYS_TO_1970 = 25_569;
const FIRST_DAY = 61;
const LAST_DAY = 2_958_466;
const SAMPLE = 100;

/** Texts that cannot stand in XML as they are, keep their blanks only when told to, or look like a sheet's own escape. */
const DOUBTFUL = /[&<>"\r\n\t\u0000-\u001f\ud800-\udfff\ufffe\uffff]|^ | $| {2}|_x/;
const OWN_ESCAPE = /_(?=x[0-9a-f]{4}_)/gi;

export type Told = { cut: number };

export function textCell(text: string, told: Told, style = ''): string {
  if (text.length <= LONGEST_TEXT && !DOUBTFUL.test(text))
    return `<c t="inlineStr"${style}><is><t>${text}</t></is></c>`;
  let whole = text;
  if (whole.length > LONGEST_TEXT) {
    whole = `${whole.slice(0, LONGEST_TEXT - 1)}…`;
    told.cut++;
  }
  return `<c t="inlineStr"${style}><is><t xml:space="preserve">${xmlText(whole).replaceAll(OWN_ESCAPE, '_x005F_')}</t></is></c>`;
}

const inStyle = (style: number) => ` s="${style}"`;

function timeCell(text: string, told: Told): string {
  const day = Date.parse(text) / DAY_MS + DAYS_TO_1970;
  return day >= FIRST_DAY && day < LAST_DAY ? `<c s="${STYLE.time}"><v>${day}</v></c>` : textCell(text, told);
}

function cellXml(cell: Cell | undefined, isTime: boolean, told: Told): string {
  if (typeof cell === 'number') return Number.isFinite(cell) ? `<c><v>${cell}</v></c>` : '<c/>';
  if (typeof cell === 'string') return isTime ? timeCell(cell, told) : textCell(cell, told);
  return typeof cell === 'boolean' ? `<c t="b"><v>${cell ? 1 : 0}</v></c>` : '<c/>';
}

type Rows = readonly (readonly Cell[])[];

/** Rows of a table across several sheets. */
export type Cursor = { batch: Rows; at: number; more: () => Promise<boolean>; close: () => Promise<void> };

export function openCursor({ rows }: Table): Cursor {
  const batches = rows[Symbol.asyncIterator]();
  const cursor: Cursor = {
    batch: [],
    at: 0,
    async more() {
      while (cursor.at >= cursor.batch.length) {
        const next = await batches.next();
        if (next.done) return false;
        cursor.batch = next.value;
        cursor.at = 0;
      }
      return true;
    },
    async close() {
      await batches.return?.();
    },
  };
  return cursor;
}

const titleOf = ({ title, unit }: Column) => (unit ? `${title} (${unit})` : title);

function widths(columns: readonly Column[], sample: Rows): string {
  if (columns.length === 0) return '';
  const cols = columns.map((column, i) => {
    let longest = titleOf(column).length;
    for (const row of sample) longest = Math.max(longest, String(row[i] ?? '').length);
    const width = Math.min(60, Math.max(column.type === 'time' ? 24 : 8, longest + 2));
    return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`;
  });
  return `<cols>${cols.join('')}</cols>`;
}

/** At most `most` rows with the head, which stays in sight. */
export async function* sheetXml(table: Table, cursor: Cursor, most: number, written: Written, told: Told) {
  const { columns } = table;
  const times = columns.map(({ type }) => type === 'time');
  await cursor.more();
  let text =
    `${SHEET_OPENS}<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `${widths(columns, cursor.batch.slice(cursor.at, cursor.at + SAMPLE))}<sheetData><row r="1">` +
    `${columns.map((column) => textCell(titleOf(column), told, inStyle(STYLE.head))).join('')}</row>`;
  let last = 1;
  while (last < most && (await cursor.more())) {
    const { batch } = cursor;
    const end = Math.min(batch.length, cursor.at + most - last);
    while (cursor.at < end) {
      const row = batch[cursor.at++] as readonly Cell[];
      text += `<row r="${++last}">`;
      for (let i = 0; i < times.length; i++) text += cellXml(row[i], times[i] as boolean, told);
      text += '</row>';
      written.rows++;
      if (text.length >= CHUNK) {
        yield text;
        text = '';
      }
    }
  }
  yield `${text}</sheetData></worksheet>`;
}
