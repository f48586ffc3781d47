import { colour, openCanvas } from './canvas.ts';
import { type Letters, openWriter } from './letters.ts';
import {
  type Brand,
  CARD_HEIGHT,
  CARD_WIDTH,
  DIRECTION,
  drawHead,
  drawLine,
  EDGE,
  fitted,
  GROUND,
  type Pens,
  png,
  QUIET,
  WARN,
  write,
} from './share-card.ts';

/** Content of the preview image of a figure. */
export type FigureCard = Brand & {
  title: string;
  /** With its unit, or “Not available”. */
  value: string;
  change: { text: string; direction: keyof typeof DIRECTION } | null;
  /** The value is stale or missing. */
  isStale: boolean;
  /** Source and method, or why there is no value. */
  origin: readonly string[];
  /** When it was observed, and its age when the image was rendered. */
  seen: readonly string[];
  /** Oldest first, null where one is missing; fewer than two draw no line. */
  points: readonly (number | null)[];
  span: string;
};

const WIDTH = CARD_WIDTH - 2 * EDGE;
const LINE_HEIGHT = 34;
const FOOT = 546;

function drawFoot(pens: Pens, { origin, seen, isStale }: FigureCard): void {
  const { writer } = pens;
  const share = seen.length > 0 ? 0.6 : 1;
  for (const [i, text] of origin.entries())
    write(
      pens,
      fitted(writer, { text, size: 24, weight: i === 0 ? 600 : 400 }, WIDTH * share),
      EDGE,
      FOOT + i * LINE_HEIGHT,
      QUIET,
    );
  for (const [i, line] of seen.entries()) {
    const text = fitted(writer, { text: line, size: 24 }, WIDTH * 0.38);
    const ink = isStale && i > 0 ? WARN : QUIET;
    write(pens, text, CARD_WIDTH - EDGE - writer.widthOf(text), FOOT + i * LINE_HEIGHT, ink);
  }
}

/** 1200 × 630 pixels: name, value, history, source and age. */
export async function drawFigureCard(card: FigureCard, letters: Letters): Promise<{ bytes: Uint8Array }> {
  const pens = { canvas: openCanvas(CARD_WIDTH, CARD_HEIGHT, GROUND), writer: openWriter(letters) };
  const { writer } = pens;
  drawHead(pens, card);
  write(pens, fitted(writer, { text: card.title, size: 42, tracking: -0.02 }, WIDTH), EDGE, 196, QUIET);
  const room = card.change ? WIDTH - 250 : WIDTH;
  const value = fitted(writer, { text: card.value, size: 104, weight: 600, tracking: -0.035 }, room);
  const end = write(pens, value, EDGE, 308);
  if (card.change)
    write(pens, { text: card.change.text, size: 34, weight: 600 }, end + 28, 308, DIRECTION[card.change.direction]);
  if (card.points.length > 1) {
    drawLine(pens, card.points, { left: EDGE, top: 356, width: WIDTH, height: 112 }, colour(card.accent));
    const span = { text: card.span, size: 20 };
    write(pens, span, CARD_WIDTH - EDGE - writer.widthOf(span), 500, QUIET);
  }
  drawFoot(pens, card);
  return { bytes: await png(CARD_WIDTH, CARD_HEIGHT, 'rgb', pens.canvas.rows()) };
}
