import { exportsPerDay } from '#features/accounts/server/subscriptions/service.ts';
import type { ExportItem, Manifest } from '#features/exports/contract/exports.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import type { ExportsContext } from '../context.ts';
import { type ExportRow, findExport, listExports, readLoad, readTotals } from '../store/exports.ts';
import { typeNames } from './order.ts';

const LISTED = 100;
const DAY_MS = 86_400_000;
const MB = 1_000_000;
/** Rows are read before they are written, compressed and stored, so progress stops short of 1. */
const NEARLY = 0.99;

type Progressing = Pick<ExportRow, 'state' | 'rows_done' | 'rows_expected'>;

/** 0 to 1; 1 only when complete. */
export function computeProgress({ state, rows_done: done, rows_expected: expected }: Progressing): number {
  if (state === 'done' || state === 'expired') return 1;
  return expected > 0 ? Math.min(NEARLY, done / expected) : 0;
}

export const toItem = (row: ExportRow): ExportItem => ({
  id: row.id,
  type: typeNames(row),
  data_types: row.data_types,
  dateRange: row.date_range,
  from: row.range_from,
  to: row.range_to,
  format: row.format,
  compression: row.compression,
  created_at: row.created_at,
  file_size: row.file_size,
  file_name: row.file_name,
  rows: row.rows,
  sha256: row.sha256,
  state: row.state,
  progress: computeProgress(row),
  error: row.error,
  expires_at: row.expires_at,
  schedule_id: row.schedule_id,
});

export async function readHistory({ db }: ExportsContext, { userId }: Caller): Promise<ExportItem[]> {
  return (await listExports(db, userId, LISTED)).map(toItem);
}

/** Another user's export is reported as not found. */
export async function getExport({ db }: ExportsContext, { userId }: Caller, id: string): Promise<ExportRow> {
  const row = await findExport(db, userId, id);
  if (!row) throw new AppError('not_found', 'Export not found');
  return row;
}

/** The midnight (UTC) before a moment, and the one after. */
export function dayBounds(now: Date): { start: Date; end: Date } {
  const start = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return { start: new Date(start), end: new Date(start + DAY_MS) };
}

export async function readStatistics(ctx: ExportsContext, caller: Caller) {
  const now = ctx.now();
  const { start, end } = dayBounds(now);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const [{ total, thisMonth, bytes }, { today }] = await Promise.all([
    readTotals(ctx.db, caller.userId, month),
    readLoad(ctx.db, caller.userId, start),
  ]);
  return {
    total,
    thisMonth,
    totalMb: Math.round((bytes / MB) * 1000) / 1000,
    today,
    perDay: exportsPerDay(ctx.config, caller.plan),
    resetsAt: end.toISOString(),
  };
}

const NOT_MADE: Partial<Record<ExportRow['state'], string>> = {
  waiting: 'This file is not ready yet',
  running: 'This file is not ready yet',
  failed: 'This file could not be created',
  cancelled: 'This export was canceled',
};

/** Metadata of a finished file, even after it has expired. */
export async function readManifest(ctx: ExportsContext, caller: Caller, id: string): Promise<Manifest> {
  const row = await getExport(ctx, caller, id);
  if (!row.manifest) throw new AppError('conflict', NOT_MADE[row.state] ?? 'This file is not ready yet');
  return row.manifest;
}

export type Stored = Pick<ExportRow, 'id' | 'attempt'> & { fileName: string; bytes: number; sha256: string };

/** A downloadable file; otherwise throws the reason in one sentence. */
export async function getStored(ctx: ExportsContext, caller: Caller, id: string): Promise<Stored> {
  const row = await getExport(ctx, caller, id);
  const until = row.expires_at;
  if (row.state === 'expired' || (until !== null && until <= ctx.now().toISOString()))
    throw new AppError(
      'not_found',
      `This file expired on ${until?.slice(0, 16).replace('T', ' ') ?? ''} UTC. Create the export again to get the data.`,
    );
  if (row.state !== 'done' || row.file_name === null || row.file_size === null || row.sha256 === null)
    throw new AppError('conflict', NOT_MADE[row.state] ?? 'This file is not ready yet');
  return { id, attempt: row.attempt, fileName: row.file_name, bytes: row.file_size, sha256: row.sha256 };
}
