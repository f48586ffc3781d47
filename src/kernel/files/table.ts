import type { ResourceLimits } from 'node:worker_threads';

import type { DataMode } from '#shared/provenance.ts';

/** Moments are ISO strings in a column of type 'time'. */
export type Cell = string | number | boolean | null;

export type Column = {
  /** As in files for machines: snake_case. */
  name: string;
  /** As in files for people. */
  title: string;
  type: 'text' | 'number' | 'time' | 'boolean';
  unit?: string;
};

export type Table = {
  /** snake_case; name of the sheet, the element or the file inside a ZIP. */
  name: string;
  title: string;
  columns: readonly Column[];
  /** In batches, each read when the one before is written. */
  rows: AsyncIterable<readonly (readonly Cell[])[]>;
};

export type FileFormat = 'csv' | 'json' | 'xlsx' | 'pdf' | 'xml';

/** How a report looks. */
export type Look = { name: string; logo: { bytes: Uint8Array; type: 'png' | 'jpeg' } | null; colour: string };

export type FileHead = {
  title: string;
  madeAt: Date;
  dataMode: DataMode;
  /** Sources, ages, what a cap has left out: written into every format that has a place for it. */
  notes: readonly string[];
  /** Query and schema, as the reader of JSON and XML finds them at the beginning; null leaves them out. */
  metadata: Readonly<Record<string, unknown>> | null;
  look: Look;
};

/** `fileName` without its ending. A `packed` CSV or JSON is a ZIP; a CSV of several tables always is. */
export type FileOptions = { format: FileFormat; fileName: string; packed: boolean };

/** What was written of each table, known when it ends. */
export type Written = { rows: number };

/** For a thread that writes files: what it leaves behind is cleaned up early, so that a long file takes no more memory than a short one. */
export const WRITER_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 128 };
