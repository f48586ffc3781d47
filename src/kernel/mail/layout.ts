import { createElement as h } from 'react';

import { BRAND } from '#shared/brand.ts';

import {
  actionBlock,
  type Fact,
  factsBlock,
  linkTo,
  MAIL_STYLE,
  PALETTE,
  paragraph,
  row,
  type Section,
  sectionBlock,
  table,
  WRAP,
  words,
} from './blocks.ts';
import { type MailMessage, oneLine } from './smtp.ts';

export type MailContent = {
  kind: string;
  to: string;
  subject: string;
  title: string;
  /** Paragraphs. Mail clients show the first one as the preview. */
  lines: string[];
  facts?: Fact[];
  sections?: Section[];
  action?: { label: string; url: string };
  /** An alternative action, as a link in a sentence. */
  otherwise?: { text: string; url: string };
  after?: string[];
  /** Ends the sentence 'Meridian sent this to ann@example.com because …' */
  because: string;
  /** Where to change email settings, and where to unsubscribe. */
  choices?: { manage: string; unsubscribe: string };
};

const { page, card, line, ink, faint } = PALETTE;
const META: { httpEquiv?: string; name?: string; content: string }[] = [
  { httpEquiv: 'Content-Type', content: 'text/html; charset=utf-8' },
  { name: 'viewport', content: 'width=device-width,initial-scale=1' },
  { name: 'color-scheme', content: 'light dark' },
  { name: 'supported-color-schemes', content: 'light dark' },
  { name: 'format-detection', content: 'telephone=no,date=no,address=no,email=no,url=no' },
];
const MAX_PARAGRAPH_LENGTH = 800;
const HIDDEN = { display: 'none', maxHeight: 0, overflow: 'hidden', opacity: 0 } as const;
/** Keeps the following text out of the preview. */
const AFTER_PREVIEW = '\u00a0\u200c'.repeat(80);

type TextBuilder = {
  addInline: (text: string, options?: { noWordTransform: boolean }) => void;
  addLineBreak: () => void;
};
type ButtonElement = { children: unknown; attribs: Record<string, string> };

/** A button is its label and its link on a separate line. */
const TEXT_OPTIONS = {
  formatters: {
    button(element: ButtonElement, walk: (children: unknown, builder: TextBuilder) => void, builder: TextBuilder) {
      walk(element.children, builder);
      builder.addInline(':');
      builder.addLineBreak();
      builder.addInline(element.attribs['href'] ?? '', { noWordTransform: true });
    },
  },
  selectors: [
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'a.m-button', format: 'button' },
    { selector: 'p.m-label', format: 'paragraph', options: { leadingLineBreaks: 2, trailingLineBreaks: 1 } },
    { selector: 'h2', options: { uppercase: false } },
    { selector: 'a.m-choice', format: 'button' },
    { selector: 'a.m-more', format: 'anchor', options: { ignoreHref: true } },
    { selector: 'p.m-detail', format: 'paragraph', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'p.m-value', format: 'paragraph', options: { leadingLineBreaks: 1, trailingLineBreaks: 2 } },
  ],
};

function renderCard({ title, lines, facts, sections = [], action, otherwise, after = [] }: MailContent) {
  return row(
    {
      className: 'm-card',
      style: { background: card, border: `1px solid ${line}`, borderRadius: 12, padding: '32px 32px 16px' },
    },
    h('h1', { className: 'm-ink', style: { ...words(24, 32, ink), fontWeight: 650, paddingBottom: 16 } }, title),
    ...lines.map((text) => paragraph(text)),
    facts && factsBlock(facts),
    ...sections.map(sectionBlock),
    action && actionBlock(action),
    otherwise && paragraph(`${otherwise.text} `, linkTo(otherwise.url)),
    ...after.map((text) => paragraph(text)),
  );
}

function renderChoices({ manage, unsubscribe }: NonNullable<MailContent['choices']>) {
  const look = { ...words(13, 20, faint), paddingTop: 8 };
  const choice = (href: string, label: string) =>
    h('p', { style: look }, h('a', { href, className: 'm-choice m-faint', style: { color: faint } }, label));
  return [choice(manage, 'Email preferences'), choice(unsubscribe, 'Unsubscribe')];
}

function renderFooter({ to, because, choices }: MailContent) {
  const mailto = { href: `mailto:${BRAND.supportEmail}`, className: 'm-faint', style: { color: faint } };
  return row(
    { className: 'm-faint', style: { ...words(13, 20, faint), ...WRAP, padding: '20px 4px 0' } },
    `${BRAND.name} sent this to ${to} because ${because} Questions? Write to `,
    h('a', mailto, BRAND.supportEmail),
    '.',
    ...(choices ? renderChoices(choices) : []),
  );
}

function renderDocument(content: MailContent) {
  const brand = { ...words(18, 24, ink), fontWeight: 700, padding: '0 4px 16px' };
  const column = { maxWidth: 560, margin: '0 auto', textAlign: 'left' };
  return h(
    'html',
    { lang: 'en' },
    h(
      'head',
      null,
      ...META.map((meta) => h('meta', meta)),
      h('title', null, content.subject),
      h('style', { dangerouslySetInnerHTML: { __html: MAIL_STYLE } }),
    ),
    h(
      'body',
      { className: 'm-page', style: { margin: 0, padding: 0, background: page } },
      h('div', { style: HIDDEN, 'data-skip-in-text': 'true' }, content.lines[0], AFTER_PREVIEW),
      table(
        { width: '100%', className: 'm-page', style: { background: page } },
        row(
          { align: 'center', style: { padding: '32px 12px 40px' } },
          table(
            { width: '100%', style: column },
            row({ className: 'm-ink', style: brand }, BRAND.name),
            renderCard(content),
            renderFooter(content),
          ),
        ),
      ),
    ),
  );
}

const validateSection = ({ title, items }: Section): Section => ({
  title: oneLine(title),
  items: items.map((item) => ({
    title: oneLine(item.title),
    details: item.details.map((detail) =>
      typeof detail === 'string'
        ? oneLine(detail, MAX_PARAGRAPH_LENGTH)
        : { ...detail, text: oneLine(detail.text, MAX_PARAGRAPH_LENGTH) },
    ),
  })),
});

/** Names from users or browsers stay on one line; links are ours and use HTTP. */
function validateContent(content: MailContent): MailContent {
  const { action, otherwise, choices } = content;
  const details = content.sections?.flatMap(({ items }) => items.flatMap((item) => item.details)) ?? [];
  const more = details.map((detail) => (typeof detail === 'string' ? undefined : detail.url));
  for (const url of [action?.url, otherwise?.url, choices?.manage, choices?.unsubscribe, ...more])
    if (url !== undefined && !/^https?:\/\//.test(url)) throw new Error('A link in a mail needs a web address');
  const { to, subject, title, lines, after, facts, sections } = content;
  return {
    ...content,
    to: oneLine(to),
    subject: oneLine(subject),
    title: oneLine(title),
    lines: lines.map((line) => oneLine(line, MAX_PARAGRAPH_LENGTH)),
    ...(after ? { after: after.map((line) => oneLine(line, MAX_PARAGRAPH_LENGTH)) } : {}),
    ...(facts ? { facts: facts.map(({ label, value }) => ({ label, value: oneLine(value) })) } : {}),
    ...(sections ? { sections: sections.map(validateSection) } : {}),
  };
}

/** One email: the same content as HTML and as text. */
export async function renderMail(given: MailContent): Promise<MailMessage> {
  const content = validateContent(given);
  // Loaded lazily to keep the start fast.
  const { render, toPlainText } = await import('@react-email/render');
  const html = await render(renderDocument(content));
  const text = toPlainText(html, TEXT_OPTIONS);
  return { kind: content.kind, to: content.to, subject: content.subject, html, text };
}
