import { inflateSync } from 'node:zlib';

import type { Branding } from './table.ts';

type Size = { width: number; height: number };

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const MAX_PIXELS = 4096 * 4096;
const MAX_BYTES = 8 * MAX_PIXELS + 8192;

/** Also decompresses the pixels: a corrupt image would fail later, when it is drawn. */
function pngSize(bytes: Buffer): Size | null {
  if (!bytes.subarray(0, PNG.length).equals(PNG)) return null;
  const parts: Buffer[] = [];
  let size: Size | null = null;
  for (let at = PNG.length; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const data = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR' && data.length === 13) size = { width: data.readUInt32BE(0), height: data.readUInt32BE(4) };
    if (type === 'IDAT') parts.push(data);
    if (type === 'IEND') break;
  }
  if (!size || size.width * size.height > MAX_PIXELS) return null;
  try {
    return inflateSync(Buffer.concat(parts), { maxOutputLength: MAX_BYTES }).length > size.height ? size : null;
  } catch {
    return null;
  }
}

/** Read from the frame header; earlier segments are skipped by their length. */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}

/** In pixels; null without a logo or when the bytes are no valid image of its type, which is then left out. */
export function logoSize({ logo }: Branding): Size | null {
  if (!logo) return null;
  const bytes = Buffer.from(logo.bytes);
  const size = logo.type === 'png' ? pngSize(bytes) : jpegSize(bytes);
  return size && size.width > 0 && size.height > 0 ? size : null;
}

/** Scaled down to fit into a box, never up. */
export function fitWithin({ width, height }: Size, most: Size): Size {
  const scale = Math.min(1, most.width / width, most.height / height);
  return { width: width * scale, height: height * scale };
}

/** '1A2B3C'; nearly black for an invalid color. */
export function accentColour({ colour }: Branding): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour.slice(1).toUpperCase() : '111827';
}
