import { fitted, logoSize } from './logo.ts';
import type { FileHead, Table, Written } from './table.ts';
import { minuteText, plainText } from './text.ts';
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
import { openCursor, sheetXml, type Told, textCell } from './xlsx-sheet.ts';
import { type ZipEntry, zipOf } from './zip.ts';

type Tables = Iterable<Table> | AsyncIterable<Table>;

export const SHEET_ROWS = 1_048_576;
const LONGEST_NAME = 31;
const LOGO_BOX = { width: 240, height: 60 };
/** Sheets are large and read once: the lowest level is twice as fast for a fifth more bytes. */
const LEVEL = 1;

/** Unlike those before, whatever their case; 'prices', then 'prices (2)'. */
function sheetName(wanted: string, taken: readonly string[]): string {
  const clean = wanted.toWellFormed().replaceAll(/[\u0000-\u001f[\]:*?/\\']/g, '_') || 'sheet';
  for (let part = 1; ; part++) {
    const end = part === 1 ? '' : ` (${part})`;
    const name = clean.slice(0, LONGEST_NAME - end.length).toWellFormed() + end;
    if (!taken.some((other) => other.toLowerCase() === name.toLowerCase())) return name;
  }
}

type About = { head: FileHead; written: Map<string, Written>; told: Told; logoHeight: number | null };

function aboutXml({ head, written, told, logoHeight }: About): string {
  const rows: string[] = [];
  const add = (cells: (string | number)[], style = 0, height = 0) =>
    rows.push(
      `<row r="${rows.length + 1}"${height ? ` ht="${height}" customHeight="1"` : ''}>${cells
        .map((cell) =>
          typeof cell === 'number' ? `<c><v>${cell}</v></c>` : textCell(cell, told, style ? ` s="${style}"` : ''),
        )
        .join('')}</row>`,
    );
  if (logoHeight !== null) add([], 0, Math.ceil(logoHeight * 0.75) + 6);
  add([head.look.name], STYLE.brand);
  add([head.title], STYLE.title);
  add(['Made', minuteText(head.madeAt)]);
  if (head.dataMode === 'demo') add(['Data', 'Demo data']);
  add([]);
  for (const note of head.notes) add(['Note', note], STYLE.wrapped);
  for (const [key, value] of Object.entries(head.metadata ?? {})) add([key, plainText(value)], STYLE.wrapped);
  add([]);
  add(['Table', 'Rows'], STYLE.head);
  for (const [name, { rows: count }] of written) add([name, count]);
  if (told.cut > 0) add(['Note', `${told.cut} texts were longer than a cell can be and were cut.`], STYLE.wrapped);
  const drawing = logoHeight === null ? '' : '<drawing r:id="rId1"/>';
  return (
    `${SHEET_OPENS}<sheetViews><sheetView showGridLines="0" tabSelected="1" workbookViewId="0"/></sheetViews>` +
    '<cols><col min="1" max="1" width="28" customWidth="1"/><col min="2" max="2" width="90" customWidth="1"/></cols>' +
    `<sheetData>${rows.join('')}</sheetData>${drawing}</worksheet>`
  );
}

/**
 * A sheet "About" and one per table, going on in 'NAME (2)' where a sheet is full. Texts are inline strings and never
 * formulas, moments are dates in UTC. What can only be known in the end is written in the end.
 */
async function* entriesOf(head: FileHead, tables: Tables, written: Map<string, Written>, most: number) {
  const names = ['About'];
  const told: Told = { cut: 0 };
  const entry = (name: string, content: string | Uint8Array): ZipEntry => ({ name, content: [content] });
  yield entry('_rels/.rels', rootRelations());
  yield entry('docProps/core.xml', coreProperties(head));
  yield entry('docProps/app.xml', appProperties(head));
  yield entry('xl/styles.xml', stylesXml(head));
  for await (const table of tables) {
    const count: Written = { rows: 0 };
    written.set(table.name, count);
    const cursor = openCursor(table);
    try {
      do {
        names.push(sheetName(table.name, names));
        const content = sheetXml(table, cursor, most, count, told);
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
    yield entry('xl/drawings/drawing1.xml', drawingXml(look.name, fitted(size, LOGO_BOX)));
    yield entry('xl/drawings/_rels/drawing1.xml.rels', drawingRelations(logo));
    yield entry('xl/worksheets/_rels/sheet1.xml.rels', aboutRelations());
  }
  const logoHeight = size && fitted(size, LOGO_BOX).height;
  yield entry('xl/worksheets/sheet1.xml', aboutXml({ head, written, told, logoHeight }));
  yield entry('xl/workbook.xml', workbookXml(names));
  yield entry('xl/_rels/workbook.xml.rels', workbookRelations(names.length));
  yield entry('[Content_Types].xml', contentTypes(names.length, logo));
}

export function xlsxOf(
  head: FileHead,
  tables: Tables,
  written: Map<string, Written>,
  most = SHEET_ROWS,
): AsyncGenerator<Uint8Array> {
  return zipOf(entriesOf(head, tables, written, most), head.madeAt, LEVEL);
}
