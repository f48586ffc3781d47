import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { accepts } from '#kernel/accept-encoding.ts';
import { matches } from '#kernel/read-model.ts';

const packed = promisify(gzip);
/** Below it packing costs more than it saves. */
const WORTH_PACKING = 1400;

/** A text with its tag: 304 to who has it, packed where that is worth it. */
export async function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: string) {
  const bytes = Buffer.from(text);
  const etag = `"${createHash('sha1').update(bytes).digest('base64url')}"`;
  reply.header('etag', etag);
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type(type);
  if (bytes.length < WORTH_PACKING || !accepts(request.headers['accept-encoding'] ?? '', 'gzip'))
    return reply.send(bytes);
  return reply.header('content-encoding', 'gzip').send(await packed(bytes));
}
