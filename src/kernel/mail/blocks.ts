import { type CSSProperties, createElement as h, type ReactElement, type ReactNode } from 'react';

/** Our light palette in a form that mail clients support. */
export const PALETTE = {
  page: '#f4f6f8',
  card: '#ffffff',
  line: '#dfe3e8',
  ink: '#131a24',
  soft: '#434c5a',
  faint: '#5f6875',
  link: '#1d5fd1',
  button: '#131a24',
  buttonInk: '#ffffff',
} as const;

/** For clients with dark mode; every color is explicit, because some clients invert colors. */
export const MAIL_STYLE = [
  '@media (prefers-color-scheme:dark){',
  '.m-page{background:#0a0d12!important}',
  '.m-card{background:#12161d!important;border-color:#262d38!important}',
  '.m-ink{color:#f1f4f7!important}',
  '.m-soft{color:#b9c1cc!important}',
  '.m-faint{color:#8f99a7!important}',
  '.m-line{border-color:#262d38!important}',
  '.m-link{color:#6bb1ff!important}',
  '.m-button{background:#f1f4f7!important;color:#12161d!important}',
  '}',
  '@media (max-width:480px){.m-card{padding:24px 20px 8px!important}}',
].join('');

export const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const { line, ink, soft, faint, link, button, buttonInk } = PALETTE;
const LAYOUT_TABLE = { role: 'presentation', cellPadding: 0, cellSpacing: 0, border: 0 } as const;

export const words = (size: number, height: number, color: string): CSSProperties => ({
  margin: 0,
  fontFamily: FONT,
  fontSize: size,
  lineHeight: `${height}px`,
  color,
});
export const WRAP: CSSProperties = { overflowWrap: 'anywhere', wordBreak: 'break-word' };

/** Layout with tables: some clients support nothing newer. */
export const table = (attributes: object, ...rows: ReactNode[]): ReactElement =>
  h('table', { ...LAYOUT_TABLE, ...attributes }, h('tbody', null, ...rows));
export const row = (cell: object, ...children: ReactNode[]): ReactElement => h('tr', null, h('td', cell, ...children));

export const paragraph = (...parts: ReactNode[]): ReactElement =>
  h('p', { className: 'm-soft', style: { ...words(16, 26, soft), ...WRAP, paddingBottom: 16 } }, ...parts);

export const linkTo = (url: string): ReactElement =>
  h('a', { href: url, className: 'm-link', style: { color: link, ...WRAP } }, url);

/** The button, and its link as text for clients that show no buttons. The text part has the link once. */
export function actionBlock({ label, url }: { label: string; url: string }): ReactElement {
  const look: CSSProperties = {
    ...words(16, 24, buttonInk),
    display: 'inline-block',
    padding: '12px 22px',
    borderRadius: 8,
    background: button,
    fontWeight: 600,
    textDecoration: 'none',
  };
  const spare = { className: 'm-faint', style: { ...words(13, 20, faint), paddingTop: 16 } };
  return h(
    'div',
    { style: { padding: '8px 0 24px' } },
    h('a', { href: url, className: 'm-button', style: look }, label),
    h('p', { ...spare, 'data-skip-in-text': 'true' }, 'Or open this link: ', linkTo(url)),
  );
}

/** A detail with a page that shows more; the text part of an email leaves out the URL. */
export type Detail = string | { text: string; url: string };
/** Items under a heading, each with its details below. */
export type Section = { title: string; items: { title: string; details: Detail[] }[] };

const detailText = (detail: Detail) =>
  typeof detail === 'string'
    ? detail
    : h('a', { href: detail.url, className: 'm-more m-soft', style: { color: soft } }, detail.text);

export function sectionBlock({ title, items }: Section): ReactElement {
  const head = { ...words(13, 20, faint), fontWeight: 600, paddingBottom: 4, borderBottom: `1px solid ${line}` };
  return h(
    'div',
    { key: title, style: { paddingBottom: 24 } },
    h('h2', { className: 'm-faint m-line', style: head }, title),
    items.flatMap((item, index) => [
      h(
        'p',
        { key: index, className: 'm-label m-ink', style: { ...words(16, 24, ink), ...WRAP, paddingTop: 12 } },
        item.title,
      ),
      ...item.details.map((detail, number) =>
        h(
          'p',
          {
            key: `${index}.${number}`,
            className: 'm-detail m-soft',
            style: { ...words(14, 22, soft), ...WRAP },
          },
          detailText(detail),
        ),
      ),
    ]),
  );
}

export type Fact = { label: string; value: string };

export function factsBlock(facts: Fact[]): ReactElement {
  const rows = facts.flatMap(({ label, value }, index) => {
    const edge = index === 0 ? 'none' : `1px solid ${line}`;
    return [
      h(
        'p',
        {
          key: `${label}:`,
          className: 'm-label m-faint m-line',
          style: { ...words(13, 20, faint), paddingTop: 10, borderTop: edge },
        },
        label,
      ),
      h(
        'p',
        { key: label, className: 'm-value m-ink', style: { ...words(16, 24, ink), ...WRAP, paddingBottom: 10 } },
        value,
      ),
    ];
  });
  return h('div', { style: { paddingBottom: 20 } }, rows);
}
