import { aboutText, csvOf } from './csv.ts';
import { jsonOf } from './json.ts';
import type { FileFormat, FileHead, FileOptions, Table, Written } from './table.ts';
import { xlsxOf } from './xlsx.ts';
import { xmlOf } from './xml.ts';
import { type ZipEntry, zipOf } from './zip.ts';

type Tables = Iterable<Table> | AsyncIterable<Table>;

export type MadeFile = {
  /** With its ending. */
  fileName: string;
  mime: string;
  /** Made while they are read, about 64 kB at a time. */
  bytes: AsyncIterable<Uint8Array>;
  /** By name of the table, complete when `bytes` has ended. */
  written: Map<string, Written>;
};

const MIME: Record<FileFormat | 'zip', string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xml: 'application/xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
};

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

async function* csvEntries(head: FileHead, tables: Tables, written: Map<string, Written>): AsyncGenerator<ZipEntry> {
  yield { name: 'about.txt', content: [aboutText(head)] };
  for await (const table of tables) {
    const count: Written = { rows: 0 };
    written.set(table.name, count);
    yield { name: `${table.name}.csv`, content: csvOf(table, count) };
  }
}

/** Most files hold no PDF: the library is loaded with the first. */
async function* pdfBytes(head: FileHead, tables: Tables, written: Map<string, Written>): AsyncGenerator<Uint8Array> {
  const { pdfOf } = await import('./pdf.ts');
  yield* pdfOf(head, tables, written);
}

async function* alone(table: Table, written: Map<string, Written>): AsyncGenerator<Uint8Array> {
  const count: Written = { rows: 0 };
  written.set(table.name, count);
  yield* encoded(csvOf(table, count));
}

/** Writes tables in one pass and in bounded memory. Tables that come one after the other count as several. */
export function writeFile(options: FileOptions, head: FileHead, tables: Tables): MadeFile {
  const { format, packed } = options;
  const written = new Map<string, Written>();
  const file = (ending: FileFormat | 'zip', bytes: AsyncIterable<Uint8Array>): MadeFile => ({
    fileName: `${options.fileName}.${ending}`,
    mime: MIME[ending],
    bytes,
    written,
  });
  if (format === 'csv') {
    const known = Symbol.iterator in tables ? [...tables] : tables;
    const [first] = Array.isArray(known) && known.length === 1 && !packed ? known : [];
    if (first) return file('csv', alone(first, written));
    return file('zip', zipOf(csvEntries(head, known, written), head.madeAt));
  }
  if (format === 'json') {
    const json = jsonOf(head, tables, written);
    if (!packed) return file('json', encoded(json));
    return file('zip', zipOf([{ name: `${options.fileName}.json`, content: json }], head.madeAt));
  }
  if (format === 'xml') return file('xml', encoded(xmlOf(head, tables, written)));
  if (format === 'xlsx') return file('xlsx', xlsxOf(head, tables, written));
  return file('pdf', pdfBytes(head, tables, written));
}
