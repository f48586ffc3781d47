const MASK = (1n << 64n) - 1n;
/** Bytes taken in at a time, for 256 bits out. */
const RATE = 136;

const turned = (word: bigint, by: number): bigint => ((word << BigInt(by)) | (word >> BigInt(64 - by))) & MASK;

/** Constants of the rounds, from the linear feedback shift register that defines them. */
const ROUNDS = (() => {
  let register = 1;
  const bit = () => {
    const out = register & 1;
    register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    return out;
  };
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let j = 0; j < 7; j++) if (bit() === 1) constant |= 1n << ((1n << BigInt(j)) - 1n);
    return constant;
  });
})();

/** `lanes[x + 5 * y]`, as the standard names them. */
function permute(lanes: bigint[]): void {
  const at = (i: number) => lanes[i] as bigint;
  for (const constant of ROUNDS) {
    const columns = [0, 1, 2, 3, 4].map((x) => at(x) ^ at(x + 5) ^ at(x + 10) ^ at(x + 15) ^ at(x + 20));
    for (let x = 0; x < 5; x++) {
      const mixed = (columns[(x + 4) % 5] as bigint) ^ turned(columns[(x + 1) % 5] as bigint, 1);
      for (let y = 0; y < 25; y += 5) lanes[x + y] = at(x + y) ^ mixed;
    }
    let [x, y, moving] = [1, 0, at(1)];
    for (let step = 0; step < 24; step++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const next = at(x + 5 * y);
      lanes[x + 5 * y] = turned(moving, (((step + 1) * (step + 2)) / 2) % 64);
      moving = next;
    }
    for (let row = 0; row < 25; row += 5) {
      const old = lanes.slice(row, row + 5);
      for (let i = 0; i < 5; i++)
        lanes[row + i] = (old[i] as bigint) ^ (~(old[(i + 1) % 5] as bigint) & MASK & (old[(i + 2) % 5] as bigint));
    }
    lanes[0] = at(0) ^ constant;
  }
}

/** The hash of Ethereum, which the standard SHA-3 of node:crypto is not: their paddings differ. */
export function keccak256(bytes: Uint8Array): Buffer {
  const padded = Buffer.alloc((Math.floor(bytes.length / RATE) + 1) * RATE);
  padded.set(bytes);
  padded[bytes.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] as number) | 0x80;
  const lanes = Array.from({ length: 25 }, () => 0n);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let i = 0; i < RATE / 8; i++) lanes[i] = (lanes[i] as bigint) ^ padded.readBigUInt64LE(block + i * 8);
    permute(lanes);
  }
  const out = Buffer.alloc(32);
  for (let i = 0; i < 4; i++) out.writeBigUInt64LE(lanes[i] as bigint, i * 8);
  return out;
}
