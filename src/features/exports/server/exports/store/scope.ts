import { type RawBuilder, sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Cell } from '#kernel/files/table.ts';
import type { DataMode } from '#shared/provenance.ts';

/**
 * Range to read, from `from` (null: everything) to `to`, both included, as visible to this user. Times are ISO strings.
 */
export type Scope = { from: string | null; to: string; userId: number; mode: DataMode };

/** One row by query column; it may contain key columns the table does not show. */
export type Row = Record<string, Cell>;

export const PAGE = 5000;

/** Restricts that column to the range. */
export const within = (column: RawBuilder<unknown>, { from, to }: Scope): RawBuilder<boolean> =>
  from === null
    ? sql<boolean>`${column} <= ${to}::timestamptz`
    : sql<boolean>`${column} >= ${from}::timestamptz and ${column} <= ${to}::timestamptz`;

/** Number of rows of a query, counted up to a limit. */
export async function countRows(db: Db, query: RawBuilder<unknown>, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${query} limit ${most}) counted`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Pages of a query, each fetched with the last row of the previous one. */
export async function* readPages(read: (after: Row | null) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after: Row | null = null; ; ) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1) ?? null;
  }
}
