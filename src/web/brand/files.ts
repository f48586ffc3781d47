import type { BRAND } from '#shared/brand.ts';

import { polyline } from '#shared/picture/canvas.ts';
import type { Letters } from '#shared/picture/letters.ts';
import { drawShareCard } from '#shared/picture/share-card.ts';

import { iconPng } from './icon-png.ts';

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

/** Without what changes: for when the picture of the moment cannot be drawn. */
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
    // Browsers read a PNG under this name, and ask for it unasked.
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
