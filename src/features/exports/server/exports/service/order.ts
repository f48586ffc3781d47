import type { Connection } from '#kernel/db.ts';
import type { FileHead, Look } from '#kernel/files/table.ts';
import type { DataMode } from '#shared/provenance.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { type Asked, datasetsOf, TYPE_NAMES } from '../datasets/datasets.ts';
import type { ExportRow, File } from '../store/exports.ts';
import type { Scope } from '../store/scope.ts';

/** What the thread that makes a file is given. */
export type Order = {
  /** The servers to read from, the next when one fails as only a replica does. */
  connections: Connection[];
  row: ExportRow;
  mode: DataMode;
  /** ISO, UTC. */
  at: string;
  minuteDays: number;
  look: Look;
  /** Where it is written, and where it stands when it is whole. */
  part: string;
  file: string;
};

/** What the thread says. `failed` ends it and has a sentence for people; after `elsewhere` it begins anew on the next server. `code` is the system's. */
export type Said =
  | { kind: 'progress'; done: number; expected: number }
  | { kind: 'made'; file: File }
  | { kind: 'elsewhere'; code: string; message: string }
  | { kind: 'failed'; code: string; message: string };

export type Described = Pick<
  ExportRow,
  'user_id' | 'basic' | 'data_types' | 'date_range' | 'range_from' | 'range_to' | 'created_at'
>;

export const scopeOf = ({ user_id, range_from, range_to }: Described, mode: DataMode): Scope => ({
  from: range_from,
  to: range_to,
  userId: user_id,
  mode,
});

/** The tables of an export, the grain of prices as it was when it was asked for. */
export function tablesOf(row: Described, mode: DataMode, minuteDays: number): Dataset[] {
  const asked: Asked = {
    dataTypes: row.data_types,
    basic: row.basic,
    scope: scopeOf(row, mode),
    now: new Date(row.created_at),
    minuteDays,
  };
  return datasetsOf(asked);
}

/** 'Crypto prices, Alerts'. */
export const namesOf = (row: Pick<ExportRow, 'data_types'>): string =>
  row.data_types.map((type) => TYPE_NAMES[type]).join(', ');

/** Without its ending: crypto_prices-7d-2026-11-22. */
export function fileNameOf(row: Described): string {
  const [only, ...more] = row.data_types;
  const range =
    row.date_range === 'custom'
      ? `${row.range_from?.slice(0, 10) ?? ''}-to-${row.range_to.slice(0, 10)}`
      : row.date_range;
  return `${more.length > 0 ? 'data' : only}-${range}-${row.created_at.slice(0, 10)}`;
}

/** A sentence on the range and one on each table. */
export function notesOf(row: Described, tables: readonly Dataset[], mode: DataMode): string[] {
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

/** What files for machines begin with. */
export const metadataOf = (
  row: Described & Pick<ExportRow, 'id'>,
  tables: readonly Dataset[],
): FileHead['metadata'] => ({
  id: row.id,
  query: queryOf(row),
  tables: tables.map(({ name, grain, columns }) => ({ name, grain, columns: columns.map(schemaOf) })),
});

export const queryOf = ({ data_types, date_range, range_from, range_to }: Described) => ({
  dataTypes: data_types,
  dateRange: date_range,
  from: range_from,
  to: range_to,
});

export const schemaOf = ({ name, type, unit }: Dataset['columns'][number]) => ({ name, type, unit: unit ?? null });
