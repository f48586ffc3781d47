import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Manifest } from '#features/exports/contract/exports.ts';
import type { Db } from '#kernel/db.ts';
import type { Cell, Table } from '#kernel/files/table.ts';
import { writeFile } from '#kernel/files/write.ts';

import type { Dataset } from '../datasets/dataset.ts';
import type { File } from '../store/exports.ts';
import {
  columnSchema,
  exportFileName,
  exportMetadata,
  exportNotes,
  exportQuery,
  listTables,
  type Order,
  toScope,
  typeNames,
} from './order.ts';

/** A limit that `count` never reaches. */
const ALL = Number.MAX_SAFE_INTEGER;

type Read = Table & { newest: Map<string, string> };

/** A dataset as a table, with the latest timestamp of each of its sources. */
function datasetTable(db: Db, dataset: Dataset, scope: ReturnType<typeof toScope>, read: (rows: number) => void): Read {
  const names = dataset.columns.map(({ name }) => name);
  const newest = new Map<string, string>();
  async function* rows(): AsyncGenerator<Cell[][]> {
    for await (const page of dataset.pages(db, scope)) {
      for (const row of page) {
        const source = String(row['source']);
        const at = String(row[dataset.observed]);
        if (at > (newest.get(source) ?? '')) newest.set(source, at);
      }
      read(page.length);
      yield page.map((row) => names.map((name) => row[name] ?? null));
    }
  }
  return { name: dataset.name, title: dataset.title, columns: dataset.columns, rows: rows(), newest };
}

/**
 * Writes the file of an export, under a temporary name until it is complete and on disk. Throws database and disk
 * errors.
 */
export async function writeExport(
  db: Db,
  order: Order,
  progress: (done: number, expected: number) => void,
): Promise<File> {
  const { row, mode, at, look } = order;
  const scope = toScope(row, mode);
  const datasets = listTables(row, mode, order.minuteDays);
  const counts: number[] = [];
  for (const { count } of datasets) counts.push(await count(db, scope, ALL));
  const expected = counts.reduce((sum, n) => sum + n, 0);
  let done = 0;
  progress(done, expected);
  const tables = datasets.map((dataset) =>
    datasetTable(db, dataset, scope, (rows) => {
      done += rows;
      progress(done, expected);
    }),
  );
  const incomplete: string[] = [];
  for (const dataset of datasets) {
    const note = await dataset.incomplete?.(db);
    if (note) incomplete.push(note);
  }
  const notes = [...exportNotes(row, datasets, mode), ...incomplete];
  const made = writeFile(
    { format: row.format, fileName: exportFileName(row), packed: row.compression },
    {
      title: typeNames(row),
      madeAt: new Date(at),
      dataMode: mode,
      notes,
      metadata: row.include_metadata ? exportMetadata(row, datasets) : null,
      look,
    },
    tables,
  );
  const { bytes, sha256 } = await store(order, made.bytes);
  const rows = [...made.written.values()].reduce((sum, each) => sum + each.rows, 0);
  const manifest: Manifest = {
    file: made.fileName,
    format: row.format,
    sha256,
    bytes,
    rows,
    createdAt: at,
    dataMode: mode,
    query: exportQuery(row),
    tables: tables.map(({ name, columns, newest }, i) => ({
      name,
      rows: made.written.get(name)?.rows ?? 0,
      grain: datasets[i]?.grain ?? '',
      columns: columns.map(columnSchema),
      sources: [...newest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([source, newestAt]) => ({ source, newestAt })),
    })),
    notes: [
      ...notes,
      ...tables.flatMap(({ name, title }, i) => {
        const [held, all] = [made.written.get(name)?.rows ?? 0, counts[i] ?? 0];
        return held < all ? [`${title}: the file holds the first ${held} of ${all} rows.`] : [];
      }),
    ],
  };
  return { fileName: made.fileName, bytes, rows, sha256, manifest };
}

async function store(
  { part, file }: Order,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const handle = await open(part, 'wx', 0o600);
    try {
      for await (const chunk of chunks) {
        hash.update(chunk);
        await handle.writeFile(chunk);
        bytes += chunk.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
    const folder = await open(dirname(file), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}
