import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip as gzipCompress, constants as zlib } from 'node:zlib';

import type { SideThread } from './side-thread.ts';

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzipCompress);

/** One text in every form it is sent in. */
export type Encoded = { etag: string; identity: Uint8Array; br: Uint8Array; gzip: Uint8Array };
export type Encode = (text: string, quality: number) => Promise<Encoded>;

const GZIP_LEVEL = 6;

/** In memory of its own: pooled or half-filled buffers would be kept whole. */
const own = (bytes: Uint8Array) => new Uint8Array(bytes);

export const encode: Encode = async (text, quality) => {
  const identity = own(Buffer.from(text));
  const params = { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_SIZE_HINT]: identity.length };
  const [br, gzip] = await Promise.all([brotliOf(identity, { params }), gzipOf(identity, { level: GZIP_LEVEL })]);
  const etag = `"${createHash('sha1').update(identity).digest('base64url')}"`;
  return { etag, identity, br: own(br), gzip: own(gzip) };
};

/** The streams of zlib are the garbage that the main thread's collector would stop for. */
export const encodeIn =
  (thread: SideThread): Encode =>
  (text, quality) =>
    thread.call(import.meta.url, 'encode', text, quality);
