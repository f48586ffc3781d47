import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Cell, Column, FileFormat, FileHead, Table } from '#kernel/files/table.ts';
import { writeFile } from '#kernel/files/write.ts';

type Skips = { skip: (note: string) => never };

/** Debian's own Python is first, because it has the modules of Debian's packages. */
const CANDIDATES: Record<string, [command: string, ...args: string[]][]> = {
  python: [
    ['/usr/bin/python3', '-c', 'import openpyxl'],
    ['python3', '-c', 'import openpyxl'],
  ],
  xmllint: [['xmllint', '--version']],
  pdftotext: [['pdftotext', '-v']],
  qpdf: [['qpdf', '--version']],
};

/** The command of a third-party reader. Where it is missing the test is skipped; in CI it fails. */
export function readerOf(name: 'python' | 'xmllint' | 'pdftotext' | 'qpdf', test: Skips): string {
  for (const [command, ...args] of CANDIDATES[name] ?? []) if (spawnSync(command, args).status === 0) return command;
  const missing = `${name === 'python' ? 'Python with openpyxl' : name} is not installed`;
  if (process.env['CI'] === 'true') throw new Error(missing);
  return test.skip(missing);
}

/** Its output; throws with its error message when it fails. */
export function run(command: string, args: string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', input, maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${command} ${args.slice(-1)[0]} ended with ${status}: ${stderr}`);
  return stdout;
}

const PYTHON = `
import csv, io, json, sys, zipfile, datetime
import xml.etree.ElementTree as tree
import openpyxl
kind, path = sys.argv[1:]
def sheets(path):
    return csv.reader(io.TextIOWrapper(path, encoding='utf-8', newline=''), strict=True)
if kind == 'csv':
    answer = list(sheets(open(path, 'rb')))
elif kind == 'json':
    answer = json.load(open(path, encoding='utf-8'))
elif kind == 'zip':
    pack = zipfile.ZipFile(path)
    assert pack.testzip() is None
    answer = {n: pack.read(n).decode('utf-8') for n in pack.namelist()}
elif kind == 'xml':
    top = tree.parse(path).getroot()
    answer = {'export': top.attrib, 'notes': [n.text for n in top.find('notes')],
              'tables': {t.tag: [{c.tag: c.text or '' for c in row} for row in t] for t in top.find('tables')}}
else:
    book = openpyxl.load_workbook(path)
    def value(cell):
        v = cell.value
        if isinstance(v, datetime.datetime):
            return {'at': round((v - datetime.datetime(1970, 1, 1)).total_seconds() * 1000), 'format': cell.number_format}
        return {'formula': v} if cell.data_type == 'f' else v
    answer = {'creator': book.properties.creator, 'title': book.properties.title,
              'images': len(book['About']._images), 'colours': [r[0].font.color.rgb if r[0].font.color else None for r in book['About'].iter_rows()],
              'frozen': [s.freeze_panes for s in book.worksheets], 'bold': [s['A1'].font.b for s in book.worksheets],
              'widths': {s.title: {k: d.width for k, d in s.column_dimensions.items()} for s in book.worksheets},
              'sheets': {s.title: [[value(c) for c in row] for row in s.iter_rows()] for s in book.worksheets}}
json.dump(answer, sys.stdout)
`;

/** A file read by Python's csv, json, zipfile, ElementTree or openpyxl. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller names what it was given
export function readByPython<T>(python: string, kind: 'csv' | 'json' | 'zip' | 'xml' | 'xlsx', path: string): T {
  return JSON.parse(run(python, ['-', kind, path], PYTHON)) as T;
}

export const tableOf = (name: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): Table => ({
  name,
  title: `Table ${name}`,
  columns,
  rows: (async function* () {
    for (let at = 0; at < rows.length; at += 7) yield rows.slice(at, at + 7);
  })(),
});

export async function wholeFile(
  format: FileFormat,
  head: FileHead,
  tables: Table[],
  packed = false,
): Promise<{ bytes: Buffer; fileName: string; mime: string; rows: Record<string, number> }> {
  const { bytes, written, fileName, mime } = writeFile({ format, packed, fileName: 'file' }, head, tables);
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  const rows = Object.fromEntries([...written].map(([name, of]) => [name, of.rows]));
  return { bytes: Buffer.concat(parts), fileName, mime, rows };
}

export async function savedFile(
  folder: string,
  ...order: Parameters<typeof wholeFile>
): Promise<{ path: string; rows: Record<string, number> }> {
  const { bytes, fileName, rows } = await wholeFile(...order);
  const path = join(folder, fileName);
  writeFileSync(path, bytes);
  return { path, rows };
}
