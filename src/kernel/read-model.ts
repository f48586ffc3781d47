import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

import type { FastifyInstance } from 'fastify';
import type { z } from 'zod/mini';
import { accepts } from './accept-encoding.ts';
import { type Schema, serializeValid } from './valid-text.ts';

const SLICE_MS = 1;
/** After this many unread values, the next ones are prepared only when a reader requests them. */
const MAX_UNREAD = 12;
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Runs steps until a millisecond has passed, then yields to the event loop before the next ones. */
export async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await setImmediate();
  }
}

type EncodedResponse = { headers: OutgoingHttpHeaders; body: Buffer };
type Compression = 'br' | 'gzip';

/** A serialised public payload, ready to be written. */
export type Prepared = {
  etag: string;
  identity: EncodedResponse;
  /** Compressed for the first reader that accepts the encoding, then shared. */
  compressed: (compression: Compression) => EncodedResponse | Promise<EncodedResponse>;
  notModified: OutgoingHttpHeaders;
};

type PrepareOptions = {
  contentType?: string;
  cacheControl?: string;
  /** Additional headers on every response, including 304. */
  headers?: OutgoingHttpHeaders;
};

type Options = PrepareOptions & {
  /** What a value must match; without a schema, a text is used as it is. */
  schema?: Schema;
  onInvalid: (error: unknown) => void;
};

export type ReadModel<T> = {
  /**
   * Takes a value or a function that returns it. It is prepared immediately while there are readers, otherwise for the
   * next one. A failed value leaves the last good one in place and is reported.
   */
  publish: (value: T | (() => T | Promise<T>)) => Promise<void>;
  /** Null before the first value, and while a newer one waits for `ready`. */
  current: () => Prepared | null;
  /** The newest value; null before the first. Rejects with the error of a first value that fails. */
  ready: () => Promise<Prepared | null>;
};

/** What the read models of a process share: headers by address, and where errors are reported. */
export type ReadModelFactory = {
  /** `path` is the public address of the payload; a value that does not match `schema` is reported under `name`. */
  json: <S extends Schema>(name: string, schema: S, path: `/api/${string}`) => ReadModel<z.output<S>>;
  text: (name: string, contentType: string, path: `/${string}`) => ReadModel<string>;
  errorHandler: (what: string) => (error: unknown) => void;
};

type FactoryDeps = Pick<ReadModelFactory, 'errorHandler'> & { headersOf: (path: string) => OutgoingHttpHeaders };

export function readModelFactory({ headersOf, errorHandler }: FactoryDeps): ReadModelFactory {
  const rebuild = <T>(name: string, path: string, extraHeaders: Pick<Options, 'schema' | 'contentType'>) =>
    createReadModel<T>({
      headers: headersOf(path),
      onInvalid: errorHandler(`The read model ${name}`),
      ...extraHeaders,
    });
  return {
    errorHandler,
    json: (name, schema, path) => rebuild(name, path, { schema }),
    text: (name, contentType, path) => rebuild(name, path, { contentType }),
  };
}

export function createReadModel<T>(options: Options): ReadModel<T> {
  const { schema, onInvalid } = options;
  let latest: Prepared | null = null;
  let pending: (() => T | Promise<T>) | null = null;
  let rebuilding: Promise<void> | null = null;
  let isStale = false;
  let unread = MAX_UNREAD;

  async function serialize(value: T): Promise<string> {
    if (schema) return runInSlices(serializeValid(schema, value));
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  async function rebuild(): Promise<void> {
    while (pending) {
      const source = pending;
      try {
        const next = prepare(await serialize(await source()), options);
        // An unchanged text keeps its compressed buffers.
        if (next.etag !== latest?.etag) latest = next;
      } catch (error) {
        // A failed first value is retried by the next reader.
        if (!latest) throw error;
        onInvalid(error);
      }
      if (pending === source) pending = null;
    }
    isStale = false;
  }

  async function refresh(): Promise<void> {
    rebuilding ??= rebuild().finally(() => {
      rebuilding = null;
    });
    await rebuilding;
  }

  return {
    async publish(value) {
      pending = typeof value === 'function' ? (value as () => T | Promise<T>) : () => value;
      unread += 1;
      if (unread > MAX_UNREAD) isStale = true;
      else await refresh().catch(onInvalid);
    },
    current() {
      unread = 0;
      return isStale ? null : latest;
    },
    async ready() {
      unread = 0;
      if (pending) await refresh();
      return latest;
    },
  };
}

/** A text with its tag and headers, ready for `writePrepared`. */
export function prepare(text: string, options: PrepareOptions = {}): Prepared {
  const { contentType = 'application/json; charset=utf-8', cacheControl = 'no-cache', headers = {} } = options;
  const body = Buffer.from(text);
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  const notModified = { etag, vary: 'accept-encoding', 'cache-control': cacheControl, ...headers };
  const answer = (bytes: Buffer, compression?: Compression): EncodedResponse => ({
    body: bytes,
    headers: {
      'content-type': contentType,
      ...(compression ? { 'content-encoding': compression } : {}),
      'content-length': bytes.length,
      'cross-origin-resource-policy': 'same-origin',
      ...notModified,
      'x-content-type-options': 'nosniff',
    },
  });
  const answers: {
    br?: EncodedResponse | Promise<EncodedResponse>;
    gzip?: EncodedResponse | Promise<EncodedResponse>;
  } = {};

  async function compress(compression: Compression): Promise<EncodedResponse> {
    // Copied, because zlib returns a slice of a larger buffer.
    const ready = answer(Buffer.copyBytesFrom(await compressedBy(compression, body)), compression);
    answers[compression] = ready;
    return ready;
  }

  return {
    etag,
    identity: answer(body),
    compressed(compression) {
      answers[compression] ??= compress(compression);
      return answers[compression];
    },
    notModified,
  };
}

function compressedBy(compression: Compression, body: Buffer): Promise<Buffer> {
  const params = { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length };
  return compressors[compression](body, compression === 'br' ? { params } : { level: GZIP_LEVEL });
}

type Encoding = Compression | 'identity';

function negotiateEncoding(accepted: string): Encoding {
  if (accepts(accepted, 'br')) return 'br';
  return accepts(accepted, 'gzip') ? 'gzip' : 'identity';
}

/** Browsers send a handful of different headers: caching the parsed ones saves a tenth of a request. */
const encodingCache = new Map<string, Encoding>();
const MAX_CACHED_ENCODINGS = 100;
const MAX_CACHED_HEADER_LENGTH = 200;

function encodingFor(accepted: string | undefined): Encoding {
  if (!accepted) return 'identity';
  let encoding = encodingCache.get(accepted);
  if (encoding === undefined) {
    encoding = negotiateEncoding(accepted);
    if (encodingCache.size < MAX_CACHED_ENCODINGS && accepted.length <= MAX_CACHED_HEADER_LENGTH)
      encodingCache.set(accepted, encoding);
  }
  return encoding;
}

function selectResponse(prepared: Prepared, accepted: string | undefined): EncodedResponse | Promise<EncodedResponse> {
  const encoding = encodingFor(accepted);
  return encoding === 'identity' ? prepared.identity : prepared.compressed(encoding);
}

/** Below this size, headers outweigh what compression saves. */
const MIN_COMPRESSED_LENGTH = 1024;

/** Compresses texts generated per request: pages of the app, and API responses that no read model holds. */
export function compressTexts(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < MIN_COMPRESSED_LENGTH) return payload;
    if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (encoding === 'identity' || reply.hasHeader('content-encoding')) return payload;
    reply.header('content-encoding', encoding).removeHeader('content-length');
    return compressedBy(encoding, Buffer.from(payload));
  });
}

export function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return (
    header === etag || header === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag)
  );
}

/**
 * Writes the buffer that matches the request, with `more` headers for this response: 304 when the client has it, else
 * br, gzip or plain.
 */
export function writePrepared(
  request: IncomingMessage,
  response: ServerResponse,
  prepared: Prepared,
  status = 200,
  extraHeaders: OutgoingHttpHeaders = {},
): void {
  if (status === 200 && matches(request.headers['if-none-match'], prepared.etag)) {
    response.writeHead(304, { ...prepared.notModified, ...extraHeaders });
    response.end();
    return;
  }
  const write = ({ headers, body }: EncodedResponse): void => {
    response.writeHead(status, { ...headers, ...extraHeaders });
    if (request.method === 'HEAD') response.end();
    else response.end(body);
  };
  const answer = selectResponse(prepared, request.headers['accept-encoding']);
  if (answer instanceof Promise) answer.then(write, () => write(prepared.identity));
  else write(answer);
}
