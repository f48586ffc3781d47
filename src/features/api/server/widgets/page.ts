import { createHash } from 'node:crypto';

import { escapeHtml } from '#kernel/mail/plain-page.ts';
import type { Prepared } from '#kernel/read-model.ts';
import { BRAND } from '#shared/brand.ts';
import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { age, clockTime, dateTime, percent } from '#shared/format.ts';
import type { DataMode, Provenance } from '#shared/provenance.ts';

const LIGHT =
  'color-scheme:light;--bg:#fff;--line:#dfe3e8;--ink:#131a26;--soft:#596275;--link:#1d5bd6;--up:#04694c;--down:#b3232b;--warn:#85540b;--track:#e9ecf0';
const DARK =
  'color-scheme:dark;--bg:#11151b;--line:#262c36;--ink:#f1f4f8;--soft:#9aa3b2;--link:#7db9ff;--up:#3ddba8;--down:#ff7d76;--warn:#f2c14e;--track:#262c36';

const THEME = [
  `:root{${LIGHT}}`,
  `[data-theme=dark]{${DARK}}`,
  `@media(prefers-color-scheme:dark){[data-theme=auto]{${DARK}}}`,
];

/** One stylesheet for every widget: the page's policy refers to its hash. No fonts, images or external resources. */
const STYLE = [
  ...THEME,
  '*{box-sizing:border-box;margin:0;padding:0}',
  'body{background:var(--bg);color:var(--ink);font:14px/20px ui-sans-serif,system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}',
  'main{display:flex;flex-direction:column;gap:8px;min-height:100vh;padding:12px;border:1px solid var(--line);border-radius:12px}',
  'ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,176px),1fr));gap:10px 16px;list-style:none}',
  'h1{font-size:13px;line-height:18px;font-weight:600}',
  '.big{font-size:26px;line-height:32px;font-weight:600;letter-spacing:-.02em}',
  '.fig{font-weight:600}',
  '.row{display:flex;flex-wrap:wrap;gap:0 8px;align-items:baseline}',
  'small,footer{color:var(--soft);font-size:11px;line-height:16px}',
  '.up{color:var(--up)}.down{color:var(--down)}.warn{color:var(--warn);font-weight:600}',
  'svg{display:block;width:100%;height:8px}',
  '.track{fill:var(--track)}.dot{fill:var(--ink)}',
  'footer{margin-top:auto;display:flex;flex-wrap:wrap;gap:0 8px;justify-content:space-between}',
  'a{color:var(--link);text-decoration:underline;text-underline-offset:2px}',
  'a:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}',
  '.compact main{padding:6px 10px;gap:2px;border-radius:8px}.compact .big{font-size:18px;line-height:24px}',
  '.compact ul{grid-template-columns:repeat(auto-fill,minmax(min(100%,160px),1fr));gap:4px 12px}',
].join('');

export const BADGE_STYLE = [
  ...THEME,
  'rect{fill:var(--bg);stroke:var(--line)}',
  'text{font-family:Arial,Helvetica,sans-serif;font-size:13px;fill:var(--ink)}',
  '.small{font-size:11px;fill:var(--soft)}',
  '.word,.warn{font-weight:700}',
  '.ahead{fill:var(--up)}.behind{fill:var(--down)}.warn{fill:var(--warn)}',
].join('');

/** No scripts and no external resources; any page may embed it. */
const pageHeaders = (style: string): Readonly<Record<string, string>> => ({
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors *; base-uri 'none'; form-action 'none'`,
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
});

export const WIDGET_HEADERS = pageHeaders(STYLE);
export const BADGE_HEADERS = pageHeaders(BADGE_STYLE);

export { escapeHtml };

/** Context for rendering a widget. */
export type Drawing = {
  now: Date;
  mode: DataMode;
  nameOf: (source: string) => string;
  /** Public URL without a trailing slash. */
  publicUrl: string;
};

type Page = {
  title: string;
  body: string;
  theme: 'auto' | 'light' | 'dark';
  compact: boolean;
  /** Seconds; none for static content. */
  refresh?: number;
  /** Path of the product page with more details. */
  more: string;
};

/** The whole document: a script-free page that refreshes itself. */
export function renderPage({ title, body, theme, compact, refresh, more }: Page, { mode, publicUrl }: Drawing): string {
  const demo = mode === 'demo' ? '<span class="warn">Demo data</span>' : '';
  const link = `<a href="${escapeHtml(publicUrl + more)}" target="_blank" rel="noopener">${BRAND.name}</a>`;
  const again = refresh === undefined ? '' : `<meta http-equiv="refresh" content="${refresh}">`;
  return `<!doctype html><html lang="en" data-theme="${theme}"${compact ? ' class="compact"' : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><meta name="robots" content="noindex">${again}<style>${STYLE}</style></head><body><main>${body}<footer>${demo}<span>${link}</span></footer></main></body></html>`;
}

/** '<small>OKX · 4s ago · 14:03 UTC</small>': the absolute time stays true on a page that is not updated. */
export function sourceLine(
  meta: Pick<Provenance, 'source' | 'observedAt' | 'staleAfter' | 'method'>,
  d: Drawing,
): string {
  const at = Date.parse(meta.observedAt);
  const stale = Date.parse(meta.staleAfter) < d.now.getTime() ? '<span class="warn">Stale</span> · ' : '';
  const day = d.now.getTime() - at >= 86_400_000;
  const time = `<time datetime="${meta.observedAt}">${day ? dateTime(at) : clockTime(at)}</time>`;
  const how = meta.method === 'measured' || meta.method === 'demo' ? '' : ` · ${meta.method}`;
  return `<small>${stale}${escapeHtml(d.nameOf(meta.source))} · ${age(d.now.getTime() - at)} · ${time}${how}</small>`;
}

/** The line of a figure, or the reason for its absence. */
export const originLine = (meta: FigureMeta | undefined, d: Drawing): string =>
  hasOrigin(meta)
    ? sourceLine(meta, d)
    : `<small>${escapeHtml(meta?.reason ?? 'No source has provided this yet')}</small>`;

/** A change also shows its direction by its sign. */
export function changeText(value: number | null, compact = false): string {
  if (value === null) return '';
  const shown = percent(value);
  const tone = Number(value.toFixed(2)) === 0 ? '' : value > 0 ? ' class="up"' : ' class="down"';
  return `<span${tone}>${shown}${compact ? '' : ' 24h'}</span>`;
}

type Entry = { at: number; drawn: Promise<Prepared> };

/**
 * Cache of rendered widgets by options: the oldest is evicted, whatever options are invented. Concurrent requests share
 * one rendering; failures are not cached.
 */
export function createPageCache(most: number, forMs: number, now: () => Date) {
  const entries = new Map<string, Entry>();
  return {
    size: () => entries.size,
    get(key: string, draw: () => Promise<Prepared>): Promise<Prepared> {
      const at = now().getTime();
      const known = entries.get(key);
      if (known && at - known.at < forMs && at >= known.at) return known.drawn;
      const page = draw();
      entries.delete(key);
      if (entries.size >= most) entries.delete(entries.keys().next().value as string);
      const entry = { at, drawn: page };
      entries.set(key, entry);
      page.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return page;
    },
  };
}
