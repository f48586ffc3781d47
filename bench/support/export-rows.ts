import { open } from 'node:fs/promises';

import type { Cell, Column, FileHead, Table } from '#kernel/files/table.ts';

export const COLUMNS: readonly Column[] = [
  { name: 'id', title: 'Id', type: 'number' },
  { name: 'timestamp', title: 'Time', type: 'time' },
  { name: 'symbol', title: 'Symbol', type: 'text' },
  { name: 'value', title: 'Value', type: 'number', unit: 'USD' },
  { name: 'change', title: 'Change', type: 'number' },
  { name: 'percent_change', title: 'Change', type: 'number', unit: '%' },
  { name: 'source', title: 'Source', type: 'text' },
  { name: 'note', title: 'Note', type: 'text' },
];
export const HEAD: FileHead = {
  title: 'Bench',
  madeAt: new Date('2026-11-20T12:00:00Z'),
  dataMode: 'demo',
  notes: [],
  metadata: null,
  look: { name: 'Bench', logo: null, colour: '#123456' },
};
const SYMBOLS = ['BTC', 'ETH', 'SOL', 'SUI', 'XRP'];
const BATCH = 1000;

function createBatch(from: number): Cell[][] {
  let state = 12_345 + from;
  return Array.from({ length: BATCH }, (_, i) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const share = state / 2_147_483_648;
    const at = new Date(1_700_000_000_000 + (from + i) * 60_000).toISOString();
    const note = i % 500 ? 'ok' : '=HYPERLINK("http://evil","x"), "quoted"\nline & <tag>';
    const change = Math.round((share - 0.5) * 1e4) / 100;
    return [from + i, at, SYMBOLS[i % 5] as string, Math.round(share * 9e6) / 100, change, change / 5, 'okx', note];
  });
}

/** Generated one by one as they are read. */
export async function* generateRows(rows: number): AsyncGenerator<Cell[][]> {
  for (let from = 0; from < rows; from += BATCH) yield createBatch(from);
}

const preparedBatches = Array.from({ length: 20 }, (_, i) => createBatch(i * BATCH));

/** Generated in advance, so that only their processing is measured. */
export async function* preparedRows(rows: number): AsyncGenerator<Cell[][]> {
  for (let i = 0; i * BATCH < rows; i++) yield preparedBatches[i % preparedBatches.length] as Cell[][];
}

export const toTable = (rows: AsyncIterable<Cell[][]>): Table => ({
  name: 'rows',
  title: 'Rows',
  columns: COLUMNS,
  rows,
});

export async function writeTo(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'w');
  try {
    for await (const part of parts) await file.write(part);
  } finally {
    await file.close();
  }
}
