import type { Point, Shape } from './canvas.ts';

/** Glyphs of a typeface: by weight and character, the advance and the path with M, L, Q and Z; up is positive. */
export type Letters = { unitsPerEm: number; weights: Record<number, Record<string, readonly [number, string]>> };

export type Text = { text: string; size: number; weight?: number; tracking?: number };

/** Shown in place of missing glyphs. */
const MISSING = '?';
const CURVE_STEPS = 6;

function curve(from: Point, by: Point, to: Point): Point[] {
  return Array.from({ length: CURVE_STEPS }, (_, i) => {
    const t = (i + 1) / CURVE_STEPS;
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
    return { x: a * from.x + b * by.x + c * to.x, y: a * from.y + b * by.y + c * to.y };
  });
}

function outline(path: string, place: (x: number, y: number) => Point): Shape {
  const lines: Point[][] = [];
  for (const [, command = '', numbers = ''] of path.matchAll(/([MLQ])([^MLQZ]*)/g)) {
    const [x = 0, y = 0, toX = 0, toY = 0] = numbers.trim().split(/[ ,]+/).map(Number);
    if (command === 'M') lines.push([]);
    const line = lines.at(-1);
    const from = line?.at(-1);
    if (command === 'Q' && from) line?.push(...curve(from, place(x, y), place(toX, toY)));
    else line?.push(place(x, y));
  }
  return lines;
}

export type Writer = {
  widthOf: (text: Text) => number;
  /** With its baseline at `y`, starting at `x`. */
  shapeOf: (text: Text, x: number, y: number) => Shape;
};

export function openWriter({ unitsPerEm, weights }: Letters): Writer {
  const glyph = (sign: string, weight: number) => weights[weight]?.[sign] ?? weights[weight]?.[MISSING] ?? [0, ''];
  function walk({ text, size, weight = 400, tracking = 0 }: Text, draw?: (path: string, x: number) => void): number {
    let x = 0;
    for (const sign of text) {
      const [advance, path] = glyph(sign, weight);
      draw?.(path, x);
      x += (advance / unitsPerEm + tracking) * size;
    }
    return x - (text ? tracking * size : 0);
  }
  return {
    widthOf: (text) => walk(text),
    shapeOf(text, left, base) {
      const scale = text.size / unitsPerEm;
      const shape: (readonly Point[])[] = [];
      walk(text, (path, x) => {
        shape.push(...outline(path, (px, py) => ({ x: left + x + px * scale, y: base - py * scale })));
      });
      return shape;
    },
  };
}
