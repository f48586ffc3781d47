/**
 * Reads a flawless QR code of versions 1 to 20 at level M in byte mode, like camera software: for tests, written from
 * ISO 18004.
 */

/** Of level M: [blocks of the first size, data bytes in them, blocks of one byte more], and error bytes of each block; index 0 is version 1. */
const BLOCKS: readonly (readonly [error: number, first: number, bytes: number, more: number])[] = [
  [10, 1, 16, 0],
  [16, 1, 28, 0],
  [26, 1, 44, 0],
  [18, 2, 32, 0],
  [24, 2, 43, 0],
  [16, 4, 27, 0],
  [18, 4, 31, 0],
  [22, 2, 38, 2],
  [22, 3, 36, 2],
  [26, 4, 43, 1],
  [30, 1, 50, 4],
  [22, 6, 36, 2],
  [22, 8, 37, 1],
  [24, 4, 40, 5],
  [24, 5, 41, 5],
  [28, 7, 45, 3],
];
const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];
const FORMAT_MASK = 0b101010000010010;
const LEVEL_M = 0b00;
const BYTES = 0b0100;

function alignment(version: number): number[] {
  if (version === 1) return [];
  const [count, last] = [Math.floor(version / 7) + 2, version * 4 + 10];
  const step = Math.ceil((last - 6) / (count - 1) / 2) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => last - step * (count - 2 - at))];
}

function isReserved(x: number, y: number, size: number, version: number): boolean {
  const corner = (a: number, b: number) => a < 9 && b < 9;
  if (corner(x, y) || (x >= size - 8 && y < 9) || (y >= size - 8 && x < 9)) return true;
  if (x === 6 || y === 6) return true;
  if (version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))) return true;
  const at = alignment(version);
  return at.some((cx) =>
    at.some((cy) => {
      const isFinder = (cx === 6 && (cy === 6 || cy === size - 7)) || (cy === 6 && cx === size - 7);
      return !isFinder && Math.abs(cx - x) <= 2 && Math.abs(cy - y) <= 2;
    }),
  );
}

export function readQr(modules: readonly (readonly boolean[])[]): string {
  const size = modules.length;
  const version = (size - 17) / 4;
  const blocks = BLOCKS[version - 1];
  if (!blocks) throw new Error(`No version ${version} is read here`);
  const dark = (x: number, y: number) => modules[y]?.[x] === true;
  let format = 0;
  for (const x of [0, 1, 2, 3, 4, 5, 7, 8]) format = (format << 1) | Number(dark(x, 8));
  for (const y of [7, 5, 4, 3, 2, 1, 0]) format = (format << 1) | Number(dark(8, y));
  format ^= FORMAT_MASK;
  if (format >> 13 !== LEVEL_M) throw new Error('Not of level M');
  const mask = MASKS[(format >> 10) & 7] as (x: number, y: number) => boolean;
  const bits: boolean[] = [];
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const y = upwards ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!isReserved(x, y, size, version)) bits.push(dark(x, y) !== mask(x, y));
    }
    upwards = !upwards;
  }
  const [, first, bytes, more] = blocks;
  const sizes = [...Array<number>(first).fill(bytes), ...Array<number>(more).fill(bytes + 1)];
  const parts = sizes.map((): number[] => []);
  let read = 0;
  for (let at = 0; at < bytes + 1; at++)
    for (const [index, part] of parts.entries())
      if (at < (sizes[index] as number)) part.push(numberOf(bits, read++ * 8, 8));
  const data = parts.flat().flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((shift) => ((byte >> shift) & 1) === 1));
  if (numberOf(data, 0, 4) !== BYTES) throw new Error('Not in bytes');
  const lengthBits = version < 10 ? 8 : 16;
  const length = numberOf(data, 4, lengthBits);
  const text = Array.from({ length }, (_, at) => numberOf(data, 4 + lengthBits + at * 8, 8));
  return new TextDecoder().decode(new Uint8Array(text));
}

const numberOf = (bits: readonly boolean[], from: number, length: number): number =>
  bits.slice(from, from + length).reduce((value, bit) => value * 2 + Number(bit), 0);
