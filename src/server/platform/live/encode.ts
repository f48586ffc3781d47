import { constants, createDeflateRaw } from 'node:zlib';

/** First bytes of every gzip stream: each client gets them once, then the same deflate blocks as all others. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

/** An HTTP/1.1 chunk, framed once for all sockets. */
export function chunk(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}

/** The body of a chunk, for readers that know no chunks. */
export function unchunk(framed: Buffer): Buffer {
  return framed.subarray(framed.indexOf('\n') + 1, -2);
}

export const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * One compressor for every client. Z_FULL_FLUSH ends each message on a byte boundary with an empty window,
 * so that a client may join or skip at any message.
 */
export function createSharedDeflate(): { pack: (body: Buffer) => Promise<Buffer>; close: () => void } {
  const deflate = createDeflateRaw({ level: 6 });
  let parts: Buffer[] = [];
  let queue = Promise.resolve();
  deflate.on('data', (part: Buffer) => parts.push(part));

  const packNow = (body: Buffer) =>
    new Promise<Buffer>((resolve) => {
      parts = [];
      deflate.write(body);
      deflate.flush(constants.Z_FULL_FLUSH, () => resolve(Buffer.concat(parts)));
    });

  return {
    pack(body) {
      const packed = queue.then(() => packNow(body));
      queue = packed.then(() => undefined);
      return packed;
    },
    close: () => deflate.destroy(),
  };
}
