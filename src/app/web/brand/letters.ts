import { create, type Font, type OutlinePoint } from 'fontkit';

import type { Letters } from '#shared/picture/letters.ts';

const WEIGHTS = [400, 600];
const SIGNS = `${String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i))}−–·…’`;

const EDGES = 4;

type Variation = {
  transformPoints: (id: number, points: OutlinePoint[]) => void;
  getAdvanceAdjustment: (id: number, table: object) => number;
};

/**
 * Applies a weight to outlines. fontkit creates an instance of a weight by reading the file again as an uncompressed
 * font, so the required tables are taken from the font that has decompressed them.
 */
function toVariation(font: Font, wght: number): Variation {
  const other = font.getVariation({ wght }) as { _variationProcessor: Variation };
  for (const table of ['maxp', 'head', 'fvar', 'gvar', 'avar', 'HVAR', 'directory'] as const)
    Object.defineProperty(other, table, { get: () => font[table as 'HVAR'] });
  return other._variationProcessor;
}

/** On-curve points lie on the curve; between two off-curve points it passes through the midpoint. */
function contour(points: readonly OutlinePoint[]): string {
  const first = points.findIndex(({ onCurve }) => onCurve);
  const turned = [...points.slice(first), ...points.slice(0, first + 1)];
  const at = (x: number, y: number) => `${Math.round(x)} ${Math.round(y)}`;
  let path = '';
  let by: OutlinePoint | null = null;
  for (const [i, point] of turned.entries()) {
    if (i === 0) path = `M${at(point.x, point.y)}`;
    else if (point.onCurve) {
      path += by ? `Q${at(by.x, by.y)} ${at(point.x, point.y)}` : `L${at(point.x, point.y)}`;
      by = null;
    } else {
      if (by) path += `Q${at(by.x, by.y)} ${at((by.x + point.x) / 2, (by.y + point.y) / 2)}`;
      by = point;
    }
  }
  return `${path}Z`;
}

function toPath(points: readonly OutlinePoint[]): string {
  let path = '';
  let from = 0;
  for (const [i, { endContour }] of points.entries()) {
    if (!endContour) continue;
    path += contour(points.slice(from, i + 1));
    from = i + 1;
  }
  return path;
}

/** The points of a glyph at a weight; a composite glyph consists of others, each with an offset that varies as well. */
function readPoints(font: Font, variation: Variation, id: number): OutlinePoint[] {
  const { points = [], components = [] } = font._transformedGlyphs?.[id] ?? {};
  const moved = components.map(({ dx, dy }) => ({ x: dx, y: dy, onCurve: true, endContour: true }));
  const all = [...points, ...moved].map((point) => ({ ...point, copy: copyPoint }));
  const edges = Array.from({ length: EDGES }, () => ({
    x: 0,
    y: 0,
    onCurve: false,
    endContour: true,
    copy: copyPoint,
  }));
  if (all.length > 0) variation.transformPoints(id, [...all, ...edges]);
  if (components.length === 0) return all;
  return components.flatMap(({ glyphID }, i) =>
    readPoints(font, variation, glyphID).map((point) => ({
      ...point,
      x: point.x + (all[i]?.x ?? 0),
      y: point.y + (all[i]?.y ?? 0),
    })),
  );
}

function copyPoint(this: OutlinePoint): OutlinePoint {
  return { ...this };
}

/** The glyphs used in preview images, with tabular figures. */
export function parseLetters(file: Uint8Array): Letters {
  const font = create(file);
  font._transformGlyfTable();
  const known = new Set(font.characterSet);
  const toGlyph = (sign: string, variation: Variation): readonly [number, string] => {
    const glyph = font.layout(sign, /\d/.test(sign) ? { tnum: true } : {}).glyphs[0];
    if (!glyph || !known.has(sign.codePointAt(0) ?? 0)) throw new Error(`The typeface has no ${sign}`);
    const advance = glyph.advanceWidth + variation.getAdvanceAdjustment(glyph.id, font.HVAR);
    return [Math.round(advance), toPath(readPoints(font, variation, glyph.id))];
  };
  const weights: Letters['weights'] = {};
  for (const wght of WEIGHTS) {
    const variation = toVariation(font, wght);
    weights[wght] = Object.fromEntries(Array.from(SIGNS, (sign) => [sign, toGlyph(sign, variation)]));
  }
  return { unitsPerEm: font.unitsPerEm, weights };
}
