import { readFileSync } from 'node:fs';

type Document = PDFKit.PDFDocument;

export type Ink = { size?: number; bold?: boolean; colour?: string };
export type Pen = {
  /** One line from its top left corner, whatever its length. */
  put: (text: string, x: number, y: number, ink?: Ink) => void;
  /** In points, as it will be drawn. */
  widthOf: (text: string, ink?: Ink) => number;
  /** Broken at blanks, and within words that are wider than a line. */
  linesOf: (text: string, width: number, ink?: Ink) => string[];
  /** Whether a sign was drawn that the font does not have. */
  replaced: () => boolean;
};

export const INK = '#111827';
export const FAINT = '#6b7280';
const REPLACEMENT = '□';
const SIZE = 9;

const fontFile = (name: string) => readFileSync(new URL(`fonts/${name}.ttf`, import.meta.url));
let files: { regular: Buffer; bold: Buffer } | undefined;

/** Latin, Greek and Cyrillic; what else there is to draw shows as a box. */
export function openPen(doc: Document): Pen {
  files ??= { regular: fontFile('DejaVuSansCondensed'), bold: fontFile('DejaVuSansCondensed-Bold') };
  doc.registerFont('regular', files.regular);
  doc.registerFont('bold', files.bold);
  const widths = { regular: new Map<string, number>(), bold: new Map<string, number>() };
  const missing = new Map<string, boolean>();
  let isReplaced = false;

  const isMissing = (sign: string): boolean => {
    const known = missing.get(sign);
    if (known !== undefined) return known;
    const font = (doc as unknown as { _font: { font: { hasGlyphForCodePoint: (code: number) => boolean } } })._font;
    const answer = !font.font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);
    missing.set(sign, answer);
    return answer;
  };
  const drawn = (text: string): string => {
    let out = '';
    for (const sign of text) {
      if (isMissing(sign)) isReplaced = true;
      out += isMissing(sign) ? REPLACEMENT : sign;
    }
    return out;
  };
  const signWidth = (sign: string, { size = SIZE, bold = false }: Ink): number => {
    const face = bold ? 'bold' : 'regular';
    let width = widths[face].get(sign);
    if (width === undefined) {
      doc.font(face).fontSize(1000);
      width = doc.widthOfString(isMissing(sign) ? REPLACEMENT : sign) / 1000;
      widths[face].set(sign, width);
    }
    return width * size;
  };
  const widthOf = (text: string, ink: Ink = {}): number => {
    let width = 0;
    for (const sign of text) width += signWidth(sign, ink);
    return width;
  };

  const wrapped = (paragraph: string, width: number, ink: Ink): string[] => {
    if (widthOf(paragraph, ink) <= width) return [paragraph];
    const lines: string[] = [];
    let line = '';
    let used = 0;
    const next = () => {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    };
    for (const word of paragraph.split(/(?<= )/)) {
      const wide = widthOf(word.trimEnd(), ink);
      if (line && used + wide > width) next();
      if (wide <= width) {
        line += word;
        used += widthOf(word, ink);
        continue;
      }
      for (const sign of word) {
        const one = signWidth(sign, ink);
        if (line && used + one > width) next();
        line += sign;
        used += one;
      }
    }
    return [...lines, line];
  };

  doc.font('regular').fontSize(SIZE);
  return {
    widthOf,
    replaced: () => isReplaced,
    linesOf: (text, width, ink = {}) =>
      text
        .toWellFormed()
        .split(/\r\n|[\n\r\u2028\u2029]/)
        .flatMap((line) => wrapped(line.replaceAll(/\s/g, ' ').replaceAll(/[^ -\uffff]/g, ''), width, ink)),
    put(text, x, y, { size = SIZE, bold = false, colour = INK } = {}) {
      doc
        .font(bold ? 'bold' : 'regular')
        .fontSize(size)
        .fillColor(colour);
      doc.text(drawn(text), x, y, { lineBreak: false });
    },
  };
}
