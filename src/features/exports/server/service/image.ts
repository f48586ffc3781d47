import { crc32 } from 'node:zlib';

export type Image = { bytes: Uint8Array; type: 'png' | 'jpeg'; width: number; height: number };

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const SOI = 0xd8;
const SOS = 0xda;
const EOI = Buffer.from([0xff, 0xd9]);

/** Width and height stand in the first chunk. Each chunk has to be whole: a broken picture would spoil every report. */
function readPng(bytes: Buffer): Image | null {
  if (!PNG.every((byte, i) => bytes[i] === byte)) return null;
  const kinds: string[] = [];
  for (let at = PNG.length; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null;
    const kind = bytes.toString('latin1', at + 4, at + 8);
    kinds.push(kind);
    if (kind === 'IEND') break;
    at = end + 4;
  }
  const isWhole = kinds[0] === 'IHDR' && kinds.includes('IDAT') && kinds.at(-1) === 'IEND';
  return isWhole ? { bytes, type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

/** Start of frame: all of C0 to CF but the tables C4, C8 and CC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Walks the segments up to the frame, which holds width and height; the end has to be there. */
function readJpeg(bytes: Buffer): Image | null {
  if (bytes[0] !== 0xff || bytes[1] !== SOI || bytes[2] !== 0xff || !bytes.includes(EOI)) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === SOS) return null;
    if (isFrame(marker))
      return { bytes, type: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** What an image is by its bytes, whatever it is called; null for anything but a PNG or JPEG. */
export const readImage = (bytes: Buffer): Image | null => readPng(bytes) ?? readJpeg(bytes);
