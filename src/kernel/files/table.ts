import type { ResourceLimits } from 'node:worker_threads';

import type { DataMode } from '#shared/provenance.ts';

/** Times are ISO strings in a column of type 'time'. */
export type Cell = string | number | boolean | null;

export type Column = {
  /** As in machine-readable files: snake_case. */
  name: string;
  /** As in human-readable files. */
  title: string;
  type: 'text' | 'number' | 'time' | 'boolean';
  unit?: string;
};

export type Table = {
  /** snake_case; name of the sheet, the element or the file inside a ZIP. */
  name: string;
  title: string;
  columns: readonly Column[];
  /** In batches, each read after the previous one is written. */
  rows: AsyncIterable<readonly (readonly Cell[])[]>;
};

export type FileFormat = 'csv' | 'json' | 'xlsx' | 'pdf' | 'xml';

/** The branding of a report. */
export type Branding = { name: string; logo: { bytes: Uint8Array; type: 'png' | 'jpeg' } | null; colour: string };

export type FileHead = {
  title: string;
  madeAt: Date;
  dataMode: DataMode;
  /** Sources, ages and what a cap leaves out: written into every format that has a place for it. */
  notes: readonly string[];
  /** Query and schema, at the beginning of JSON and XML; null leaves them out. */
  metadata: Readonly<Record<string, unknown>> | null;
  look: Branding;
};

/** `fileName` is without extension. A `packed` CSV or JSON is a ZIP; a CSV of several tables always is. */
export type FileOptions = { format: FileFormat; fileName: string; packed: boolean };

/** What was written of each table, complete when the file ends. */
export type WrittenFile = { rows: number };

/**
 * For threads that write files: garbage is collected early, so that a long file takes no more memory than a short one.
 */
export const WRITER_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 128 };
