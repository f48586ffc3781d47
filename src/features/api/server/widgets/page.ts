import { escaped } from '#kernel/mail/plain-page.ts';
import { BRAND } from '#shared/brand.ts';
import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { age, clockTime, dateTime, percent } from '#shared/format.ts';
import type { DataMode, Provenance } from '#shared/provenance.ts';

import { STYLE } from './style.ts';

export { escaped };

/** What every widget is drawn with. */
export type Drawing = {
  now: Date;
  mode: DataMode;
  nameOf: (source: string) => string;
  /** Where people read more, without a slash at its end. */
  publicUrl: string;
};

type Page = {
  title: string;
  body: string;
  theme: 'auto' | 'light' | 'dark';
  compact: boolean;
  /** Seconds; none for what will not change. */
  refresh?: number;
  /** Path at the product that says more. */
  more: string;
};

/** The whole document: a frame without scripts that refreshes itself. */
export function pageOf({ title, body, theme, compact, refresh, more }: Page, { mode, publicUrl }: Drawing): string {
  const demo = mode === 'demo' ? '<span class="warn">Demo data</span>' : '';
  const link = `<a href="${escaped(publicUrl + more)}" target="_blank" rel="noopener">${BRAND.name}</a>`;
  const again = refresh === undefined ? '' : `<meta http-equiv="refresh" content="${refresh}">`;
  return `<!doctype html><html lang="en" data-theme="${theme}"${compact ? ' class="compact"' : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escaped(title)}</title><meta name="robots" content="noindex">${again}<style>${STYLE}</style></head><body><main>${body}<footer>${demo}<span>${link}</span></footer></main></body></html>`;
}

/** '<small>OKX · 4s ago · 14:03 UTC</small>': the moment stays true in a page that stands still. */
export function sourceLine(
  meta: Pick<Provenance, 'source' | 'observedAt' | 'staleAfter' | 'method'>,
  d: Drawing,
): string {
  const at = Date.parse(meta.observedAt);
  const stale = Date.parse(meta.staleAfter) < d.now.getTime() ? '<span class="warn">Stale</span> · ' : '';
  const day = d.now.getTime() - at >= 86_400_000;
  const time = `<time datetime="${meta.observedAt}">${day ? dateTime(at) : clockTime(at)}</time>`;
  const how = meta.method === 'measured' || meta.method === 'demo' ? '' : ` · ${meta.method}`;
  return `<small>${stale}${escaped(d.nameOf(meta.source))} · ${age(d.now.getTime() - at)} · ${time}${how}</small>`;
}

/** The line of a figure, or the reason for its absence. */
export const originLine = (meta: FigureMeta | undefined, d: Drawing): string =>
  hasOrigin(meta)
    ? sourceLine(meta, d)
    : `<small>${escaped(meta?.reason ?? 'No source has provided this yet')}</small>`;

/** A change says its direction by its sign as well. */
export function changeOf(value: number | null, compact = false): string {
  if (value === null) return '';
  const shown = percent(value);
  const tone = Number(value.toFixed(2)) === 0 ? '' : value > 0 ? ' class="up"' : ' class="down"';
  return `<span${tone}>${shown}${compact ? '' : ' 24h'}</span>`;
}
