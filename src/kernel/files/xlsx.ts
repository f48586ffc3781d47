import { fitWithin, logoSize } from './logo.ts';
import type { Cell, Column, FileHead, Table, WrittenFile } from './table.ts';
import { encodeChunks, minuteText, PIECE, plainText, xmlText } from './text.ts';
import {
  aboutRelations,
  appProperties,
  contentTypes,
  coreProperties,
  drawingRelations,
  drawingXml,
  rootRelations,
  SHEET_OPENS,
  STYLE,
  stylesXml,
  workbookRelations,
  workbookXml,
} from './xlsx-parts.ts';
import { type ZipEntry, zipChunks } from './zip.ts';

const MAX_CELL_LENGTH = 32_767;
const DAY_MS = 86_400_000;
/** Days from the spreadsheet epoch to 1970; before March 1900 spreadsheets count a day that did not exist. */
const DAYS_TO_1970 = 25_569;
const FIRST_DAY = 61;
const LAST_DAY = 2_958_466;
const SAMPLE = 100;

/** Texts that XML cannot hold unescaped, that need preserved whitespace, or that look like an escape of the format. */
const UNSAFE_CHARACTERS = /[&<>"]|[^ -\ud7ff\ue000-\ufffd]|^ | $| {2}|_x/;
const ESCAPE_SEQUENCE = /_(?=x[0-9a-f]{4}_)/gi;

type WrittenSheet = { cut: number };

function textCell(text: string, sheet: WrittenSheet, style = ''): string {
  if (text.length <= MAX_CELL_LENGTH && !UNSAFE_CHARACTERS.test(text))
    return `<c t="inlineStr"${style}><is><t>${text}</t></is></c>`;
  let whole = text;
  if (whole.length > MAX_CELL_LENGTH) {
    whole = `${whole.slice(0, MAX_CELL_LENGTH - 1)}…`;
    sheet.cut++;
  }
  return `<c t="inlineStr"${style}><is><t xml:space="preserve">${xmlText(whole).replaceAll(ESCAPE_SEQUENCE, '_x005F_')}</t></is></c>`;
}

const styledCell = (style: number) => ` s="${style}"`;

function timeCell(text: string, sheet: WrittenSheet): string {
  const day = Date.parse(text) / DAY_MS + DAYS_TO_1970;
  return day >= FIRST_DAY && day < LAST_DAY ? `<c s="${STYLE.time}"><v>${day}</v></c>` : textCell(text, sheet);
}

function cellXml(cell: Cell | undefined, isTime: boolean, sheet: WrittenSheet): string {
  if (typeof cell === 'number') return Number.isFinite(cell) ? `<c><v>${cell}</v></c>` : '<c/>';
  if (typeof cell === 'string') return isTime ? timeCell(cell, sheet) : textCell(cell, sheet);
  return typeof cell === 'boolean' ? `<c t="b"><v>${cell ? 1 : 0}</v></c>` : '<c/>';
}

type Rows = readonly (readonly Cell[])[];

/** Position in a table that is split across several sheets. */
type Cursor = { batch: Rows; at: number; more: () => Promise<boolean>; close: () => Promise<void> };

function openCursor({ rows }: Table): Cursor {
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

const columnTitle = ({ title, unit }: Column) => (unit ? `${title} (${unit})` : title);

function widths(columns: readonly Column[], sample: Rows): string {
  if (columns.length === 0) return '';
  const cols = columns.map((column, i) => {
    let longest = columnTitle(column).length;
    for (const row of sample) longest = Math.max(longest, String(row[i] ?? '').length);
    const width = Math.min(60, Math.max(column.type === 'time' ? 24 : 8, longest + 2));
    return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`;
  });
  return `<cols>${cols.join('')}</cols>`;
}

/** At most `most` rows below a frozen header. */
async function* sheetXml(table: Table, cursor: Cursor, most: number, written: WrittenFile, sheet: WrittenSheet) {
  const { columns } = table;
  const times = columns.map(({ type }) => type === 'time');
  await cursor.more();
  let text =
    `${SHEET_OPENS}<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `${widths(columns, cursor.batch.slice(cursor.at, cursor.at + SAMPLE))}<sheetData><row r="1">` +
    `${columns.map((column) => textCell(columnTitle(column), sheet, styledCell(STYLE.head))).join('')}</row>`;
  let last = 1;
  while (last < most && (await cursor.more())) {
    const { batch } = cursor;
    const end = Math.min(batch.length, cursor.at + most - last);
    while (cursor.at < end) {
      const row = batch[cursor.at++] as readonly Cell[];
      text += `<row r="${++last}">`;
      for (let i = 0; i < times.length; i++) text += cellXml(row[i], times[i] as boolean, sheet);
      text += '</row>';
      written.rows++;
      if (text.length >= PIECE) {
        yield text;
        text = '';
      }
    }
  }
  yield `${text}</sheetData></worksheet>`;
}

type Tables = Iterable<Table> | AsyncIterable<Table>;

export const SHEET_ROWS = 1_048_576;
const MAX_SHEET_NAME_LENGTH = 31;
const LOGO_BOX = { width: 240, height: 60 };
/** Sheets are large and read once: the lowest level is twice as fast for 20% more bytes. */
const LEVEL = 1;

/** A unique sheet name, case-insensitive: 'prices', then 'prices (2)'. */
function sheetName(wanted: string, taken: readonly string[]): string {
  const clean = wanted.toWellFormed().replaceAll(/[^ -\uffff]|[[\]:*?/\\']/g, '_') || 'sheet';
  for (let part = 1; ; part++) {
    const end = part === 1 ? '' : ` (${part})`;
    const name = clean.slice(0, MAX_SHEET_NAME_LENGTH - end.length).toWellFormed() + end;
    if (!taken.some((other) => other.toLowerCase() === name.toLowerCase())) return name;
  }
}

type About = { head: FileHead; written: Map<string, WrittenFile>; sheet: WrittenSheet; logoHeight: number | null };

function aboutXml({ head, written, sheet, logoHeight }: About): string {
  const rows: string[] = [];
  const add = (cells: (string | number)[], style = 0, height = 0) =>
    rows.push(
      `<row r="${rows.length + 1}"${height ? ` ht="${height}" customHeight="1"` : ''}>${cells
        .map((cell) =>
          typeof cell === 'number' ? `<c><v>${cell}</v></c>` : textCell(cell, sheet, style ? ` s="${style}"` : ''),
        )
        .join('')}</row>`,
    );
  if (logoHeight !== null) add([], 0, Math.ceil(logoHeight * 0.75) + 6);
  add([head.look.name], STYLE.brand);
  add([head.title], STYLE.title);
  add(['Created', minuteText(head.madeAt)]);
  if (head.dataMode === 'demo') add(['Data', 'Demo data']);
  add([]);
  for (const note of head.notes) add(['Note', note], STYLE.wrapped);
  for (const [key, value] of Object.entries(head.metadata ?? {})) add([key, plainText(value)], STYLE.wrapped);
  add([]);
  add(['Table', 'Rows'], STYLE.head);
  for (const [name, { rows: count }] of written) add([name, count]);
  if (sheet.cut > 0) add(['Note', `${sheet.cut} texts exceeded the cell limit and were truncated.`], STYLE.wrapped);
  const drawing = logoHeight === null ? '' : '<drawing r:id="rId1"/>';
  return (
    `${SHEET_OPENS}<sheetViews><sheetView showGridLines="0" tabSelected="1" workbookViewId="0"/></sheetViews>` +
    '<cols><col min="1" max="1" width="28" customWidth="1"/><col min="2" max="2" width="90" customWidth="1"/></cols>' +
    `<sheetData>${rows.join('')}</sheetData>${drawing}</worksheet>`
  );
}

/**
 * A sheet "About" and one per table, continued in 'NAME (2)' when a sheet is full. Texts are inline strings and never
 * formulas, times are dates in UTC. What is known only at the end is written at the end.
 */
async function* workbookEntries(head: FileHead, tables: Tables, written: Map<string, WrittenFile>, most: number) {
  const names = ['About'];
  const sheet: WrittenSheet = { cut: 0 };
  const entry = (name: string, content: string | Uint8Array): ZipEntry => ({
    name,
    content: [Buffer.from(content)],
  });
  yield entry('_rels/.rels', rootRelations());
  yield entry('docProps/core.xml', coreProperties(head));
  yield entry('docProps/app.xml', appProperties(head));
  yield entry('xl/styles.xml', stylesXml(head));
  for await (const table of tables) {
    const count: WrittenFile = { rows: 0 };
    written.set(table.name, count);
    const cursor = openCursor(table);
    try {
      do {
        names.push(sheetName(table.name, names));
        const content = encodeChunks(sheetXml(table, cursor, most, count, sheet));
        yield { name: `xl/worksheets/sheet${names.length}.xml`, content };
      } while (await cursor.more());
    } finally {
      await cursor.close();
    }
  }
  const { look } = head;
  const size = logoSize(look);
  const logo = size && look.logo && `logo.${look.logo.type}`;
  if (size && look.logo && logo) {
    yield entry(`xl/media/${logo}`, look.logo.bytes);
    yield entry('xl/drawings/drawing1.xml', drawingXml(look.name, fitWithin(size, LOGO_BOX)));
    yield entry('xl/drawings/_rels/drawing1.xml.rels', drawingRelations(logo));
    yield entry('xl/worksheets/_rels/sheet1.xml.rels', aboutRelations());
  }
  const logoHeight = size && fitWithin(size, LOGO_BOX).height;
  yield entry('xl/worksheets/sheet1.xml', aboutXml({ head, written, sheet, logoHeight }));
  yield entry('xl/workbook.xml', workbookXml(names));
  yield entry('xl/_rels/workbook.xml.rels', workbookRelations(names.length));
  yield entry('[Content_Types].xml', contentTypes(names.length, logo));
}

export function xlsxChunks(
  head: FileHead,
  tables: Tables,
  written: Map<string, WrittenFile>,
  most = SHEET_ROWS,
): AsyncGenerator<Uint8Array> {
  return zipChunks(workbookEntries(head, tables, written, most), head.madeAt, LEVEL);
}
