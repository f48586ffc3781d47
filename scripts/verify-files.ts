import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { Cell, Column, FileFormat, FileHead, Table } from '#kernel/files/table.ts';
import { writeFile } from '#kernel/files/write.ts';
import { BRAND } from '#shared/brand.ts';

const FORMATS: FileFormat[] = ['csv', 'json', 'xml', 'xlsx', 'pdf'];
const ROWS: Cell[][] = [
  [1, '2026-01-31T09:05:07.000Z', 'Bitcoin, "BTC"', 104_250.5],
  [2, '2026-01-31T09:05:07.000Z', '=1+1', -5],
  [3, null, 'Ελληνικά Кириллица 日本語', null],
];
const COLUMNS: Column[] = [
  { name: 'id', title: 'Id', type: 'number' },
  { name: 'at', title: 'Time', type: 'time' },
  { name: 'name', title: 'Name', type: 'text' },
  { name: 'price', title: 'Price', type: 'number', unit: 'USD' },
];
/** The format LibreOffice converts each file to, and the required content. */
const CONVERSIONS: Partial<Record<FileFormat, { as: string; contains: string[] }>> = {
  csv: { as: 'csv:Text - txt - csv (StarCalc):44,34,76', contains: ['104250.5', "'=1+1", '日本語'] },
  xlsx: {
    as: 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,2',
    contains: ['2026-01-31 09:05:07 UTC', '=1+1', '日本語'],
  },
  pdf: { as: 'png', contains: [] },
};

const table = (): Table => ({
  name: 'prices',
  title: 'Prices',
  columns: COLUMNS,
  rows: (async function* () {
    yield ROWS;
  })(),
});
const head: FileHead = {
  title: 'A file of each format',
  madeAt: new Date(),
  dataMode: 'demo',
  notes: ['Made to be opened by other programs'],
  metadata: { rows: ROWS.length },
  look: { name: BRAND.name, logo: null, colour: BRAND.accent },
};

async function write(format: FileFormat, folder: string): Promise<string> {
  const { bytes, fileName } = writeFile({ format, packed: false, fileName: format }, head, [table()]);
  const path = join(folder, fileName);
  const file = await open(path, 'w');
  for await (const part of bytes) await file.write(part);
  await file.close();
  return path;
}

function convert(officeCommand: string, path: string, as: string, folder: string): string {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const out = join(folder, 'opened');
  spawnSync(officeCommand, [profile, '--headless', '--convert-to', as, '--outdir', out, path], { timeout: 120_000 });
  const extension = as.split(':')[0] ?? as;
  const name = basename(path).replace(/[^.]+$/, '');
  const candidates = [`${name}${extension}`, `${name.slice(0, -1)}-prices.${extension}`].map((each) => join(out, each));
  const converted = candidates.find((each) => existsSync(each));
  if (!converted) throw new Error(`LibreOffice could not open ${basename(path)}`);
  return readFileSync(converted, extension === 'png' ? 'latin1' : 'utf8');
}

const officeCommand = ['soffice', 'libreoffice'].find((name) => spawnSync(name, ['--version']).status === 0);
const folder = mkdtempSync(join(tmpdir(), 'meridian-verify-'));
try {
  for (const format of FORMATS) {
    const path = await write(format, folder);
    const conversion = CONVERSIONS[format];
    if (!officeCommand || !conversion) {
      console.log(`${format}: written`);
      continue;
    }
    const text = convert(officeCommand, path, conversion.as, folder);
    const missing = conversion.contains.filter((value) => !text.includes(value));
    if (missing.length > 0) throw new Error(`${format}: LibreOffice does not show ${missing.join(', ')}`);
    console.log(`${format}: written, and opened by LibreOffice`);
  }
  if (!officeCommand) console.log('LibreOffice is not installed: files were not opened.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
