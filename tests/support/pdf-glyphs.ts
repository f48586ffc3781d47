import { inflateSync } from 'node:zlib';

const OBJECT = /(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g;
// Only `\n` precedes `endstream`: a carriage return there can be the last compressed byte.
const STREAM = /stream\r?\n([\s\S]*?)\nendstream/;
const TEXT_OPERATOR = /\/(F\d+) [\d.]+ Tf|\[([^\]]*)\]\s*TJ/g;
const HEX = /<([0-9a-f]+)>/gi;

const decompress = (body: string): string => {
  const [, stream] = STREAM.exec(body) ?? [];
  if (stream === undefined) return '';
  const bytes = Buffer.from(stream, 'latin1');
  return body.includes('/FlateDecode') ? inflateSync(bytes).toString('latin1') : stream;
};

/** The characters of a font's codes, from its ToUnicode ranges. */
function readGlyphs(table: string): string[] {
  const glyphs: string[] = [];
  for (const [, first = '0', list = ''] of table.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi))
    for (const [i, [, hex = '']] of [...list.matchAll(HEX)].entries())
      glyphs[Number.parseInt(first, 16) + i] = Buffer.from(hex, 'hex').swap16().toString('utf16le');
  return glyphs;
}

export type PdfPages = {
  /** The words in drawing order, one piece per line. */
  words: string[];
  /** The drawing operators of all pages. */
  operators: string;
};

/** The words and strokes of a PDF with embedded fonts. Throws for an incomplete PDF. */
export function readPdf(file: Buffer): PdfPages {
  const text = file.toString('latin1');
  if (!text.startsWith('%PDF-') || !text.trimEnd().endsWith('%%EOF')) throw new Error('That is no whole PDF');
  const objects = new Map([...text.matchAll(OBJECT)].map(([, id = '', body = '']) => [id, body]));
  const fonts = new Map<string, string[]>();
  for (const [, name = '', id = ''] of text.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const [, table] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '') ?? [];
    if (table) fonts.set(name, readGlyphs(decompress(objects.get(table) ?? '')));
  }
  const pages = [...objects.values()].filter((body) => body.includes('stream')).map(decompress);
  const operators = pages.filter((page) => / (Tf|re|l)\b/.test(page)).join('\n');
  let glyphs: string[] = [];
  const words = [...operators.matchAll(TEXT_OPERATOR)].flatMap(([, font, parts]) => {
    if (font) glyphs = fonts.get(font) ?? [];
    if (parts === undefined) return [];
    const codes = [...parts.matchAll(HEX)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
    return [codes.map((code) => glyphs[Number.parseInt(code, 16)] ?? '').join('')];
  });
  return { words, operators };
}
