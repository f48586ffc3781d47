import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

import type { z } from 'zod/mini';
import { accepts } from './accept-encoding.ts';
import { type Encode, encode as encodeHere } from './encode.ts';
import { type Schema, validText } from './valid-text.ts';

const TURN_MS = 1;

/** Takes steps until a millisecond has passed, then lets the event loop go round before the next ones. */
export async function inShortTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const until = performance.now() + TURN_MS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await setImmediate();
  }
}

type Answer = { headers: OutgoingHttpHeaders; body: Buffer };

/** One public payload, serialised and compressed once, as it stands ready to be written. */
export type Prepared = {
  etag: string;
  br: Answer;
  gzip: Answer;
  identity: Answer;
  notModified: OutgoingHttpHeaders;
};

type Options = {
  name: string;
  contentType?: string;
  cacheControl?: string;
  /** More headers on every answer, 304 included. */
  headers?: OutgoingHttpHeaders;
  /** Brotli quality: 5 for what changes every few seconds, 11 for what changes slower than five minutes. */
  quality?: number;
  /** What a value must fit; without one a text is taken as it is. */
  schema?: Schema;
  encode?: Encode;
  onInvalid: (error: unknown) => void;
};

export type ReadModel<T> = {
  name: string;
  /** Resolves when the new buffers serve. A value that fails keeps the last good ones and is reported. */
  publish: (value: T) => Promise<void>;
  current: () => Prepared | null;
};

/** What the read models of a process have in common: headers by address, compression, and where errors go. */
export type ReadModelFactory = {
  /** `path` is the public address that the payload answers at; a value that breaks `schema` is reported under `name`. */
  json: <S extends Schema>(name: string, schema: S, path: `/api/${string}`) => ReadModel<z.output<S>>;
  text: (name: string, contentType: string, path: `/${string}`) => ReadModel<string>;
  encode: Encode;
  now: () => Date;
  failed: (what: string) => (error: unknown) => void;
};

type FactoryDeps = Pick<ReadModelFactory, 'encode' | 'now' | 'failed'> & {
  headersOf: (path: string) => OutgoingHttpHeaders;
};

export function readModelFactory({ headersOf, ...common }: FactoryDeps): ReadModelFactory {
  const { encode, failed } = common;
  const make = <T>(name: string, path: string, more: Pick<Options, 'schema' | 'contentType'>) =>
    createReadModel<T>({
      name,
      encode,
      headers: headersOf(path),
      onInvalid: failed(`The read model ${name}`),
      ...more,
    });
  return {
    ...common,
    json: (name, schema, path) => make(name, path, { schema }),
    text: (name, contentType, path) => make(name, path, { contentType }),
  };
}

export function createReadModel<T>(options: Options): ReadModel<T> {
  const { name, schema, onInvalid } = options;
  let current: Prepared | null = null;
  let newest = 0;
  let shown = 0;

  async function textOf(value: T): Promise<string> {
    if (schema) return inShortTurns(validText(schema, value));
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  return {
    name,
    current: () => current,
    async publish(value) {
      const turn = ++newest;
      try {
        const prepared = await prepare(await textOf(value), options);
        if (turn < shown) return;
        shown = turn;
        current = prepared;
      } catch (error) {
        onInvalid(error);
      }
    },
  };
}

async function prepare(text: string, options: Options): Promise<Prepared> {
  const { contentType = 'application/json; charset=utf-8', cacheControl = 'no-cache', headers = {} } = options;
  const { quality = 5, encode = encodeHere } = options;
  const { etag, identity, br, gzip } = await encode(text, quality);
  const shared = { etag, vary: 'accept-encoding', 'cache-control': cacheControl, ...headers };
  const answer = (bytes: Uint8Array, encoding?: string): Answer => ({
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    headers: {
      'content-type': contentType,
      ...(encoding ? { 'content-encoding': encoding } : {}),
      'content-length': bytes.length,
      'cross-origin-resource-policy': 'same-origin',
      ...shared,
      'x-content-type-options': 'nosniff',
    },
  });
  return {
    etag,
    br: answer(br, 'br'),
    gzip: answer(gzip, 'gzip'),
    identity: answer(identity),
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

function pick(prepared: Prepared, accepted: string | undefined): Answer {
  if (!accepted) return prepared.identity;
  let encoding = chosen.get(accepted);
  if (encoding === undefined) {
    encoding = choose(accepted);
    if (chosen.size < KEPT_CHOICES && accepted.length <= LONGEST_KEPT) chosen.set(accepted, encoding);
  }
  return prepared[encoding];
}

export function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return (
    header === etag || header === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === etag)
  );
}

/** Writes the buffer that fits the request, with `more` headers of this one answer: 304 when the reader has it, else br, gzip or plain. */
export function writePrepared(
  request: IncomingMessage,
  response: ServerResponse,
  prepared: Prepared,
  status = 200,
  more: OutgoingHttpHeaders = {},
): void {
  if (status === 200 && matches(request.headers['if-none-match'], prepared.etag)) {
    response.writeHead(304, { ...prepared.notModified, ...more });
    response.end();
    return;
  }
  const { headers, body } = pick(prepared, request.headers['accept-encoding']);
  response.writeHead(status, { ...headers, ...more });
  if (request.method === 'HEAD') response.end();
  else response.end(body);
}
