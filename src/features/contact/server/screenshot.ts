/**
 * The type of a picture by what it holds, whatever it is called: undefined for anything else, for a picture that breaks off,
 * and for one with something behind its end.
 */
export function imageTypeOf(bytes: Buffer): string | undefined {
  if (isPng(bytes)) return 'image/png';
  if (isJpeg(bytes)) return 'image/jpeg';
  if (isGif(bytes)) return 'image/gif';
  return isWebp(bytes) ? 'image/webp' : undefined;
}

const PNG_HEAD = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Chunks of length, name, data and checksum: IHDR first, IEND last and nothing after it. */
function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(PNG_HEAD)) return false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(name) || (at === 8 && name !== 'IHDR')) return false;
    at += 12 + length;
    if (name === 'IEND') return length === 0 && at === bytes.length;
  }
  return false;
}

/** Segments up to the first scan, and the mark of the end where the file ends. */
function isJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) return false;
  if (bytes[bytes.length - 2] !== 0xff || bytes[bytes.length - 1] !== 0xd9) return false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return false;
    const kind = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || kind < 0xc0 || kind === 0xd9) return false;
    if (kind === 0xda) return at + 2 + length < bytes.length;
    at += 2 + length;
  }
  return false;
}

const colours = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

/** Where the blocks of data that begin at `at` end; undefined when the file ends before them. */
function afterBlocks(bytes: Buffer, at: number): number | undefined {
  let next = at;
  for (;;) {
    const length = bytes[next];
    if (length === undefined) return undefined;
    next += 1 + length;
    if (length === 0) return next;
  }
}

/** Pictures and extensions, each in blocks, then the trailer and nothing after it. */
function isGif(bytes: Buffer): boolean {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || bytes.length < 14) return false;
  let at: number | undefined = 13 + colours(bytes[10] ?? 0);
  while (at !== undefined && at < bytes.length) {
    const kind: number | undefined = bytes[at];
    if (kind === 0x3b) return at === bytes.length - 1;
    if (kind === 0x21) at = afterBlocks(bytes, at + 2);
    else if (kind === 0x2c) at = afterBlocks(bytes, at + 11 + colours(bytes[at + 9] ?? 0));
    else return false;
  }
  return false;
}

/** RIFF names its own length. */
function isWebp(bytes: Buffer): boolean {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF') return false;
  if (!/^WEBPVP8[ LX]$/.test(bytes.toString('latin1', 8, 16))) return false;
  const length = bytes.readUInt32LE(4) + 8;
  return length === bytes.length;
}
