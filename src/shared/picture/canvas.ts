export type Point = { x: number; y: number };
export type Colour = readonly [red: number, green: number, blue: number];
/** Closed paths filled by winding: a hole runs in the opposite direction. */
export type Shape = readonly (readonly Point[])[];

export type Canvas = {
  paint: (shape: Shape, colour: Colour, alpha?: number) => void;
  /** A stroke with round ends and corners. */
  line: (points: readonly Point[], width: number, colour: Colour, alpha?: number) => void;
  /** In the format of `png`. */
  rows: () => Uint8Array;
};

export const colour = (hex: string): Colour => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));
  return [red, green, blue];
};

/** Points of a path with only M, L and l, which is all a mark may use. */
export function polyline(path: string): Point[] {
  const points: Point[] = [];
  for (const [, command = 'M', text = ''] of path.matchAll(/([MLl])([^MLl]*)/g)) {
    const numbers = [...text.matchAll(/-?\d*\.?\d+/g)].map(([n]) => Number(n));
    for (let i = 0; i + 1 < numbers.length; i += 2) {
      const from = command === 'l' ? points.at(-1) : undefined;
      points.push({ x: (from?.x ?? 0) + (numbers[i] ?? 0), y: (from?.y ?? 0) + (numbers[i + 1] ?? 0) });
    }
  }
  return points;
}

const CIRCLE_STEPS = 24;

export const circle = ({ x, y }: Point, radius: number): Point[] =>
  Array.from({ length: CIRCLE_STEPS }, (_, i) => {
    const angle = (i / CIRCLE_STEPS) * 2 * Math.PI;
    return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
  });

/** With round corners. */
export function box(x: number, y: number, width: number, height: number, radius = 0): Point[] {
  if (radius === 0) {
    return [
      { x, y },
      { x: x + width, y },
      { x: x + width, y: y + height },
      { x, y: y + height },
    ];
  }
  const corner = (cx: number, cy: number, from: number) =>
    Array.from({ length: 9 }, (_, i) => {
      const angle = ((from + i / 8) * Math.PI) / 2;
      return { x: cx + radius * Math.cos(angle), y: cy + radius * Math.sin(angle) };
    });
  return [
    ...corner(x + width - radius, y + height - radius, 0),
    ...corner(x + radius, y + height - radius, 1),
    ...corner(x + radius, y + radius, 2),
    ...corner(x + width - radius, y + radius, 3),
  ];
}

/** In the same direction as `circle` and `box`, so that segments of one stroke add up and leave no holes. */
function stretch(a: Point, b: Point, half: number): Point[] {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [nx, ny] = [(-(b.y - a.y) / length) * half, ((b.x - a.x) / length) * half];
  return [
    { x: a.x - nx, y: a.y - ny },
    { x: b.x - nx, y: b.y - ny },
    { x: b.x + nx, y: b.y + ny },
    { x: a.x + nx, y: a.y + ny },
  ];
}

/**
 * Adds to each pixel an edge touches how much it changes the coverage to its right: the running sum of a row is the
 * exact coverage of each pixel.
 */
function trace(cover: Float32Array, width: number, height: number, from: Point, to: Point): void {
  if (from.y === to.y) return;
  const sign = from.y < to.y ? 1 : -1;
  const [a, b] = from.y < to.y ? [from, to] : [to, from];
  const slope = (b.x - a.x) / (b.y - a.y);
  const clamp = (x: number) => Math.min(Math.max(x, 0), width - 1);
  for (let row = Math.max(0, Math.floor(a.y)); row < Math.min(height, Math.ceil(b.y)); row++) {
    const top = Math.max(row, a.y);
    const bottom = Math.min(row + 1, b.y);
    const x0 = clamp(a.x + (top - a.y) * slope);
    const x1 = clamp(a.x + (bottom - a.y) * slope);
    const [left, right] = x0 < x1 ? [x0, x1] : [x1, x0];
    const rise = (bottom - top) * sign;
    const first = Math.floor(left);
    const last = Math.floor(right);
    const at = row * (width + 1);
    let before = 0;
    for (let column = first; column <= last; column++) {
      // Coverage right of the edge within this pixel: full where the edge has passed, half where it crosses.
      const enter = Math.max(left, column);
      const leave = Math.min(right, column + 1);
      const share = right > left ? (leave - enter) / (right - left) : 1;
      const middle = (enter + leave) / 2 - column;
      const covered = before + rise * share * (1 - middle);
      cover[at + column] = (cover[at + column] ?? 0) + covered - before;
      cover[at + column + 1] = (cover[at + column + 1] ?? 0) + before + rise * share - covered;
      before += rise * share;
    }
  }
}

export function openCanvas(width: number, height: number, ground: Colour): Canvas {
  const rows = new Uint8Array(height * (width * 3 + 1));
  const cover = new Float32Array((width + 1) * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) rows.set(ground, row * (width * 3 + 1) + 1 + column * 3);

  function paint(shape: Shape, ink: Colour, alpha = 1): void {
    const ys = shape.flatMap((line) => line.map(({ y }) => y));
    const from = Math.max(0, Math.floor(Math.min(...ys)));
    const to = Math.min(height, Math.ceil(Math.max(...ys)));
    for (const line of shape)
      for (const [i, point] of line.entries()) trace(cover, width, height, line.at(i - 1) ?? point, point);
    for (let row = from; row < to; row++) {
      let sum = 0;
      for (let column = 0; column < width; column++) {
        sum += cover[row * (width + 1) + column] ?? 0;
        const part = Math.min(1, Math.abs(sum)) * alpha;
        if (part < 0.002) continue;
        const at = row * (width * 3 + 1) + 1 + column * 3;
        for (let i = 0; i < 3; i++) rows[at + i] = Math.round((rows[at + i] ?? 0) * (1 - part) + (ink[i] ?? 0) * part);
      }
    }
    cover.fill(0, from * (width + 1), to * (width + 1));
  }

  return {
    paint,
    line(points, thick, ink, alpha) {
      const parts = points.flatMap((point, i) => {
        const next = points[i + 1];
        return next ? [circle(point, thick / 2), stretch(point, next, thick / 2)] : [circle(point, thick / 2)];
      });
      paint(parts, ink, alpha);
    },
    rows: () => rows,
  };
}
