import { createHash } from 'node:crypto';

import type { FastifyReply } from 'fastify';

import { BRAND } from '#shared/brand.ts';

import { FONT, PALETTE } from './blocks.ts';

const { page, card, line, ink, soft, link, button, buttonInk } = PALETTE;

/** Colors and fonts of our emails, for pages opened from email links without the app. */
export const PLAIN_STYLE = [
  `body{margin:0;background:${page};color:${ink};font:16px/26px ${FONT};color-scheme:light dark}`,
  'h1{margin:0 0 12px;font-size:24px;line-height:32px;font-weight:650}',
  `p{margin:0 0 16px;color:${soft};overflow-wrap:anywhere}strong{color:${ink}}a{color:${link}}`,
  'header{max-width:560px;margin:0 auto;padding:32px 16px 16px;font-size:18px;font-weight:700}header a{color:inherit;text-decoration:none}',
  `main{box-sizing:border-box;width:calc(100% - 24px);max-width:560px;margin:0 auto 40px;padding:32px 32px 16px;background:${card};border:1px solid ${line};border-radius:12px}`,
  `button{margin:8px 0 24px;padding:12px 22px;border:0;border-radius:8px;background:${button};color:${buttonInk};font:600 16px/24px ${FONT};cursor:pointer}`,
  `button:focus-visible,a:focus-visible{outline:2px solid ${link};outline-offset:2px}`,
  '@media (prefers-color-scheme:dark){body{background:#0a0d12;color:#f1f4f7}main{background:#12161d;border-color:#262d38}p{color:#b9c1cc}strong{color:#f1f4f7}a{color:#6bb1ff}button{background:#f1f4f7;color:#12161d}}',
  '@media (max-width:480px){main{padding:24px 20px 8px}}',
].join('');

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

type Page = {
  status: number;
  title: string;
  /** HTML: external content in it is escaped. */
  body: string;
  style?: string;
  /** The page has a form that posts to us. */
  form?: boolean;
};

const contentSecurityPolicy = (style: string, form: boolean) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${form ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');

/** A page without script and external resources, not indexed and without referrer. */
export function sendPlainPage(reply: FastifyReply, { status, title, body, style = PLAIN_STYLE, form = false }: Page) {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · ${BRAND.name}</title><link rel="icon" href="/favicon.svg" type="image/svg+xml"><style>${style}</style></head><body>${body}</body></html>`;
  return reply
    .code(status)
    .headers({
      'content-security-policy': contentSecurityPolicy(style, form),
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(html);
}

/** The same with our name above a card. */
export const plainBody = (card: string): string => `<header><a href="/">${BRAND.name}</a></header><main>${card}</main>`;
