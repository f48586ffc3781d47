import { type Point, polyline } from '#shared/picture/canvas.ts';
import { png } from '#shared/picture/png.ts';

type Mark = { line: string; dot: Point & { r: number } };
type Icon = { size: number; bleed: boolean; ground: string; ink: string; accent: string; mark: Mark };

function toSegment(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const t = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

const toRoundedSquare = (p: Point, half: number, radius: number): number => {
  const [qx, qy] = [Math.abs(p.x - 12) - half + radius, Math.abs(p.y - 12) - half + radius];
  return Math.hypot(Math.max(qx, 0), Math.max(qy, 0)) + Math.min(Math.max(qx, qy), 0) - radius;
};

const rgb = (hex: string): number[] => [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));

/** RGBA of the mark on its ground, 24 units across; distances give the anti-aliasing. A bleeding icon has no corners and more air. */
function draw({ size, bleed, ground, ink, accent, mark }: Icon): Uint8Array {
  const points = polyline(mark.line);
  const colours = [rgb(ground), rgb(ink), rgb(accent)];
  const unit = 24 / size;
  const cover = (distance: number) => Math.max(0, Math.min(1, 0.5 - distance / unit));
  const out = new Uint8Array(size * (size * 4 + 1));
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const at = { x: (column + 0.5) * unit, y: (row + 0.5) * unit };
      const p = bleed ? { x: 12 + (at.x - 12) * 1.35, y: 12 + (at.y - 12) * 1.35 } : at;
      const line = Math.min(...points.slice(1).map((b, i) => toSegment(p, points[i] ?? b, b))) - 1;
      const dot = Math.hypot(p.x - mark.dot.x, p.y - mark.dot.y) - 1.9;
      const layers = [1, cover(line), cover(dot)];
      const index = row * (size * 4 + 1) + 1 + column * 4;
      for (let channel = 0; channel < 3; channel++) {
        let value = 0;
        for (const [i, alpha] of layers.entries()) value = value * (1 - alpha) + (colours[i]?.[channel] ?? 0) * alpha;
        out[index + channel] = Math.round(value);
      }
      out[index + 3] = Math.round(255 * (bleed ? 1 : cover(toRoundedSquare(at, 12, 6.5))));
    }
  }
  return out;
}

export const iconPng = (icon: Icon): Promise<Uint8Array> => png(icon.size, icon.size, 'rgba', draw(icon));
