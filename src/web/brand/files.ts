import { BRAND } from '../../shared/brand.ts';
import { iconPng } from './icon-png.ts';

const GROUND = '#11161d';

function faviconSvg(): string {
  const { line, dot } = BRAND.mark;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6.5" fill="${GROUND}"/><path d="${line}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/><circle cx="${dot.x}" cy="${dot.y}" r="1.9" fill="${BRAND.accent}"/></svg>\n`;
}

function manifest(): string {
  const png = (size: number, purpose: 'any' | 'maskable') => ({
    src: purpose === 'any' ? `/icon-${size}.png` : `/icon-maskable-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return JSON.stringify({
    name: BRAND.name,
    short_name: BRAND.name,
    description: BRAND.description,
    id: '/app',
    start_url: '/app',
    scope: '/',
    display: 'standalone',
    background_color: '#0a0d12',
    theme_color: '#0a0d12',
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      png(192, 'any'),
      png(512, 'any'),
      png(512, 'maskable'),
    ],
  });
}

export type BrandFile = { fileName: string; type: string; source: string | Uint8Array };

export async function brandFiles(): Promise<BrandFile[]> {
  const png = async (fileName: string, size: number, bleed: boolean): Promise<BrandFile> => ({
    fileName,
    type: 'image/png',
    source: await iconPng({ size, bleed, ground: GROUND, ink: '#ffffff', accent: BRAND.accent, mark: BRAND.mark }),
  });
  return [
    { fileName: 'favicon.svg', type: 'image/svg+xml', source: faviconSvg() },
    { fileName: 'manifest.webmanifest', type: 'application/manifest+json', source: manifest() },
    await png('icon-192.png', 192, false),
    await png('icon-512.png', 512, false),
    await png('icon-maskable-512.png', 512, true),
    await png('apple-touch-icon.png', 180, true),
    await png('favicon.ico', 48, false),
  ];
}
