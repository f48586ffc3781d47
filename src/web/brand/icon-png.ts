type Point = { x: number; y: number };
type Mark = { line: string; dot: Point & { r: number } };
type Icon = { size: number; bleed: boolean; ground: string; ink: string; accent: string; mark: Mark };

/** Points of a path made of M, L and l only, which is all a mark may use. */
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

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

export async function iconPng(icon: Icon): Promise<Uint8Array> {
  const pixels = new Blob([draw(icon) as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new CompressionStream('deflate'));
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, icon.size);
  view.setUint32(4, icon.size);
  header.set([8, 6], 8);
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', new Uint8Array(await new Response(pixels).arrayBuffer())),
    chunk('IEND', new Uint8Array()),
  ];
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}
