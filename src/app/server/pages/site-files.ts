import type { FastifyInstance } from 'fastify';

import { BRAND } from '#shared/brand.ts';

import { ACCOUNT_PAGES, LISTED_PAGES } from './page-names.ts';

const MINUTE_SECONDS = 60;
const SECURITY_TXT = '/.well-known/security.txt';
const CLOSED = ['/api/', '/app/admin', '/app/profile', '/app/auth-required', ...Object.keys(ACCOUNT_PAGES)];

/** Widgets and preview images are for other sites to embed; everything not listed is allowed. */
const robots = (origin: string) =>
  `User-agent: *\nAllow: /\n${CLOSED.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${origin}/sitemap.xml\n`;

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function sitemap(origin: string, marketAt: string | null): string {
  const entries = Object.entries(LISTED_PAGES).map(([path, { changed }]) => {
    const at = changed === 'market' ? marketAt : changed;
    return `<url><loc>${escapeXml(origin + path)}</loc>${at ? `<lastmod>${at}</lastmod>` : ''}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`;
}

/**
 * RFC 9116: the contact for security reports. The expiry date moves with the clock and is always less than a year
 * ahead.
 */
function securityTxt(origin: string, now: Date): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 6, 1)).toISOString();
  const canonical = origin.startsWith('https:') ? `Canonical: ${origin}${SECURITY_TXT}\n` : '';
  return `Contact: mailto:${BRAND.supportEmail}\nExpires: ${expires}\nPreferred-Languages: en\n${canonical}`;
}

/** Files for crawlers. `marketAt`: the time of the newest data on the pages. */
export function siteFiles(app: FastifyInstance, origin: string, marketAt: () => string | null, now: () => Date): void {
  app.get('/robots.txt', (_, reply) => reply.type('text/plain; charset=utf-8').send(robots(origin)));
  const cache = `public, max-age=${10 * MINUTE_SECONDS}`;
  app.get(SECURITY_TXT, (_, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', cache).send(securityTxt(origin, now())),
  );
  app.get('/sitemap.xml', (_, reply) => reply.type('application/xml; charset=utf-8').send(sitemap(origin, marketAt())));
}
