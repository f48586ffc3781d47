import { inflateSync } from 'node:zlib';

const STREAM = /stream\r?\n([\s\S]*?)\r?\nendstream/g;
const SHOWN = /\[([^\]]*)\]\s*TJ/g;
const HEX = /<([0-9a-f]*)>/gi;

/** The words of a PDF in drawing order, one piece per line; standard fonts only. Throws for an invalid PDF. */
export function pdfText(file: Buffer): string[] {
  const text = file.toString('latin1');
  if (!text.startsWith('%PDF-') || !text.trimEnd().endsWith('%%EOF')) throw new Error('That is no whole PDF');
  return [...text.matchAll(STREAM)].flatMap(([, stream = '']) => {
    const drawn = inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    return [...drawn.matchAll(SHOWN)].map(([, parts = '']) =>
      [...parts.matchAll(HEX)]
        .map(([, hex = '']) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
        .join(''),
    );
  });
}
