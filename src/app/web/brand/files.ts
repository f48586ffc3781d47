import type { BRAND } from '#shared/brand.ts';
import { type Point, polyline } from '#shared/picture/canvas.ts';
import type { Letters } from '#shared/picture/letters.ts';
import { drawShareCard, png } from '#shared/picture/share-card.ts';

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

/**
 * RGBA of the mark on its background, 24 units wide, anti-aliased by distance. A full-bleed icon has square corners and
 * more padding.
 */
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

const iconPng = (icon: Icon): Promise<Uint8Array> => png(icon.size, icon.size, 'rgba', draw(icon));

type Brand = typeof BRAND;

const GROUND = '#11161d';

function faviconSvg({ mark: { line, dot }, accent }: Brand): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6.5" fill="${GROUND}"/><path d="${line}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/><circle cx="${dot.x}" cy="${dot.y}" r="1.9" fill="${accent}"/></svg>\n`;
}

const manifestIcon = (size: number, purpose: 'any' | 'maskable') => ({
  src: purpose === 'any' ? `/icon-${size}.png` : `/icon-maskable-${size}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

function manifest({ name, description }: Brand): string {
  return JSON.stringify({
    name,
    short_name: name,
    description,
    id: '/app',
    start_url: '/app',
    scope: '/',
    display: 'standalone',
    background_color: '#0a0d12',
    theme_color: '#0a0d12',
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      manifestIcon(192, 'any'),
      manifestIcon(512, 'any'),
      manifestIcon(512, 'maskable'),
    ],
  });
}

export type BrandFile = { fileName: string; type: string; source: string | Uint8Array };

/** Static, for when the current image cannot be rendered. */
const plainCard = (brand: Brand, letters: Letters) =>
  drawShareCard(
    {
      ...brand,
      mark: { line: polyline(brand.mark.line), dot: brand.mark.dot },
      demo: false,
      prices: [],
      seen: '',
      record: '',
    },
    letters,
  );

export async function brandFiles(brand: Brand, letters: Letters): Promise<BrandFile[]> {
  const colours = { ground: GROUND, ink: '#ffffff', accent: brand.accent, mark: brand.mark };
  const pngs = [
    { fileName: 'icon-192.png', size: 192, bleed: false },
    { fileName: 'icon-512.png', size: 512, bleed: false },
    { fileName: 'icon-maskable-512.png', size: 512, bleed: true },
    { fileName: 'apple-touch-icon.png', size: 180, bleed: true },
    // Browsers request this name automatically and accept a PNG.
    { fileName: 'favicon.ico', size: 48, bleed: false },
  ].map(async ({ fileName, size, bleed }) => ({
    fileName,
    type: 'image/png',
    source: await iconPng({ ...colours, size, bleed }),
  }));
  return [
    { fileName: 'favicon.svg', type: 'image/svg+xml', source: faviconSvg(brand) },
    { fileName: 'manifest.webmanifest', type: 'application/manifest+json', source: manifest(brand) },
    ...(await Promise.all(pngs)),
    { fileName: 'card.png', type: 'image/png', source: (await plainCard(brand, letters)).bytes },
  ];
}
