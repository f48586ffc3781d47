import type { HistoryRecord, HistoryType } from '#features/exports/contract/history.ts';
import { TYPE_NAMES } from '#features/exports/contract/history-names.ts';
import type { Branding, Cell, Column, FileHead, Table } from '#kernel/files/table.ts';
import { writeFile } from '#kernel/files/write.ts';
import type { Download } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';
import type { HistoryContext } from '../context.ts';
import { type HistoryQuery, type Range, readAll, resolveRange } from './read.ts';
import { historyReport } from './report.ts';
import { type Asked, findSeries } from './sources.ts';

type Format = 'csv' | 'json' | 'xlsx' | 'html';

const BATCH = 1000;

const COLUMNS: readonly (Column & { of: keyof HistoryRecord })[] = [
  { of: 'timestamp', name: 'timestamp', title: 'Time (UTC)', type: 'time' },
  { of: 'symbol', name: 'symbol', title: 'Symbol', type: 'text' },
  { of: 'value', name: 'value', title: 'Value', type: 'number' },
  { of: 'unit', name: 'unit', title: 'Unit', type: 'text' },
  { of: 'change', name: 'change', title: 'Change', type: 'number' },
  { of: 'change_percent', name: 'change_percent', title: '% change', type: 'number', unit: '%' },
  { of: 'source', name: 'source', title: 'Source', type: 'text' },
  { of: 'fetchedAt', name: 'fetched_at', title: 'Fetched (UTC)', type: 'time' },
  { of: 'method', name: 'method', title: 'Method', type: 'text' },
];

const toCells = (record: HistoryRecord): Cell[] => COLUMNS.map(({ of }) => record[of]);

async function* cellsOf(batches: AsyncIterable<HistoryRecord[]>): AsyncGenerator<Cell[][]> {
  for await (const records of batches) yield records.map(toCells);
}

/** The whole range as a file with the user's report branding, streamed while it is read. */
export async function historyFile(
  ctx: HistoryContext,
  type: HistoryType,
  { format, ...question }: HistoryQuery & { format: Format },
  look: Branding,
): Promise<Download> {
  const range = resolveRange(ctx, question);
  const series = await findSeries(ctx, type, question.symbol);
  const fileName = historyFileName(ctx, type, question);
  if (format === 'html') {
    const text = historyReport(ctx, { type, asked: series, range: { ...range, asked: question }, look });
    return { type: 'text/html; charset=utf-8', fileName: `${fileName}.html`, text };
  }
  const head = { ...fileHead(ctx, type, question, range), look };
  const file = writeFile({ format, fileName, packed: false }, head, [buildTable(ctx, type, series, range)]);
  return { type: file.mime, fileName: file.fileName, text: file.bytes };
}

function historyFileName({ now }: HistoryContext, type: HistoryType, { symbol }: HistoryQuery): string {
  const parts = [BRAND.name, 'history', type, symbol ?? '', now().toISOString().slice(0, 10)];
  return parts
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
}

function fileHead(
  { mode, now }: HistoryContext,
  type: HistoryType,
  question: HistoryQuery,
  range: Range,
): Omit<FileHead, 'look'> {
  return {
    title: `${TYPE_NAMES[type]}, historical data`,
    madeAt: now(),
    dataMode: mode,
    notes: [
      'Newest first. Changes are relative to the previous value of the same symbol; every row includes its source.',
    ],
    metadata: {
      type,
      symbol: question.symbol ?? null,
      from: question.from ?? null,
      to: range.to.toISOString(),
    },
  };
}

const buildTable = (ctx: HistoryContext, of: HistoryType, asked: Asked, range: Range): Table => ({
  name: of.toLowerCase(),
  title: TYPE_NAMES[of],
  columns: COLUMNS.map(({ name, title, type, unit }) => ({ name, title, type, ...(unit ? { unit } : {}) })),
  rows: cellsOf(readAll(ctx, asked, range, BATCH)),
});
