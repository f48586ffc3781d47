import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

import { readerOf, run, savedFile, tableOf, wholeFile } from '#tests/support/file-readers.ts';
import { PNG } from '#tests/support/logo.ts';

import { logoSize } from './logo.ts';
import type { Branding, Cell, Column, FileHead, Table } from './table.ts';
import { writeFile } from './write.ts';

const folder = mkdtempSync(join(tmpdir(), 'meridian-written-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LOOK: Branding = { name: 'Søren & Sons', logo: { bytes: PNG, type: 'png' }, colour: '#aa3300' };
const HEAD: FileHead = {
  title: 'Crypto prices',
  madeAt: new Date('2026-11-22T10:11:12Z'),
  dataMode: 'demo',
  notes: ['Prices of OKX, 3 minutes old'],
  metadata: { range: '7d' },
  look: LOOK,
};
const COLUMNS: readonly Column[] = [
  { name: 'id', title: 'Id', type: 'number' },
  { name: 'name', title: 'Name', type: 'text' },
];

/** Reads RFC 4180, with null for an empty unquoted field. */
function readCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.slice(0, -1);
}

const rowsOf = fc.array(
  fc.tuple(fc.option(fc.double({ noDefaultInfinity: true, noNaN: true })), fc.option(fc.string({ unit: 'grapheme' }))),
  { maxLength: 60 },
);

describe('Writing tables', () => {
  it('any cells survive a round trip through JSON and CSV', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf, async (rows) => {
        const { bytes: json } = await wholeFile('json', HEAD, [tableOf('rows', COLUMNS, rows)]);
        const { tables } = JSON.parse(json.toString()) as { tables: { rows: { id: number; name: string }[] } };
        expect(tables.rows.map(({ id, name }) => [id, name])).toEqual(
          rows.map(([id, name]) => [Object.is(id, -0) ? 0 : id, name]),
        );
        const { bytes: csv } = await wholeFile('csv', HEAD, [tableOf('rows', COLUMNS, rows)]);
        const [, ...lines] = readCsv(csv.toString());
        expect(lines).toEqual(
          rows.map(([id, name]) => [
            id === null ? null : `${id}`,
            name === null ? null : /^[=+\-@\t\r\n＝＋－＠]/.test(name) ? `'${name}` : name,
          ]),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('an empty row in a CSV of one column is still a row', async () => {
    const { bytes } = await wholeFile('csv', HEAD, [tableOf('rows', COLUMNS.slice(1), [[null], [''], ['x']])]);
    expect(bytes.toString()).toBe('name\r\n""\r\n""\r\nx\r\n');
  });

  it('file names and types', async () => {
    const tables = () => [tableOf('a', COLUMNS, [])];
    const kinds = await Promise.all([
      wholeFile('csv', HEAD, tables()),
      wholeFile('csv', HEAD, tables(), true),
      wholeFile('csv', HEAD, [...tables(), tableOf('b', COLUMNS, [])]),
      wholeFile('json', HEAD, tables(), true),
      wholeFile('xml', HEAD, tables()),
    ]);
    expect(kinds.map(({ fileName, mime }) => `${fileName} ${mime}`)).toEqual([
      'file.csv text/csv; charset=utf-8',
      'file.zip application/zip',
      'file.zip application/zip',
      'file.zip application/zip',
      'file.xml application/xml',
    ]);
  });

  it('column names that XML does not allow are changed', async () => {
    const names = ['2nd', 'a b', 'xmlns', 'Größe', '<x>'];
    const columns = names.map((name): Column => ({ name, title: name, type: 'number' }));
    const { bytes } = await wholeFile('xml', HEAD, [tableOf('rows', columns, [[1, 2, 3, 4, 5]])]);
    expect(bytes.toString()).toContain(
      '<row><_2nd>1</_2nd><a_b>2</a_b><_xmlns>3</_xmlns><Größe>4</Größe><_x_>5</_x_></row>',
    );
  });

  /** Counts the batches requested and records whether the iterator was closed. */
  function endless() {
    const seen = { batches: 0, closed: false };
    const rows = async function* (): AsyncGenerator<Cell[][]> {
      try {
        for (;;) {
          seen.batches++;
          yield Array.from({ length: 1000 }, (_, i): Cell[] => [Math.random(), `${Math.random()} ${i}`]);
        }
      } finally {
        seen.closed = true;
      }
    };
    const table: Table = { name: 'rows', title: 'Rows', columns: COLUMNS, rows: rows() };
    return { seen, table };
  }

  it.for(['csv', 'json', 'xml', 'xlsx'] as const)(
    '%s: rows are read no faster than the file, and no further',
    async (format) => {
      const { seen, table } = endless();
      const { bytes } = writeFile({ format, packed: false, fileName: 'x' }, HEAD, [table]);
      let read = 0;
      for await (const part of bytes) {
        read += part.length;
        expect(part.length).toBeLessThan(200_000);
        if (read > 500_000) break;
      }
      await expect.poll(() => seen.closed).toBe(true);
      expect(seen.batches).toBeLessThan(60);
    },
  );

  it.for(['csv', 'json', 'xml', 'xlsx', 'pdf'] as const)('%s: a failing source fails the file', async (format) => {
    const rows = async function* (): AsyncGenerator<Cell[][]> {
      yield [[1, 'a']];
      throw new Error('the database is gone');
    };
    const table: Table = { name: 'rows', title: 'Rows', columns: COLUMNS, rows: rows() };
    await expect(wholeFile(format, HEAD, [table])).rejects.toThrow('the database is gone');
  });

  it('an invalid logo, or one with corrupt pixels, is omitted', async () => {
    const broken = Buffer.from(PNG);
    broken.fill(7, 45, 60);
    const looks = [PNG.subarray(0, 40), broken, Buffer.from('not an image')].map(
      (bytes): Branding => ({
        ...LOOK,
        logo: { bytes, type: 'png' },
      }),
    );
    expect(looks.map(logoSize)).toEqual([null, null, null]);
    expect(logoSize(LOOK)).toEqual({ width: 60, height: 20 });
    for (const look of looks) {
      const { bytes } = await wholeFile('pdf', { ...HEAD, look }, [tableOf('rows', COLUMNS, [[1, 'a']])]);
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    }
  });
});

describe('PDF', () => {
  const names = ['Ελληνικά', 'Кириллица', 'Zażółć', '日本語', '=1+1'];
  const rows = Array.from({ length: 120 }, (_, i): Cell[] => [i / 4, `${names[i % names.length]} ${i}`]);

  it('every value, the head on every page, pages, notes and the user’s branding', async (test) => {
    const { path } = await savedFile(folder, 'pdf', HEAD, [
      tableOf('rows', COLUMNS, rows),
      tableOf('none', COLUMNS, []),
    ]);
    run(readerOf('qpdf', test), ['--check', path]);
    const pages = run(readerOf('pdftotext', test), ['-layout', path, '-']).split('\f').slice(0, -1);
    expect(pages.length).toBeGreaterThan(2);
    const [first = ''] = pages;
    for (const text of ['Søren & Sons', 'Crypto prices', 'Demo data', 'Prices of OKX, 3 minutes old', 'range: 7d'])
      expect(first).toContain(text);
    pages.forEach((page, i) => {
      expect(page).toMatch(/^\s*Id\s+Name\s*$/m);
      expect(page).toMatch(new RegExp(`Page ${i + 1}\\s*$`));
    });
    const lines = pages
      .join('\n')
      .split('\n')
      .map((line) => line.trim().split(/\s{2,}/));
    const read = lines.filter(([id = '', name]) => name && /^[\d.]+$/.test(id));
    expect(read).toEqual(rows.map(([id, name]) => [`${id}`, `${name}`.replace('日本語', '□□□')]));
    expect(pages.at(-1)).toContain('No rows');
    expect(pages.at(-1)).toContain('□ marks a character missing from this file’s font.');
  });

  it('ends at 10,000 rows and states it', async (test) => {
    const many = Array.from({ length: 10_001 }, (_, i): Cell[] => [i]);
    const { path, rows: written } = await savedFile(folder, 'pdf', { ...HEAD, notes: [] }, [
      tableOf('rows', COLUMNS.slice(0, 1), many),
    ]);
    expect(written).toEqual({ rows: 10_000 });
    const text = run(readerOf('pdftotext', test), ['-layout', path, '-']);
    expect(text).toContain('Limited to 10,000 rows; Table rows has more. CSV, JSON, XML and XLSX contain all rows.');
    expect(text).toMatch(/^\s*9999$/m);
    expect(text).not.toMatch(/^\s*10000$/m);
  });
});
