/** Writers flush text at this many characters: longer pieces would survive the next garbage collection. */
export const PIECE = 1 << 13;
/** Bytes are passed on at about this size. */
export const CHUNK = 1 << 16;
const BYTES_PER_CHARACTER = 3;

/** As UTF-8, in parts of about 64 kB. */
export async function* encodeChunks(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let buffer = Buffer.alloc(0);
  let used = 0;
  for await (const text of texts) {
    const most = text.length * BYTES_PER_CHARACTER;
    if (used + most > buffer.length) {
      if (used > 0) yield buffer.subarray(0, used);
      buffer = Buffer.allocUnsafeSlow(CHUNK + Math.max(most, PIECE * BYTES_PER_CHARACTER));
      used = 0;
    }
    used += buffer.write(text, used);
  }
  if (used > 0) yield buffer.subarray(0, used);
}

/** What XML forbids and no table shows. Surrogates are checked again: valid pairs are letters. */
const UNSAFE_CHARACTERS = /[^\t\n\r -\ud7ff\ue000-\ufffd]/;
const FORBIDDEN = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Without control characters other than tab and line breaks; a lone surrogate becomes U+FFFD. */
export function cleanText(text: string): string {
  return UNSAFE_CHARACTERS.test(text) ? text.toWellFormed().replaceAll(FORBIDDEN, '') : text;
}

const MARKUP = /[&<>"\r]/;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

/** Escaped for XML content and attributes; a carriage return would otherwise be read as a line feed. */
export function xmlText(text: string): string {
  const clean = cleanText(text);
  return MARKUP.test(clean) ? clean.replaceAll(/[&<>"\r]/g, (sign) => ENTITIES[sign] ?? sign) : clean;
}

/** A metadata value as one cell: objects become JSON. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** '2026-01-31 09:05 UTC' */
export const minuteText = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
