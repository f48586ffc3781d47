import { base58 } from '@scure/base';

/** Bytes as Solana writes its keys and signatures; zeros in front are ones. */
export const toBase58 = (bytes: Uint8Array): string => base58.encode(bytes);

/** Undefined when the text is not base58 of exactly so many bytes. */
export function fromBase58(text: string, length: number): Uint8Array | undefined {
  // Its cost grows with the square of the length.
  if (text.length > length * 2) return undefined;
  try {
    const bytes = base58.decode(text);
    return bytes.length === length ? bytes : undefined;
  } catch {
    return undefined;
  }
}
