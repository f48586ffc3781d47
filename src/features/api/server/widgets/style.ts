import { createHash } from 'node:crypto';

const LIGHT =
  'color-scheme:light;--bg:#fff;--line:#dfe3e8;--ink:#131a26;--soft:#596275;--link:#1d5bd6;--up:#04694c;--down:#b3232b;--warn:#85540b;--track:#e9ecf0';
const DARK =
  'color-scheme:dark;--bg:#11151b;--line:#262c36;--ink:#f1f4f8;--soft:#9aa3b2;--link:#7db9ff;--up:#3ddba8;--down:#ff7d76;--warn:#f2c14e;--track:#262c36';

const THEME = [
  `:root{${LIGHT}}`,
  `[data-theme=dark]{${DARK}}`,
  `@media(prefers-color-scheme:dark){[data-theme=auto]{${DARK}}}`,
];

/** One sheet for every widget: the policy of the page names it by its hash. No fonts, no pictures, nothing from outside. */
export const STYLE = [
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

/** Nothing runs and nothing loads; any page may show it in a frame. */
const headersOf = (style: string): Readonly<Record<string, string>> => ({
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors *; base-uri 'none'; form-action 'none'`,
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
});

export const WIDGET_HEADERS = headersOf(STYLE);
export const BADGE_HEADERS = headersOf(BADGE_STYLE);
