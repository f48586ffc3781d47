import { box, type Canvas, type Colour, colour, openCanvas, type Point } from './canvas.ts';
import { type Letters, openWriter, type Text, type Writer } from './letters.ts';

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

const COLOUR_TYPE = { rgb: 2, rgba: 6 } as const;

/** `rows` are the rows of the image from the top, each with a leading 0, the filter type none. */
export async function png(
  width: number,
  height: number,
  kind: keyof typeof COLOUR_TYPE,
  rows: Uint8Array,
): Promise<Uint8Array> {
  const pixels = new Blob([rows as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('deflate'));
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, COLOUR_TYPE[kind]], 8);
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', new Uint8Array(await new Response(pixels).arrayBuffer())),
    chunk('IEND', new Uint8Array()),
  ];
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The header of each image. */
export type Brand = {
  name: string;
  /** The mark in a box of 24 by 24, and its dot. */
  mark: { line: readonly Point[]; dot: Point };
  accent: string;
  demo: boolean;
};

/** Content of a preview image, with the same texts as the pages. */
export type ShareCard = Brand & {
  claim: string;
  description: string;
  /** Up to five, as many as fit. `points` cover seven days, oldest first. */
  prices: readonly {
    symbol: string;
    name: string;
    price: string;
    change: string;
    direction: 'up' | 'down' | 'flat';
    points: readonly number[];
  }[];
  /** Time and source of the prices. */
  seen: string;
  /** The track record; empty while too few calls are graded. */
  record: string;
};

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

export const EDGE = 64;
const GAP = 14;
export const GROUND = colour('#0a0d12');
const SURFACE = colour('#11161d');
const RULE = colour('#222a35');
const INK = colour('#f2f5f8');
export const QUIET = colour('#9aa7b6');
export const WARN = colour('#e0b25c');
export const DIRECTION = { up: colour('#3ecf8e'), down: colour('#f0616d'), flat: QUIET };

export type Pens = { canvas: Canvas; writer: Writer };

export function write({ canvas, writer }: Pens, text: Text, x: number, y: number, ink = INK): number {
  const shape = writer.shapeOf(text, x, y);
  if (shape.length > 0) canvas.paint(shape, ink);
  return x + writer.widthOf(text);
}

/** Reduced in size until it fits. */
export function fitted(writer: Writer, text: Text, width: number): Text {
  const wide = writer.widthOf(text);
  return wide > width ? { ...text, size: (text.size * width) / wide } : text;
}

export function drawHead(pens: Pens, { name, mark, accent, demo }: Brand): void {
  const { canvas, writer } = pens;
  const scale = 2.4;
  const place = ({ x, y }: Point): Point => ({ x: EDGE + x * scale, y: 52 + y * scale });
  canvas.paint([box(EDGE, 52, 24 * scale, 24 * scale, 6.5 * scale)], colour('#161d27'));
  canvas.line(mark.line.map(place), 2 * scale, INK);
  canvas.line([place(mark.dot)], 3.8 * scale, colour(accent));
  write(pens, { text: name, size: 36, weight: 600, tracking: -0.02 }, EDGE + 24 * scale + 18, 94);
  if (!demo) return;
  const text = { text: 'Demo data', size: 22, weight: 600 };
  const wide = writer.widthOf(text) + 32;
  const left = CARD_WIDTH - EDGE - wide;
  canvas.paint([box(left, 58, wide, 46, 10)], WARN, 0.16);
  write(pens, text, left + 16, 89, WARN);
}

/** Colored by the change over the whole span, which may differ from that of the day. Missing values are gaps. */
export function drawLine(
  { canvas }: Pens,
  points: readonly (number | null)[],
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
  ink?: Colour,
): void {
  const known = points.filter((value) => value !== null);
  const low = Math.min(...known);
  const high = Math.max(...known);
  const lines: Point[][] = [[]];
  for (const [i, value] of points.entries()) {
    if (value === null) lines.push([]);
    else
      lines.at(-1)?.push({
        x: left + (i / (points.length - 1)) * width,
        y: top + height * (1 - (value - low) / (high - low || 1)),
      });
  }
  const rose = (known.at(-1) ?? 0) >= (known[0] ?? 0);
  for (const line of lines) if (line.length > 0) canvas.line(line, 2.6, ink ?? (rose ? DIRECTION.up : DIRECTION.down));
}

function drawPrices(pens: Pens, { prices }: ShareCard): void {
  const { canvas, writer } = pens;
  const width = (CARD_WIDTH - 2 * EDGE - GAP * (prices.length - 1)) / prices.length;
  for (const [i, { symbol, name, price, change, direction, points }] of prices.entries()) {
    const left = EDGE + i * (width + GAP);
    const inner = width - 40;
    canvas.paint([box(left, 282, width, 244, 16)], RULE);
    canvas.paint([box(left + 1, 283, width - 2, 242, 15)], SURFACE);
    const end = write(pens, { text: symbol, size: 22, weight: 600 }, left + 20, 324);
    write(pens, fitted(writer, { text: name, size: 18 }, left + 20 + inner - end - 10), end + 10, 324, QUIET);
    write(pens, fitted(writer, { text: price, size: 32, weight: 600, tracking: -0.02 }, inner), left + 20, 372);
    write(pens, { text: change, size: 22 }, left + 20, 408, DIRECTION[direction]);
    if (points.length > 1) drawLine(pens, points, { left: left + 20, top: 440, width: inner, height: 62 });
  }
}

/** 1200 × 630 pixels, the size used by sites that link here. */
export async function drawShareCard(card: ShareCard, letters: Letters): Promise<{ bytes: Uint8Array }> {
  const pens = { canvas: openCanvas(CARD_WIDTH, CARD_HEIGHT, GROUND), writer: openWriter(letters) };
  const { writer } = pens;
  const width = CARD_WIDTH - 2 * EDGE;
  drawHead(pens, card);
  const claim = { text: card.claim, size: 60, weight: 600, tracking: -0.035 };
  const alone = card.prices.length === 0;
  write(pens, fitted(writer, claim, width), EDGE, alone ? 340 : 216);
  if (alone) write(pens, fitted(writer, { text: card.description, size: 26 }, width), EDGE, 394, QUIET);
  else drawPrices(pens, card);
  write(pens, fitted(writer, { text: card.record, size: 22 }, width * 0.7), EDGE, 580, QUIET);
  const seen = fitted(writer, { text: card.seen, size: 22 }, width * 0.28);
  write(pens, seen, CARD_WIDTH - EDGE - writer.widthOf(seen), 580, QUIET);
  return { bytes: await png(CARD_WIDTH, CARD_HEIGHT, 'rgb', pens.canvas.rows()) };
}
