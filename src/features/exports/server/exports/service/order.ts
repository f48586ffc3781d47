import type { Connection } from '#kernel/db.ts';
import type { Branding, FileHead } from '#kernel/files/table.ts';
import type { DataMode } from '#shared/provenance.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { type Asked, selectDatasets, TYPE_NAMES } from '../datasets/datasets.ts';
import type { ExportRow, File } from '../store/exports.ts';
import type { Scope } from '../store/scope.ts';

/** Input of the thread that writes a file. */
export type Order = {
  /** Servers to read from; the next one is used when one fails in a way only a replica does. */
  connections: Connection[];
  row: ExportRow;
  mode: DataMode;
  /** ISO, UTC. */
  at: string;
  minuteDays: number;
  look: Branding;
  /** Path while writing, and final path. */
  part: string;
  file: string;
};

/**
 * Messages from the thread. `failed` is final and has a sentence for the user; after `elsewhere` it starts over on the
 * next server. `code` is the system's.
 */
export type ThreadMessage =
  | { kind: 'progress'; done: number; expected: number }
  | { kind: 'made'; file: File }
  | { kind: 'elsewhere'; code: string; message: string }
  | { kind: 'failed'; code: string; message: string };

export type Described = Pick<
  ExportRow,
  'user_id' | 'basic' | 'data_types' | 'date_range' | 'range_from' | 'range_to' | 'created_at'
>;

export const toScope = ({ user_id, range_from, range_to }: Described, mode: DataMode): Scope => ({
  from: range_from,
  to: range_to,
  userId: user_id,
  mode,
});

/** The tables of an export, with the price granularity as of the request. */
export function listTables(row: Described, mode: DataMode, minuteDays: number): Dataset[] {
  const asked: Asked = {
    dataTypes: row.data_types,
    basic: row.basic,
    scope: toScope(row, mode),
    now: new Date(row.created_at),
    minuteDays,
  };
  return selectDatasets(asked);
}

/** 'Crypto prices, Alerts'. */
export const typeNames = (row: Pick<ExportRow, 'data_types'>): string =>
  row.data_types.map((type) => TYPE_NAMES[type]).join(', ');

/** Without extension: crypto_prices-7d-2026-11-22. */
export function exportFileName(row: Described): string {
  const [only, ...more] = row.data_types;
  const range =
    row.date_range === 'custom'
      ? `${row.range_from?.slice(0, 10) ?? ''}-to-${row.range_to.slice(0, 10)}`
      : row.date_range;
  return `${more.length > 0 ? 'data' : only}-${range}-${row.created_at.slice(0, 10)}`;
}

/** One sentence on the range and one on each table. */
export function exportNotes(row: Described, tables: readonly Dataset[], mode: DataMode): string[] {
  const range =
    row.range_from === null
      ? `All stored data up to ${row.range_to}.`
      : `From ${row.range_from} to ${row.range_to}, inclusive.`;
  return [
    ...(mode === 'demo' ? ['Demo data from a simulated market.'] : []),
    `${range} All times UTC.`,
    ...tables.map(({ title, grain }) => `${title}: one row is ${grain}.`),
  ];
}

/** Header of machine-readable files. */
export const exportMetadata = (
  row: Described & Pick<ExportRow, 'id'>,
  tables: readonly Dataset[],
): FileHead['metadata'] => ({
  id: row.id,
  query: exportQuery(row),
  tables: tables.map(({ name, grain, columns }) => ({ name, grain, columns: columns.map(columnSchema) })),
});

export const exportQuery = ({ data_types, date_range, range_from, range_to }: Described) => ({
  dataTypes: data_types,
  dateRange: date_range,
  from: range_from,
  to: range_to,
});

export const columnSchema = ({ name, type, unit }: Dataset['columns'][number]) => ({ name, type, unit: unit ?? null });
