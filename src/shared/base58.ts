const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = 58n;

/** Bytes in base58, as Solana writes its keys and signatures; leading zero bytes become ones. */
export function toBase58(bytes: Uint8Array): string {
  let text = '';
  let rest = 0n;
  for (const byte of bytes) rest = rest * 256n + BigInt(byte);
  for (; rest > 0n; rest /= BASE) text = ALPHABET.charAt(Number(rest % BASE)) + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}

/** Undefined when the text is not base58 of exactly this many bytes. */
export function fromBase58(text: string, length: number): Uint8Array | undefined {
  if (text.length > length * 2) return undefined;
  let rest = 0n;
  for (const sign of text) {
    const digit = ALPHABET.indexOf(sign);
    if (digit === -1) return undefined;
    rest = rest * BASE + BigInt(digit);
  }
  const bytes = new Uint8Array(length);
  for (let i = length - 1; i >= 0; i -= 1, rest /= 256n) bytes[i] = Number(rest % 256n);
  return rest === 0n && toBase58(bytes) === text ? bytes : undefined;
}
