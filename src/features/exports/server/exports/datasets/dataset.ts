import type { Db } from '#kernel/db.ts';
import type { Column } from '#kernel/files/table.ts';

import type { Row, Scope } from '../store/scope.ts';

/** One table of an export. */
export type Dataset = {
  /** snake_case, as in files for machines. */
  name: string;
  title: string;
  /** What one row represents, such as 'one coin and hour'. */
  grain: string;
  columns: readonly Column[];
  /** The column with the source's timestamp. */
  observed: string;
  /** Number of rows, counted up to `most`. */
  count: (db: Db, scope: Scope, most: number) => Promise<number>;
  pages: (db: Db, scope: Scope) => AsyncIterable<readonly Row[]>;
  /** Names the series whose history is still being loaded; null when there are none. */
  incomplete?: (db: Db) => Promise<string | null>;
};

type Type = Column['type'];

/** Shorthand for declaring a column: name, title, type and unit. */
export const column = (name: string, title: string, type: Type = 'text', unit?: string): Column =>
  unit === undefined ? { name, title, type } : { name, title, type, unit };

export const BIRTH = [
  column('source', 'Source'),
  column('fetched_at', 'Fetched', 'time', 'UTC'),
  column('method', 'Method'),
];
