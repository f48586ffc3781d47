import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

import { readByPython, readerOf, run, savedFile, tableOf } from '#tests/support/file-readers.ts';
import { PNG } from '#tests/support/logo.ts';

import type { Cell, Column, FileHead } from './table.ts';
import { xlsxChunks } from './xlsx.ts';

const folder = mkdtempSync(join(tmpdir(), 'meridian-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEAD: FileHead = {
  title: 'Crypto prices <&> "Ελληνικά"',
  madeAt: new Date('2026-11-22T10:11:12Z'),
  dataMode: 'demo',
  notes: ['Prices of OKX, 3 minutes old', '日本語 & more'],
  metadata: { query: { dataTypes: ['crypto_prices'], from: null }, 'not a name!': 1 },
  look: { name: 'Søren & Sons', logo: { bytes: PNG, type: 'png' }, colour: '#aa3300' },
};
const COLUMNS: readonly Column[] = [
  { name: 'id', title: 'Id', type: 'number' },
  { name: 'at', title: 'Time', type: 'time' },
  { name: 'name', title: 'Name', type: 'text' },
  { name: 'value', title: 'Value', type: 'number', unit: 'USD' },
  { name: 'is_new', title: 'New', type: 'boolean' },
];
const NAMES = [
  '=1+1',
  '+44 20',
  '-5',
  '@SUM(A1)',
  '\tTab',
  '\rReturn',
  '=HYPERLINK("http://x","y"),\n2',
  "'quoted'",
  '＝1+1',
  'a,b',
  'say "hi"',
  'two\nlines',
  'two\r\nlines',
  ' blanks ',
  '',
  '<tag attr="1">&amp;</tag>',
  ']]>',
  '_x0041_',

  '日本語',
  'العربية',
  'עברית',
  'हिन्दी',
  'Ελληνικά',
  'Кириллица',
  '한국어',
  '😀👩‍👩‍👧',
  'Zażółć',
  'e\u0301',
  'null',
  '007',
  'TRUE',
  '1e5',
  'bell\u0007',
  'nul\u0000',
  'esc\u001b[31m',
  'half \ud83d letter',
  '\udc00',
  '\ufffe\uffff',
  '\u2028',
  '\u0085',
];
const NUMBERS = [0, -0, 1, -1.5, 0.1 + 0.2, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, Number.NaN, Infinity, -Infinity];

const cells = fc.tuple(
  fc.option(fc.double()),
  fc.option(fc.date({ min: new Date('1901-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })),
  fc.option(fc.string({ unit: 'binary', maxLength: 40 })),
  fc.option(fc.oneof(fc.integer(), fc.double())),
  fc.option(fc.boolean()),
);
const seed = Date.now();
const ROWS: Cell[][] = [
  ...NAMES.map((name, i) => [i, '2026-01-31T09:05:07.250Z', name, NUMBERS[i % NUMBERS.length] as number, i % 2 === 0]),
  [null, null, null, null, null],
  ...fc
    .sample(cells, { numRuns: 150, seed })
    .map(([id, at, ...rest]): Cell[] => [id, at?.toISOString() ?? null, ...rest]),
];

/** What a format with limits may retain of a text: letters, tabs and line breaks. */
const shown = (text: string) =>
  Array.from(text.toWellFormed(), (sign) => {
    const isKept = sign >= ' ' ? sign !== '\ufffe' && sign !== '\uffff' : '\t\n\r'.includes(sign);
    return isKept ? sign : '';
  }).join('');
const finite = (cell: Cell) => (typeof cell === 'number' && !Number.isFinite(cell) ? null : cell);
const tables = () => [
  tableOf('prices', COLUMNS, ROWS),
  tableOf('empty', COLUMNS, []),
  tableOf('other', COLUMNS, ROWS.slice(0, 9)),
];

describe(`Files as readers of others see them (seed ${seed})`, () => {
  it('CSV: every cell is present, formula-like texts are escaped, numbers stay numbers', async (test) => {
    const python = readerOf('python', test);
    const { path } = await savedFile(folder, 'csv', HEAD, [tableOf('prices', COLUMNS, ROWS)]);
    const [head, ...rows] = readByPython<string[][]>(python, 'csv', path);
    expect(head).toEqual(COLUMNS.map(({ name }) => name));
    const guarded = (text: string) => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);
    expect(rows).toEqual(
      ROWS.map((row) =>
        row.map((cell) => {
          const value = finite(cell);
          return value === null ? '' : typeof value === 'string' ? guarded(shown(value)) : String(value);
        }),
      ),
    );
  });

  it('A CSV of several tables is a ZIP with a text describing them', async (test) => {
    const python = readerOf('python', test);
    const { path, rows } = await savedFile(folder, 'csv', HEAD, tables());
    const files = readByPython<Record<string, string>>(python, 'zip', path);
    expect(Object.keys(files)).toEqual(['about.txt', 'prices.csv', 'empty.csv', 'other.csv']);
    expect(rows).toEqual({ prices: ROWS.length, empty: 0, other: 9 });
    for (const text of [HEAD.title, 'Søren & Sons', 'Demo data', ...HEAD.notes, 'query: {"dataTypes"'])
      expect(files['about.txt']).toContain(text);
    expect(files['empty.csv']).toBe('id,at,name,value,is_new\r\n');
  });

  it.for([false, true])('JSON: every cell is present, compressed too (%s)', async (packed, test) => {
    const { path } = await savedFile(folder, 'json', HEAD, tables(), packed);
    const python = readerOf('python', test);
    type Read = { notes: string[]; metadata: unknown; by: string; dataMode: string; tables: Record<string, unknown[]> };
    const read = packed
      ? (JSON.parse(readByPython<Record<string, string>>(python, 'zip', path)['file.json'] ?? '') as Read)
      : readByPython<Read>(python, 'json', path);
    expect([read.notes, read.metadata, read.by, read.dataMode]).toEqual([
      HEAD.notes,
      HEAD.metadata,
      HEAD.look.name,
      'demo',
    ]);
    const objects = ROWS.map((row) =>
      Object.fromEntries(row.map((cell, i) => [COLUMNS[i]?.name, finite(cell) ?? null])),
    );
    const positive = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    expect(read.tables).toEqual(positive({ prices: objects, empty: [], other: objects.slice(0, 9) }));
  });

  it('XML: every cell is present and xmllint reports no errors', async (test) => {
    const python = readerOf('python', test);
    const { path } = await savedFile(folder, 'xml', HEAD, tables());
    run(readerOf('xmllint', test), ['--noout', '--huge', path]);
    type Read = { export: Record<string, string>; notes: string[]; tables: Record<string, Record<string, string>[]> };
    const read = readByPython<Read>(python, 'xml', path);
    expect(read.export).toEqual({
      title: HEAD.title,
      by: HEAD.look.name,
      madeAt: '2026-11-22T10:11:12.000Z',
      dataMode: 'demo',
    });
    expect(read.notes).toEqual(HEAD.notes);
    const objects = ROWS.map((row) =>
      Object.fromEntries(
        row.flatMap((cell, i) => {
          const value = finite(cell);
          return value === null ? [] : [[COLUMNS[i]?.name, typeof value === 'string' ? shown(value) : String(value)]];
        }),
      ),
    );
    expect(read.tables).toEqual({ prices: objects, empty: [], other: objects.slice(0, 9) });
  });

  type Book = {
    creator: string;
    title: string;
    images: number;
    colours: (string | null)[];
    frozen: (string | null)[];
    bold: boolean[];
    widths: Record<string, Record<string, number>>;
    sheets: Record<string, unknown[][]>;
  };

  it('XLSX: numbers, dates and texts as such, no formulas, the user’s branding', async (test) => {
    const python = readerOf('python', test);
    const { path } = await savedFile(folder, 'xlsx', HEAD, tables());
    const book = readByPython<Book>(python, 'xlsx', path);
    expect(Object.keys(book.sheets)).toEqual(['About', 'prices', 'empty', 'other']);
    expect([book.creator, book.title, book.images]).toEqual([HEAD.look.name, HEAD.title, 1]);
    expect(book.colours).toContain('FFAA3300');
    expect(book.frozen).toEqual([null, 'A2', 'A2', 'A2']);
    expect(book.bold.slice(1)).toEqual([true, true, true]);
    expect(book.widths['prices']?.['B']).toBeGreaterThan(20);
    const about = book.sheets['About']?.map(([first, second]) => (second === null ? first : [first, second]));
    for (const line of [
      HEAD.look.name,
      HEAD.title,
      ['Data', 'Demo data'],
      ['Note', HEAD.notes[0]],
      ['prices', ROWS.length],
    ])
      expect(about).toContainEqual(line);
    const [head, ...rows] = book.sheets['prices'] ?? [];
    expect(head).toEqual(['Id', 'Time', 'Name', 'Value (USD)', 'New']);
    const read = rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? cell.replaceAll('_x005F_', '_') : cell)),
    );
    expect(read).toEqual(
      ROWS.map((row) =>
        row.map((cell, i) => {
          const value = finite(cell);
          if (typeof value !== 'string') return Object.is(value, -0) ? 0 : value;
          if (i === 1) return { at: Date.parse(value), format: 'yyyy\\-mm\\-dd\\ hh:mm:ss" UTC"' };
          return shown(value).replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_');
        }),
      ),
    );
    expect(book.sheets['empty']).toHaveLength(1);
  });

  it('XLSX: a full sheet continues in a second one', async (test) => {
    const python = readerOf('python', test);
    const path = join(folder, 'long.xlsx');
    const parts: Uint8Array[] = [];
    const rows = Array.from({ length: 25 }, (_, i): Cell[] => [i]);
    for await (const part of xlsxChunks(HEAD, [tableOf('prices', COLUMNS.slice(0, 1), rows)], new Map(), 11))
      parts.push(part);
    writeFileSync(path, Buffer.concat(parts));
    const { sheets } = readByPython<Book>(python, 'xlsx', path);
    expect(Object.keys(sheets)).toEqual(['About', 'prices', 'prices (2)', 'prices (3)']);
    expect(['prices', 'prices (2)', 'prices (3)'].map((name) => sheets[name]?.length)).toEqual([11, 11, 6]);
    expect(sheets['prices (3)']?.flat()).toEqual(['Id', 20, 21, 22, 23, 24]);
  });
});
