import { open } from 'node:fs/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { AppError } from '#kernel/errors.ts';

import type { ExportsContext } from '../context.ts';
import { fileOf } from './files.ts';
import type { Stored } from './read.ts';

const TYPES: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xml: 'application/xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  zip: 'application/zip',
};

type Part = { first: number; last: number };

/** The part of a file that one range names; null for the whole, as for several ranges or what is no range; undefined beyond its end. */
export function partOf(range: string | undefined, bytes: number): Part | null | undefined {
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

/** Sends a stored file, or the part of it that was asked for if it is still the same file. */
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
  const part = ifRange === undefined || ifRange === etag ? partOf(range, file.bytes) : null;
  if (part === undefined)
    return reply
      .code(416)
      .header('content-range', `bytes */${file.bytes}`)
      .removeHeader('content-disposition')
      .type('application/json; charset=utf-8')
      .send({ error: 'The requested range is beyond the end of the file', code: 'bad_request' });
  const handle = await open(fileOf(ctx.config, file), 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    ctx.report('exports', 'system', 'An export file is missing from its folder', { id: file.id });
    throw new AppError('not_found', 'This file is no longer available. Create the export again to get the data.');
  });
  const { first, last } = part ?? { first: 0, last: file.bytes - 1 };
  reply.header('content-length', last - first + 1);
  if (part) reply.code(206).header('content-range', `bytes ${first}-${last}/${file.bytes}`);
  return reply.send(handle.createReadStream({ start: first, end: last }));
}
