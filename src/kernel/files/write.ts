import { csvRows, metadataText } from './csv.ts';
import type { Cell, FileFormat, FileHead, FileOptions, Table, WrittenFile } from './table.ts';
import { encodeChunks, PIECE, plainText, xmlText } from './text.ts';
import { xlsxChunks } from './xlsx.ts';
import { type ZipEntry, zipChunks } from './zip.ts';

type Tables = Iterable<Table> | AsyncIterable<Table>;

const INVALID_NAME_CHARACTERS = /[^\p{L}\p{Nd}_.-]/gu;

/** As an element name: other characters become '_', and so does an invalid first one. */
function xmlName(text: string): string {
  const name = text.toWellFormed().normalize('NFC').replaceAll(INVALID_NAME_CHARACTERS, '_');
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
  else inside = xmlText(plainText(value));
  return `<${tag}>${inside}</${tag}>\n`;
}

/**
 * `<export title by madeAt
 * dataMode><metadata/><notes><note/></notes><tables><NAME><row><COLUMN>cell</COLUMN></row></NAME></tables></export>`.
 * Null has no element, an empty text an empty one. Names that XML does not allow are changed.
 */
async function* xmlChunks(head: FileHead, tables: Tables, written: Map<string, WrittenFile>): AsyncGenerator<string> {
  let text =
    `<?xml version="1.0" encoding="UTF-8"?>\n<export title="${xmlText(head.title)}" by="${xmlText(head.look.name)}" ` +
    `madeAt="${head.madeAt.toISOString()}" dataMode="${head.dataMode}">\n`;
  if (head.metadata) text += elements('metadata', head.metadata);
  text += `<notes>${head.notes.map((note) => elements('note', note)).join('')}</notes>\n<tables>\n`;
  for await (const table of tables) {
    const count: WrittenFile = { rows: 0 };
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
        if (text.length >= PIECE) {
          yield text;
          text = '';
        }
      }
    }
    text += `</${tableTag}>\n`;
  }
  yield `${text}</tables>\n</export>\n`;
}

/** Rows converted to text per call: many calls for small objects cost more than their text. */
const ROWS_PER_CALL = 64;

function objects(rows: readonly (readonly Cell[])[], names: readonly string[]): Record<string, Cell>[] {
  return rows.map((row) => {
    const line: Record<string, Cell> = {};
    for (let i = 0; i < names.length; i++) line[names[i] as string] = row[i] ?? null;
    return line;
  });
}

/**
 * `{ "title", "by", "madeAt", "dataMode", "metadata"?, "notes": [text], "tables": { name: [ { column: cell } ] } }`.
 * Times are ISO strings, non-finite numbers are null, a lone surrogate is written as a JSON escape.
 */
async function* jsonChunks(head: FileHead, tables: Tables, written: Map<string, WrittenFile>): AsyncGenerator<string> {
  const opening = {
    title: head.title,
    by: head.look.name,
    madeAt: head.madeAt.toISOString(),
    dataMode: head.dataMode,
    ...(head.metadata && { metadata: head.metadata }),
    notes: head.notes,
  };
  let text = `${JSON.stringify(opening).slice(0, -1)},\n"tables":{`;
  let first = true;
  for await (const table of tables) {
    const count: WrittenFile = { rows: 0 };
    written.set(table.name, count);
    const names = table.columns.map(({ name }) => name);
    text += `${first ? '' : ','}\n${JSON.stringify(table.name)}:[`;
    first = false;
    let before = '\n';
    for await (const batch of table.rows) {
      for (let from = 0; from < batch.length; from += ROWS_PER_CALL) {
        const lines = objects(batch.slice(from, from + ROWS_PER_CALL), names);
        text += before + JSON.stringify(lines).slice(1, -1);
        before = ',\n';
        count.rows += lines.length;
        if (text.length >= PIECE) {
          yield text;
          text = '';
        }
      }
    }
    text += '\n]';
  }
  yield `${text}\n}}\n`;
}

export type GeneratedFile = {
  /** Including its extension. */
  fileName: string;
  mime: string;
  /** Generated while they are read, about 64 kB at a time. */
  bytes: AsyncIterable<Uint8Array>;
  /** By table name, complete when `bytes` has ended. */
  written: Map<string, WrittenFile>;
};

const MIME: Record<FileFormat | 'zip', string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xml: 'application/xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
};

async function* csvEntries(
  head: FileHead,
  tables: Tables,
  written: Map<string, WrittenFile>,
): AsyncGenerator<ZipEntry> {
  yield { name: 'about.txt', content: [Buffer.from(metadataText(head))] };
  for await (const table of tables) {
    const count: WrittenFile = { rows: 0 };
    written.set(table.name, count);
    yield { name: `${table.name}.csv`, content: encodeChunks(csvRows(table, count)) };
  }
}

/** Most files are not PDF: the library is loaded on first use. */
async function* pdfBytes(
  head: FileHead,
  tables: Tables,
  written: Map<string, WrittenFile>,
): AsyncGenerator<Uint8Array> {
  const { pdfChunks: pdfOf } = await import('./pdf.ts');
  yield* pdfOf(head, tables, written);
}

async function* singleTable(table: Table, written: Map<string, WrittenFile>): AsyncGenerator<Uint8Array> {
  const count: WrittenFile = { rows: 0 };
  written.set(table.name, count);
  yield* encodeChunks(csvRows(table, count));
}

/** Writes tables in one pass and in bounded memory. An async iterable of tables counts as several. */
export function writeFile(options: FileOptions, head: FileHead, tables: Tables): GeneratedFile {
  const { format, packed } = options;
  const written = new Map<string, WrittenFile>();
  const file = (ending: FileFormat | 'zip', bytes: AsyncIterable<Uint8Array>): GeneratedFile => ({
    fileName: `${options.fileName}.${ending}`,
    mime: MIME[ending],
    bytes,
    written,
  });
  if (format === 'csv') {
    const known = Symbol.iterator in tables ? [...tables] : tables;
    const [first] = Array.isArray(known) && known.length === 1 && !packed ? known : [];
    if (first) return file('csv', singleTable(first, written));
    return file('zip', zipChunks(csvEntries(head, known, written), head.madeAt));
  }
  if (format === 'json') {
    const json = jsonChunks(head, tables, written);
    if (!packed) return file('json', encodeChunks(json));
    return file('zip', zipChunks([{ name: `${options.fileName}.json`, content: encodeChunks(json) }], head.madeAt));
  }
  if (format === 'xml') return file('xml', encodeChunks(xmlChunks(head, tables, written)));
  if (format === 'xlsx') return file('xlsx', xlsxChunks(head, tables, written));
  return file('pdf', pdfBytes(head, tables, written));
}
