import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

import { accepts } from './accept-encoding.ts';

const brotli = promisify(brotliCompress);
const gunzippable = promisify(gzip);

type Encoded = { headers: OutgoingHttpHeaders; body: Buffer };

/** One public payload, serialised and compressed once, as it stands ready to be written. */
export type Prepared = {
  etag: string;
  text: string;
  br: Encoded;
  gzip: Encoded;
  identity: Encoded;
  notModified: OutgoingHttpHeaders;
};

type Options<T> = {
  name: string;
  contentType?: string;
  cacheControl?: string;
  /** More headers on every answer, 304 included. */
  headers?: OutgoingHttpHeaders;
  /** Brotli quality: 5 for what changes every few seconds, 11 for what changes slower than five minutes. */
  quality?: number;
  /** Throws when the value breaks its contract. */
  validate?: (value: T) => unknown;
  serialise?: (value: T) => string;
  onInvalid: (error: unknown) => void;
};

export type ReadModel<T> = {
  name: string;
  /** Resolves when the new buffers serve. A value that fails keeps the last good ones and is reported. */
  publish: (value: T) => Promise<void>;
  current: () => Prepared | null;
};

export function createReadModel<T>(options: Options<T>): ReadModel<T> {
  const { name, quality = 5, validate, onInvalid } = options;
  const serialise = options.serialise ?? ((value: unknown) => JSON.stringify(value));
  let current: Prepared | null = null;
  let newest = 0;

  return {
    name,
    current: () => current,
    async publish(value) {
      try {
        const valid = (validate ? validate(value) : value) as T;
        // Two short turns of the event loop rather than a long one.
        await setImmediate();
        const text = serialise(valid);
        const turn = ++newest;
        const prepared = await prepare(text, quality, options);
        if (turn === newest) current = prepared;
      } catch (error) {
        onInvalid(error);
      }
    },
  };
}

async function prepare(
  text: string,
  quality: number,
  options: { contentType?: string; cacheControl?: string; headers?: OutgoingHttpHeaders },
): Promise<Prepared> {
  const { contentType = 'application/json; charset=utf-8', cacheControl = 'no-cache', headers = {} } = options;
  const identity = Buffer.from(text);
  const params = { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_SIZE_HINT]: identity.length };
  const [br, gz] = await Promise.all([brotli(identity, { params }), gunzippable(identity, { level: 6 })]);
  const etag = `"${createHash('sha1').update(identity).digest('base64url')}"`;
  const shared = { etag, vary: 'accept-encoding', 'cache-control': cacheControl, ...headers };
  const encoded = (body: Buffer, encoding?: string): Encoded => ({
    body,
    headers: {
      'content-type': contentType,
      ...(encoding ? { 'content-encoding': encoding } : {}),
      'content-length': body.length,
      ...shared,
      'x-content-type-options': 'nosniff',
    },
  });
  return {
    etag,
    text,
    br: encoded(br, 'br'),
    gzip: encoded(gz, 'gzip'),
    identity: encoded(identity),
    notModified: shared,
  };
}

type Encoding = 'br' | 'gzip' | 'identity';

function choose(accepted: string): Encoding {
  if (accepts(accepted, 'br')) return 'br';
  return accepts(accepted, 'gzip') ? 'gzip' : 'identity';
}

/** Browsers send a handful of different headers: parsing each once saves a tenth of a request. */
const chosen = new Map<string, Encoding>();
const KEPT_CHOICES = 100;
const LONGEST_KEPT = 200;

function pick(prepared: Prepared, accepted: string | undefined): Encoded {
  if (!accepted) return prepared.identity;
  let encoding = chosen.get(accepted);
  if (encoding === undefined) {
    encoding = choose(accepted);
    if (chosen.size < KEPT_CHOICES && accepted.length <= LONGEST_KEPT) chosen.set(accepted, encoding);
  }
  return prepared[encoding];
}

function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return (
    header === etag || header === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag)
  );
}

/** Writes the buffer that fits the request: 304 when the reader has it, else br, gzip or plain. */
export function writePrepared(
  request: IncomingMessage,
  response: ServerResponse,
  prepared: Prepared,
  status = 200,
): void {
  if (status === 200 && matches(request.headers['if-none-match'], prepared.etag)) {
    response.writeHead(304, prepared.notModified);
    response.end();
    return;
  }
  const { headers, body } = pick(prepared, request.headers['accept-encoding']);
  response.writeHead(status, headers);
  if (request.method === 'HEAD') response.end();
  else response.end(body);
}
