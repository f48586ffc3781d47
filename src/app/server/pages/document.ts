import { createHash } from 'node:crypto';
import type { Analytics } from '#kernel/analytics.ts';
import { BRAND } from '#shared/brand.ts';
import { CARD_HEIGHT, CARD_WIDTH } from '#shared/picture/share-card.ts';

const IMAGE_ALT = `${BRAND.name}: ${BRAND.claim}`;

/** Sets theme and palette, and whether the user is signed in and an admin, before the first paint. */
const THEME_SCRIPT = `(function(){var t,p,k,u,d=document.documentElement.dataset;try{var g=function(n){return localStorage.getItem(n)};t=g('theme');p=g('palette');k=g('authToken')||g('token');u=g('user')}catch(e){}if(p)d.palette=p;if(k)d.session=/"isAdmin":true/.test(u)?'admin':'';d.theme=t||(matchMedia('(prefers-color-scheme: light)').matches?'light':'dark')})()`;

/** Hydration starts after the first paint, or after a second where nothing is painted, as in a hidden tab. */
export const startScript = (file: string): string =>
  `addEventListener('DOMContentLoaded',function(){var start=function(){import('/${file}')};new PerformanceObserver(start).observe({type:'paint',buffered:true});setTimeout(start,1000)})`;

export type DocumentParts = {
  title: string;
  description: string;
  /** Absolute; null for an error page. */
  canonical: string | null;
  /** Absolute address of the preview image. */
  image: string;
  /** Of the image; by default the name of the site. */
  imageAlt?: string;
  css: string;
  /** Files the styles were read from, listed in the document so that no part of the app loads them again. */
  sheets: readonly string[];
  /** Inline script that loads the code of the page. */
  start: string;
  /** Files that the code will import, preloaded. */
  code?: readonly string[];
  body: string;
  /** Data for the page, as JSON in an inert script. */
  seed?: unknown;
  robots?: string;
  /** Structured data for search engines: an object of schema.org. */
  about?: object | null;
  /** Loads page statistics. */
  analytics?: string | null;
};

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const inertJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

function sharedAs({ title, description, canonical, image, imageAlt = IMAGE_ALT }: DocumentParts): string {
  const named: Record<string, string | null> = {
    'og:type': 'website',
    'og:site_name': BRAND.name,
    'og:locale': 'en_US',
    'og:url': canonical,
    'og:title': title,
    'og:description': description,
    'og:image': image,
    'og:image:type': 'image/png',
    'og:image:width': String(CARD_WIDTH),
    'og:image:height': String(CARD_HEIGHT),
    'og:image:alt': imageAlt,
  };
  const properties = Object.entries(named).map(([name, content]) =>
    content === null ? '' : `<meta property="${name}" content="${escapeAttribute(content)}">`,
  );
  return `${properties.join('')}<meta name="twitter:card" content="summary_large_image"><meta name="twitter:title" content="${escapeAttribute(title)}"><meta name="twitter:description" content="${escapeAttribute(description)}"><meta name="twitter:image" content="${escapeAttribute(image)}"><meta name="twitter:image:alt" content="${escapeAttribute(imageAlt)}">`;
}

/** Preloads the font and delays the first paint until all content is present, so that nothing shifts afterwards. */
function firstPaint({ css, seed }: DocumentParts): string {
  const font = /url\(([^)]+\.woff2)\)/.exec(css)?.[1];
  const preload = font ? `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>` : '';
  return preload + (seed === undefined ? '' : '<link rel="expect" href="#seed" blocking="render">');
}

export function htmlDocument(parts: DocumentParts): string {
  const { title, description, canonical, css, sheets, start, code = [], body, seed, robots, about, analytics } = parts;
  return `<!doctype html><html lang="en" data-theme="dark"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeAttribute(title)}</title><meta name="description" content="${escapeAttribute(description)}">${canonical === null ? '' : `<link rel="canonical" href="${escapeAttribute(canonical)}">`}${robots ? `<meta name="robots" content="${robots}">` : ''}${sharedAs(parts)}${firstPaint(parts)}<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/manifest.webmanifest"><meta name="theme-color" content="#0a0d12" media="(prefers-color-scheme: dark)"><meta name="theme-color" content="#f4f6f8" media="(prefers-color-scheme: light)"><script>${THEME_SCRIPT}</script><style>${css}</style>${sheets.map((file) => `<link rel="stylesheet" href="/${file}" disabled>`).join('')}<script>${start}</script>${code.map((file) => `<link rel="modulepreload" href="/${file}" fetchpriority="low">`).join('')}${analytics ? `<script>${analytics}</script>` : ''}</head><body>${body}${seed === undefined ? '' : `<script type="application/json" id="seed">${inertJson(seed)}</script>`}${about ? `<script type="application/ld+json">${inertJson(about)}</script>` : ''}</body></html>`;
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only our own files and the inline texts listed here by hash may run or load. */
export function securityHeaders(
  css: string,
  start: string,
  libraryStyles: readonly string[] = [],
  transport: Record<string, string> = {},
  analytics: Analytics | null = null,
): Record<string, string> {
  const origins = analytics ? [analytics.origin] : [];
  const policy = [
    "default-src 'none'",
    [
      'script-src',
      "'self'",
      hash(THEME_SCRIPT),
      hash(start),
      ...(analytics ? [hash(analytics.loader)] : []),
      ...origins,
    ].join(' '),
    `style-src 'self' ${[hash(css), ...libraryStyles].join(' ')}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...origins].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types meridian${analytics ? ` ${analytics.policy}` : ''}`,
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    ...transport,
  };
}

const HSTS_SECONDS = 31_536_000;

/** Behind TLS, browsers must use HTTPS for a year, including subdomains. */
export const transportHeaders = (publicUrl: string | undefined): Record<string, string> =>
  publicUrl?.startsWith('https:') ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}; includeSubDomains` } : {};
