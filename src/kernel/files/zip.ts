import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

import { CHUNK } from './text.ts';

export type ZipEntry = { name: string; content: Iterable<Uint8Array> | AsyncIterable<Uint8Array> };
type Entries = Iterable<ZipEntry> | AsyncIterable<ZipEntry>;
type Sums = { crc: number; size: number; packed: number };
type Done = Sums & { name: Buffer; at: number };

/** UTF-8 names; sizes follow the content. */
const FLAGS = 0x0808;
const DEFLATE = 8;
const MAX_ZIP32_SIZE = 0xffff_ffff;

/** DOS date and time, in steps of two seconds. */
function dosTime(at: Date): number {
  const date = ((Math.max(1980, at.getUTCFullYear()) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}

const uint16 = (value: number) => [value & 0xff, (value >> 8) & 0xff];
const uint32 = (value: number) => [...uint16(value & 0xffff), ...uint16(value >>> 16)];

const crcTransform = ({ crc, packed, size }: Sums) => [...uint32(crc), ...uint32(packed), ...uint32(size)];

async function* countBytes(content: ZipEntry['content'], of: Sums): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    of.crc = crc32(bytes, of.crc);
    of.size += bytes.length;
    yield bytes;
  }
}

/** The thread pool compresses one chunk while the next is made; closing the reader closes the content too. */
async function* deflateEntry(content: ZipEntry['content'], level: number, of: Sums): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ level, chunkSize: CHUNK });
  pipeline(Readable.from(countBytes(content, of), { highWaterMark: 2 }), deflate, () => undefined);
  for await (const part of deflate as AsyncIterable<Uint8Array>) {
    of.packed += part.length;
    yield part;
  }
}

/**
 * In one pass and in bounded memory. Each entry and the whole file stay below 4 GB: larger ones are refused rather than
 * written incorrectly.
 */
export async function* zipChunks(entries: Entries, madeAt: Date, level = 6): AsyncGenerator<Uint8Array> {
  const time = uint32(dosTime(madeAt));
  const done: Done[] = [];
  let at = 0;
  const countBytes = <T extends Uint8Array>(bytes: T): T => {
    at += bytes.length;
    if (at > MAX_ZIP32_SIZE) throw new Error('The file would be larger than 4 GB');
    return bytes;
  };
  for await (const { name, content } of entries) {
    const entry: Done = { name: Buffer.from(name), at, crc: 0, size: 0, packed: 0 };
    const head = [
      ...uint32(0x0403_4b50),
      ...uint16(20),
      ...uint16(FLAGS),
      ...uint16(DEFLATE),
      ...time,
      ...crcTransform(entry),
      ...uint16(entry.name.length),
      ...uint16(0),
    ];
    yield countBytes(Buffer.concat([Buffer.from(head), entry.name]));
    for await (const part of deflateEntry(content, level, entry)) yield countBytes(part);
    if (entry.size > MAX_ZIP32_SIZE) throw new Error(`${name} would be larger than 4 GB`);
    yield countBytes(Buffer.from([...uint32(0x0807_4b50), ...crcTransform(entry)]));
    done.push(entry);
  }
  const directoryAt = at;
  for (const entry of done) {
    const head = [
      ...uint32(0x0201_4b50),
      ...uint16(20),
      ...uint16(20),
      ...uint16(FLAGS),
      ...uint16(DEFLATE),
      ...time,
      ...crcTransform(entry),
      ...uint16(entry.name.length),
      ...Array.from({ length: 12 }, () => 0),
      ...uint32(entry.at),
    ];
    yield countBytes(Buffer.concat([Buffer.from(head), entry.name]));
  }
  const count = uint16(done.length);
  yield Buffer.from([
    ...uint32(0x0605_4b50),
    ...uint16(0),
    ...uint16(0),
    ...count,
    ...count,
    ...uint32(at - directoryAt),
    ...uint32(directoryAt),
    ...uint16(0),
  ]);
}
