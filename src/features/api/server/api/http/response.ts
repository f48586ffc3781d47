import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod/mini';
import { ACCOUNTS_CHANNEL, parseAccountChange } from '#features/accounts/server/auth/service.ts';
import { readStream } from '#features/api/contract/api.ts';
import { type ApiKeys, type KeyCaller, readKey } from '#features/api/server/api-keys/service.ts';
import { accepts } from '#kernel/accept-encoding.ts';
import { AppError } from '#kernel/errors.ts';
import type { Live } from '#kernel/live/live.ts';
import { matches } from '#kernel/read-model.ts';
import { checkAccess, hasAccess } from '#kernel/route.ts';
import type { Topic } from '#shared/contract.ts';

import { apiInput, CORS } from './request.ts';

const packed = promisify(gzip);
/** Below this size compression costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1400;

/** Sends a text with its ETag: 304 if unchanged, compressed if worthwhile. */
export async function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: string) {
  const bytes = Buffer.from(text);
  const etag = `"${createHash('sha1').update(bytes).digest('base64url')}"`;
  reply.header('etag', etag);
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type(type);
  if (bytes.length < MIN_COMPRESSED_BYTES || !accepts(request.headers['accept-encoding'] ?? '', 'gzip'))
    return reply.send(bytes);
  return reply.header('content-encoding', 'gzip').send(await packed(bytes));
}

/** JSON Schema as generated from contracts: no references, no cycles. */
export type Shape = {
  type?: string | string[];
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape | boolean;
  propertyNames?: Shape;
  items?: Shape;
  prefixItems?: Shape[];
  anyOf?: Shape[];
  enum?: unknown[];
  description?: string;
  [more: string]: unknown;
};

const known = new WeakMap<z.ZodMiniType, Shape>();

/** The shape of a validated value. */
export function toShape(schema: z.ZodMiniType): Shape {
  const found = known.get(schema);
  if (found) return found;
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' }) as Shape;
  known.set(schema, shape);
  return shape;
}

const isNull = ({ type }: Shape) => type === 'null';

/** The shape without null. */
export function presentShape(shape: Shape): Shape {
  const others = shape.anyOf?.filter((each) => !isNull(each));
  return others?.length === 1 ? presentShape(others[0] as Shape) : shape;
}

/**
 * A stream ends after this time and the client reconnects where it was: access changes without a notification are
 * enforced then.
 */
const RECHECK_MS = 15 * 60_000;
/** This topic requires its own scope. */
const ALERTS = 'alerts';

type Open = { userId: number; key: string; topics: readonly Topic[]; socket: Socket };

const hasScopes = ({ scopes }: KeyCaller, topics: readonly Topic[]) =>
  scopes.includes(readStream.scope) && (scopes.includes('alerts') || topics.every(({ name }) => name !== ALERTS));

/** GET /api/v1/stream: a connection costs one call, and ends when its key does. */
export function apiStream(
  app: FastifyInstance,
  { ctx, gate, keys }: ApiKeys,
  live: Live,
  topics: readonly Topic[],
  onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
): void {
  const open = new Set<Open>();
  const everyones = topics.filter(({ access }) => access === 'public').map(({ name }) => name);

  async function check(stream: Open): Promise<void> {
    const caller = await keys.read(stream.key);
    const mayGoOn = caller && hasScopes(caller, stream.topics);
    if (!mayGoOn || !stream.topics.every(({ access }) => hasAccess(access, caller))) stream.socket.destroySoon();
  }
  function checkAll(userId: number): void {
    const concerned = [...open].filter((stream) => stream.userId === userId);
    if (concerned.length === 0) return;
    keys.forget(userId);
    for (const stream of concerned)
      check(stream).catch((error: unknown) => ctx.report('api', 'system', 'Failed to check a stream’s API key', error));
  }
  app.addHook('onReady', async () => {
    await ctx.listener.listen(
      ACCOUNTS_CHANNEL,
      (payload) => checkAll(parseAccountChange(payload).user),
      () => {
        for (const userId of new Set([...open].map((stream) => stream.userId))) checkAll(userId);
      },
    );
  });

  app.get(readStream.path, { exposeHeadRoute: false, onRequest }, async (request, reply) => {
    const { caller, headers } = await gate.admit(request.headers, readStream.scope);
    reply.headers(headers);
    const { query } = apiInput({ endpoint: readStream }, request);
    const { topics: wanted } = query;
    const names = typeof wanted === 'string' ? wanted.split(',') : everyones;
    const fields = names.map((name) => {
      const topic = topics.find((each) => each.name === name);
      if (!topic) throw new AppError('bad_request', `Unknown topic "${name.slice(0, 100)}"`);
      checkAccess(topic.access, caller);
      return topic;
    });
    if (!hasScopes(caller, fields)) throw new AppError('forbidden', `This API key lacks the required scope: ${ALERTS}`);
    reply.hijack();
    for (const [name, value] of Object.entries({ ...CORS, ...headers })) reply.raw.setHeader(name, value);
    const { socket } = request.raw;
    const stream = { userId: caller.userId, key: readKey(request.headers) ?? '', topics: fields, socket };
    open.add(stream);
    socket.once('close', () => open.delete(stream));
    await live.hub.connect(request.raw, reply.raw, { topics: new Set(names), owner: caller, endsInMs: RECHECK_MS });
  });
}
