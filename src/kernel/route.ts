import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod/mini';
import type { Endpoint, Plan } from '#shared/contract.ts';

import { accepts } from './accept-encoding.ts';
import { AppError } from './errors.ts';

/** PostgreSQL can store neither in text, and neither is ever intended. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** False when any text or key in it cannot be stored. Iterative, because input may be nested arbitrarily deep. */
function isStorableDeep(result: unknown): boolean {
  const queue: unknown[] = [result];
  while (queue.length > 0) {
    const each = queue.pop();
    if (typeof each === 'string' && !isStorable(each)) return false;
    if (typeof each !== 'object' || each === null) continue;
    for (const [name, value] of Object.entries(each)) {
      if (!isStorable(name)) return false;
      queue.push(value);
    }
  }
  return true;
}

/** The caller; `sessionId` is null when it is not a browser session. */
export type Caller = { userId: number; sessionId: number | null; plan: Plan };

/** The origin of a call, from its connection and headers. */
export type RequestOrigin = { ip: string; agent: string | undefined; authorization: string | undefined };

type Output<T> = T extends z.ZodMiniType ? z.output<T> : undefined;
export type Input<E extends Endpoint> = {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']>;
  caller: E['access'] extends 'public' ? Caller | null : Caller;
  from: RequestOrigin;
  /** True once the caller has disconnected and the rest of the work is pointless. */
  isDisconnected: () => boolean;
  /** The versions the caller intends to change, from the header. */
  ifMatch: string | undefined;
};

/** A response that shows one version of a resource, named by its ETag. */
export class Versioned<T> {
  readonly version: number;
  readonly value: T;

  constructor(version: number, value: T) {
    this.version = version;
    this.value = value;
  }

  /** A different value for the same version. */
  of<U>(value: U): Versioned<U> {
    return new Versioned(this.version, value);
  }
}

type Reply<E extends Endpoint> = z.input<E['reply']> | Versioned<z.input<E['reply']>>;
type Handler<E extends Endpoint> = (input: Input<E>) => Promise<Reply<E>> | Reply<E>;

const versionEtag = (version: number): string => `"${version}"`;

/** 412 when the caller expects another version than the current one. Proxies that compress make a tag weak. */
export function checkIfMatch(ifMatch: string | undefined, version: number, message: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(versionEtag(version))) throw new AppError('precondition_failed', message);
}

const PLAN_RANK: Record<Plan, number> = { free: 0, pro: 1, premium: 2, admin: 3 };

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Its contract has no body. */
    isBodyless?: boolean;
  }
}

export const hasAccess = (access: Endpoint['access'], caller: Caller | null): boolean =>
  access === 'public' || (caller !== null && PLAN_RANK[caller.plan] >= PLAN_RANK[access]);

const DEFAULT_REFUSAL: NonNullable<Endpoint['refusal']> = ['Authentication required', 'Upgrade required'];
const ADMIN_REFUSAL: NonNullable<Endpoint['refusal']> = ['Authentication required', 'Admin access required'];

/** 401 = sign in, 403 = plan or role too low. */
export function checkAccess(
  access: Endpoint['access'],
  caller: Caller | null,
  [signedOut, lower] = access === 'admin' ? ADMIN_REFUSAL : DEFAULT_REFUSAL,
): void {
  if (hasAccess(access, caller)) return;
  if (!caller) throw new AppError('unauthenticated', signedOut);
  throw new AppError(access === 'admin' ? 'forbidden' : 'upgrade_required', lower);
}

const ZOD_DEFAULT_MESSAGE = /^(Invalid|Too (big|small)|Unrecognized)\b/;

/**
 * A sentence from the contract is used unchanged, with its position in a list; anything else is prefixed with its
 * field.
 */
export function validationMessage(message: string, path: readonly PropertyKey[]): string {
  const isSentence = /^[A-Z]/.test(message) && !ZOD_DEFAULT_MESSAGE.test(message);
  if (!isSentence && path.length > 0) return `${path.join('.')}: ${message}`;
  const place = path.find((part) => typeof part === 'number');
  return place === undefined ? message : `Number ${place + 1}: ${message}`;
}

/** Part of a call, validated by its contract. @throws AppError 400 in the words of the contract */
export function parseOrReject(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const found = schema.safeParse(value ?? {});
  if (found.success) return found.data;
  const issue = found.error.issues[0];
  throw new AppError('bad_request', validationMessage(issue?.message ?? 'Bad request', issue?.path ?? []));
}

type RequestParts = Pick<FastifyRequest, 'params' | 'query' | 'body'>;

/** @throws AppError 400 for text that the database cannot store */
export function assertStorable({ params, query, body }: RequestParts): void {
  const isBinary = Buffer.isBuffer(body);
  if (!isStorableDeep([params, query, isBinary ? null : body]))
    throw new AppError('bad_request', 'Text contains a character that cannot be stored');
}

/** Rejects unauthorized callers before the body is read: part of every contract route. */
export const accessGuard = ({ access, refusal }: Endpoint) => ({
  onRequest(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
    checkAccess(access, request.caller, refusal);
    done();
  },
});

/** The validated input of an authorized call. */
export function parseInput<E extends Endpoint>(
  endpoint: E,
  request: FastifyRequest,
  response?: ServerResponse,
): Input<E> {
  checkAccess(endpoint.access, request.caller, endpoint.refusal);
  const [params, query, body] = (['params', 'query', 'body'] as const).map((of) =>
    parseOrReject(endpoint[of], request[of]),
  );
  // A contract may have its own message for this, so it is checked first.
  assertStorable(request);
  return {
    params,
    query,
    body,
    caller: request.caller,
    from: {
      ip: request.ip,
      agent: request.headers['user-agent'],
      authorization: request.headers.authorization,
    },
    ifMatch: request.headers['if-match'],
    isDisconnected: () => response !== undefined && response.destroyed && !response.writableEnded,
  } as Input<E>;
}

/** Accepts a JSON content type without a body where the contract needs none. */
export function allowEmptyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0 && request.routeOptions.config.isBodyless) done(null, undefined);
    else void parseJson(request, body as string, done);
  });
}

/**
 * Mounts one contract endpoint: checks access, parses input, runs the handler, parses the reply (which strips what must
 * not leak).
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
  options: { bodyLimit?: number } = {},
): void {
  app.route({
    ...options,
    ...accessGuard(endpoint),
    method: endpoint.method,
    url: endpoint.path,
    config: { isBodyless: !endpoint.body },
    handler: async (request: FastifyRequest, reply) => {
      const result = await handler(parseInput(endpoint, request, reply.raw));
      const isVersioned = result instanceof Versioned;
      if (isVersioned) reply.header('etag', versionEtag(result.version));
      const answer = endpoint.reply.parse(isVersioned ? result.value : result);
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
    },
  });
}

/** A file that is streamed while it is generated: never whole in memory. */
export type Download = { type: string; fileName: string; text: AsyncIterable<string | Uint8Array> };

/**
 * Mounts an endpoint that streams a file. If generation fails midway, the response is left incomplete so that it does
 * not look whole.
 */
export function download<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (input: Input<E>) => Download | Promise<Download>,
): void {
  app.route({
    ...accessGuard(endpoint),
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request, reply) => {
      const { type, fileName, text } = await handler(parseInput(endpoint, request));
      reply
        .type(type)
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .header('vary', 'accept-encoding');
      const file = Readable.from(text);
      if (!accepts(request.headers['accept-encoding'] ?? '', 'gzip')) return reply.send(file);
      const packed = createGzip();
      pipeline(file, packed).catch(() => undefined);
      return reply.header('content-encoding', 'gzip').send(packed);
    },
  });
}

/** A file that is complete before it is sent, such as a receipt. */
export type BufferedFile = { type: string; fileName: string; bytes: Buffer };

/** Mounts an endpoint that responds with a file of bytes. */
export function downloadBuffered<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (input: Input<E>) => Promise<BufferedFile>,
): void {
  app.route({
    ...accessGuard(endpoint),
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request, reply) => {
      const { type, fileName, bytes } = await handler(parseInput(endpoint, request));
      return reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`).send(bytes);
    },
  });
}
