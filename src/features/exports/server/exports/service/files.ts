import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exportsTopic } from '#features/exports/contract/exports.ts';
import type { Config } from '#kernel/config.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import type { ExportsContext } from '../context.ts';
import { dismiss, type ExportRow, findKept } from '../store/exports.ts';
import { computeProgress, getExport, type Stored } from './read.ts';

type Attempt = Pick<ExportRow, 'id' | 'attempt'>;

/** One file per attempt: an attempt presumed dead cannot corrupt the file of another. */
export const filePath = ({ exportsDir }: Config, { id, attempt }: Attempt): string =>
  join(exportsDir, `${id}-${attempt}`);
/** The file while it is being written. */
export const attemptFile = (config: Config, attempt: Attempt): string => `${filePath(config, attempt)}.part`;

const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d+)(\.part)?$/;

export async function makeFolder({ exportsDir }: Config): Promise<void> {
  await mkdir(exportsDir, { recursive: true, mode: 0o700 });
}

export async function removeFiles(config: Config, attempt: Attempt): Promise<void> {
  await rm(filePath(config, attempt), { force: true });
  await rm(attemptFile(config, attempt), { force: true });
}

/** Deletes every file that belongs to no export. Other files in the folder are untouched. */
export async function removeOrphans({ db, config }: Pick<ExportsContext, 'db' | 'config'>): Promise<void> {
  const names = await readdir(config.exportsDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.flatMap((name) => {
    const [, id, attempt, part] = NAME.exec(name) ?? [];
    return id === undefined ? [] : [{ name, id, attempt: Number(attempt), isPart: part !== undefined }];
  });
  const kept = new Map((await findKept(db, [...new Set(files.map(({ id }) => id))])).map((row) => [row.id, row]));
  for (const { name, id, attempt, isPart } of files) {
    const row = kept.get(id);
    const isWanted = row?.attempt === attempt && (row.state === 'running' || !isPart);
    if (!isWanted) await rm(join(config.exportsDir, name), { force: true });
  }
}

const TYPES: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xml: 'application/xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
};

type Part = { first: number; last: number };

/**
 * The part of a file selected by a single range; null for the whole file, as for multiple or invalid ranges; undefined
 * beyond its end.
 */
export function parseRangeHeader(range: string | undefined, bytes: number): Part | null | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') {
    const last = Number(to);
    return last === 0 || bytes === 0 ? undefined : { first: Math.max(0, bytes - last), last: bytes - 1 };
  }
  if (to !== '' && Number(to) < Number(from)) return null;
  if (Number(from) >= bytes) return undefined;
  return { first: Number(from), last: to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1) };
}

/** Sends a stored file, or the requested part if the file is unchanged. */
export async function sendStored(
  ctx: ExportsContext,
  { range, 'if-range': ifRange }: FastifyRequest['headers'],
  reply: FastifyReply,
  file: Stored,
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`;
  reply
    .type(TYPES[file.fileName.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
    .header('content-disposition', `attachment; filename="${file.fileName}"`)
    .header('x-export-id', file.id)
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, no-transform');
  const part = ifRange === undefined || ifRange === etag ? parseRangeHeader(range, file.bytes) : null;
  if (part === undefined)
    return reply
      .code(416)
      .header('content-range', `bytes */${file.bytes}`)
      .removeHeader('content-disposition')
      .type('application/json; charset=utf-8')
      .send({ error: 'The requested range is beyond the end of the file', code: 'bad_request' });
  const handle = await open(filePath(ctx.config, file), 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    ctx.report('exports', 'system', 'An export file is missing from its folder', { id: file.id });
    throw new AppError('not_found', 'This file is no longer available. Create the export again to get the data.');
  });
  const { first, last } = part ?? { first: 0, last: file.bytes - 1 };
  reply.header('content-length', last - first + 1);
  if (part) reply.code(206).header('content-range', `bytes ${first}-${last}/${file.bytes}`);
  return reply.send(handle.createReadStream({ start: first, end: last }));
}

const ENDED = 'This export has already finished';

/** Cancels a pending or running export in any process, and deletes the file of a finished one. */
export async function dismissExport(ctx: ExportsContext, caller: Caller, id: string): Promise<{ success: true }> {
  await getExport(ctx, caller, id);
  const row = await ctx.db.transaction().execute(async (tx) => {
    const ended = await dismiss(tx, caller.userId, id, ctx.now());
    if (ended)
      await ctx.live.publishTo(tx, caller.userId, exportsTopic, {
        id,
        state: ended.state,
        progress: computeProgress(ended),
      });
    return ended;
  });
  if (!row) throw new AppError('conflict', ENDED);
  // Another process notices at its next heartbeat.
  ctx.making.get(id)?.end('cancelled');
  if (row.state === 'expired') await removeFiles(ctx.config, row);
  return { success: true };
}
