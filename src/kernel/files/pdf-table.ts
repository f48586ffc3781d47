import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import type { Sheet } from './pdf.ts';
import type { Cell, Column, Table } from './table.ts';

type Document = PDFKit.PDFDocument;

export type Ink = { size?: number; bold?: boolean; colour?: string };
export type Pen = {
  /** One line from its top left corner, however long it is. */
  put: (text: string, x: number, y: number, ink?: Ink) => void;
  /** In points, as it will be drawn. */
  widthOf: (text: string, ink?: Ink) => number;
  /** Broken at spaces, and within words wider than a line. */
  linesOf: (text: string, width: number, ink?: Ink) => string[];
  /** Whether a character was drawn that the font does not have. */
  replaced: () => boolean;
};

export const INK = '#111827';
export const FAINT = '#6b7280';
const REPLACEMENT = '□';
const SIZE = 9;

const fontFile = (name: string) => readFileSync(new URL(`fonts/${name}.ttf`, import.meta.url));
let files: { regular: Buffer; bold: Buffer } | undefined;

/** Latin, Greek and Cyrillic; any other character is drawn as a box. */
export function createPen(doc: Document): Pen {
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
  const drawable = (text: string): string => {
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
  const textWidth = (text: string, ink: Ink = {}): number => {
    let width = 0;
    for (const sign of text) width += signWidth(sign, ink);
    return width;
  };

  const wrapText = (paragraph: string, width: number, ink: Ink): string[] => {
    if (textWidth(paragraph, ink) <= width) return [paragraph];
    const lines: string[] = [];
    let line = '';
    let used = 0;
    const next = () => {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    };
    for (const word of paragraph.split(/(?<= )/)) {
      const wide = textWidth(word.trimEnd(), ink);
      if (line && used + wide > width) next();
      if (wide <= width) {
        line += word;
        used += textWidth(word, ink);
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
    widthOf: textWidth,
    replaced: () => isReplaced,
    linesOf: (text, width, ink = {}) =>
      text
        .toWellFormed()
        .split(/\r\n|[\n\r\u2028\u2029]/)
        .flatMap((line) => wrapText(line.replaceAll(/\s/g, ' ').replaceAll(/[^ -\uffff]/g, ''), width, ink)),
    put(text, x, y, { size = SIZE, bold = false, colour = INK } = {}) {
      doc
        .font(bold ? 'bold' : 'regular')
        .fontSize(size)
        .fillColor(colour);
      doc.text(drawable(text), x, y, { lineBreak: false });
    },
  };
}

const BODY: Ink = { size: 7.5 };
const HEADER_HEIGHT: Ink = { size: 7.5, bold: true };
const LINE = 9.5;
const PAD = 4;
const MAX_LINES = 40;
const SAMPLE = 100;
const MIN_COLUMN_WIDTH = 34;
const GAP = 200;
/**
 * A table whose sample needs less than this share of the page is not stretched to full width, though later rows may be
 * wider.
 */
const SPARSE = 0.6;
const MAX_STRETCH = 1.4;

const columnTitle = ({ title, unit, type }: Column) =>
  unit ? `${title} (${unit})` : type === 'time' ? `${title} (UTC)` : title;

function cellText(cell: Cell | undefined, { type }: Column): string {
  if (cell === null || cell === undefined || (typeof cell === 'number' && !Number.isFinite(cell))) return '–';
  if (type === 'time' && typeof cell === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(cell))
    return cell.slice(0, 19).replace('T', ' ');
  return String(cell);
}

type Rows = readonly (readonly Cell[])[];

/** As wide as the sample rows need, narrowed from the widest down until all fit. */
function columnWidths(columns: readonly Column[], sample: Rows, room: number, pen: Pen): number[] {
  const wanted = columns.map((column, i) => {
    let most = Math.min(120, pen.widthOf(columnTitle(column), HEADER_HEIGHT));
    for (const row of sample) most = Math.max(most, pen.widthOf(cellText(row[i], column), BODY));
    return Math.max(MIN_COLUMN_WIDTH, most + 2 * PAD + 1);
  });
  const sum = wanted.reduce((a, b) => a + b, 0);
  if (sum <= room) return wanted;
  let low = 0;
  let high = room;
  for (let i = 0; i < 40; i++) {
    const cap = (low + high) / 2;
    if (wanted.reduce((total, width) => total + Math.min(width, cap), 0) > room) high = cap;
    else low = cap;
  }
  return wanted.map((width) => Math.min(width, low));
}

/** Draws at most `most` rows under a header repeated on every page; `more` is true when rows are left. */
export async function drawTable(sheet: Sheet, table: Table, most: number): Promise<{ rows: number; more: boolean }> {
  const { document: doc, pen } = sheet;
  const { columns } = table;
  let widths: number[] | undefined;
  let rows = 0;

  const drawRow = (lines: string[][], ink: Ink, from: readonly number[]): number => {
    const top = doc.y + 2;
    let x = sheet.left();
    columns.forEach((column, i) => {
      const width = from[i] as number;
      lines[i]?.forEach((line, n) => {
        const right = column.type === 'number' ? width - PAD - pen.widthOf(line, ink) : PAD;
        if (line) pen.put(line, x + Math.max(PAD, right), top + n * LINE, ink);
      });
      x += width;
    });
    return top + Math.max(1, ...lines.map((each) => each.length)) * LINE + 2;
  };
  const broken = (texts: string[], ink: Ink, from: readonly number[]) =>
    texts.map((text, i) => {
      const lines = pen.linesOf(text, Math.max(8, (from[i] as number) - 2 * PAD), ink);
      return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 1), '…'] : lines;
    });
  const rule = (y: number, colour: string, thick: number, from: readonly number[]) => {
    const right = sheet.left() + from.reduce((a, b) => a + b, 0);
    doc.moveTo(sheet.left(), y).lineTo(right, y).lineWidth(thick).strokeColor(colour).stroke();
  };
  const drawHead = (from: readonly number[]) => {
    doc.y = drawRow(broken(columns.map(columnTitle), HEADER_HEIGHT, from), HEADER_HEIGHT, from);
    rule(doc.y, sheet.colour, 1, from);
    doc.y += 1;
  };

  const start = (sample: Rows): number[] => {
    const room = sheet.room();
    const upright = columnWidths(columns, sample, room, pen);
    const sum = upright.reduce((a, b) => a + b, 0);
    sheet.need(80);
    pen.put(table.title, sheet.left(), doc.y + 8, { size: 12, bold: true });
    doc.y += 26;
    const scale = sum < room * SPARSE ? MAX_STRETCH : room / sum;
    const scaled = upright.map((width) => width * scale);
    drawHead(scaled);
    return scaled;
  };

  for await (const batch of table.rows) {
    widths ??= start(batch.slice(0, SAMPLE));
    for (const row of batch) {
      if (rows >= most) return { rows, more: true };
      if (doc.destroyed) return { rows, more: false };
      const lines = broken(
        columns.map((column, i) => cellText(row[i], column)),
        BODY,
        widths,
      );
      const height = Math.max(...lines.map((each) => each.length), 1) * LINE + 4;
      if (!sheet.fits(height)) {
        sheet.newPage();
        drawHead(widths);
      }
      doc.y = drawRow(lines, BODY, widths);
      rule(doc.y, '#e5e7eb', 0.4, widths);
      rows++;
      if (rows % GAP === 0) await setImmediate();
    }
  }
  if (!widths) {
    start([]);
    pen.put('No rows', sheet.left() + PAD, doc.y + 2, { size: 7.5, colour: FAINT });
    doc.y += LINE + 4;
  }
  return { rows, more: false };
}
