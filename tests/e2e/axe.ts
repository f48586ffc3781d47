import type { Page } from '@playwright/test';
import axe, { type ElementContext, type RunOptions } from 'axe-core';

import { expect } from './product.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const CONTRAST = 'color-contrast';
const TEXTS = '[data-look]';
// Widgets in frames have their own test.
const WIDGETS = 'iframe[src^="/widgets/"]';

type Violation = { id: string; nodes: { html: string; failureSummary?: string | undefined }[] };

/**
 * Violations in the page without its frames. axe is injected once per document, because injecting it takes longer than
 * a check.
 */
export async function audit(page: Page, context: ElementContext, options: RunOptions = {}): Promise<Violation[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const run = async ({ what, how }: { what: unknown; how: unknown }) => {
    const there = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await there.run(what as ElementContext, how as RunOptions);
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
    }));
  };
  // Describing passed rules takes longer than checking them.
  const brief = { resultTypes: ['violations' as const], selectors: false, elementRef: false, iframes: false };
  return page.evaluate(run, { what: context, how: { ...brief, ...options } });
}

type Theme = 'light' | 'dark';

/** See `violationsOf`. */
export const expectNoViolation = async (page: Page, within?: string): Promise<void> =>
  expect(await violationsOf(page, within)).toEqual([]);

/**
 * Checks both themes. They differ only in colors, so the other one is applied to the same page and checked for contrast
 * only. `within` limits the check to one part of the page: what is under an open popover cannot be clicked.
 */
export async function violationsOf(page: Page, within?: string): Promise<string[]> {
  const contrast = async (theme: Theme) =>
    named(theme, await audit(page, { include: TEXTS, exclude: WIDGETS }, { runOnly: [CONTRAST] }));
  const measure = async (): Promise<string[]> => {
    await page.evaluate(faded);
    const hasText = await page.evaluate(markTexts, within ?? 'body');
    const shown = await themeOf(page);
    const other = shown === 'dark' ? 'light' : 'dark';
    const options = { runOnly: TAGS, rules: { [CONTRAST]: { enabled: false } } };
    const found = named(shown, await audit(page, { include: within ?? 'html', exclude: WIDGETS }, options));
    if (!hasText) return found;
    found.push(...(await contrast(shown)));
    await putOn(page, other);
    found.push(...(await contrast(other)));
    await putOn(page, shown);
    return found;
  };
  // A word that started to fade during the check is checked again; real violations persist.
  let found = await measure();
  for (let again = 0; again < 2 && found.length > 0; again += 1) {
    await page.waitForTimeout(1000);
    found = await measure();
  }
  return found;
}

/**
 * Marks one text per look: per chain of elements up to the root with the same names, classes, styles and states.
 * Checking the contrast of every row of a long table took three quarters of the time. False when there is no text.
 */
function markTexts(within: string): boolean {
  const STATES =
    /^(class|style|disabled|open|data-.*|aria-(checked|current|disabled|expanded|invalid|pressed|selected|sort))$/;
  const looks = new Map<string, Element>();
  const keys = new Map<Element, string>();
  const keyOf = (element: Element | null): string => {
    if (!element) return '';
    const known = keys.get(element);
    if (known !== undefined) return known;
    const states = [...element.attributes].filter(({ name }) => STATES.test(name));
    const own = states.map(({ name, value }) => `${name}=${value}`).join(' ');
    const key = `${keyOf(element.parentElement)}>${element.localName} ${own}`;
    keys.set(element, key);
    return key;
  };
  for (const marked of document.querySelectorAll('[data-look]')) marked.removeAttribute('data-look');
  for (const part of document.querySelectorAll(within))
    for (const element of [part, ...part.querySelectorAll('*')])
      if ([...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())) {
        const key = keyOf(element);
        if (!looks.has(key)) looks.set(key, element);
      }
  for (const element of looks.values()) element.setAttribute('data-look', '');
  return looks.size > 0;
}

const named = (theme: Theme, violations: Violation[]): string[] =>
  violations.map(
    ({ id, nodes }) =>
      `${theme}, ${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' | ')}`,
  );

const themeOf = (page: Page): Promise<Theme> =>
  page.evaluate(() => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'));

/** Disables transitions: those of a thousand elements took longer than the check. */
async function putOn(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(async (name) => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets = [still];
    document.documentElement.dataset['theme'] = name;
    await new Promise(requestAnimationFrame);
  }, theme);
}

/** Waits for fading text, such as a toast's: until no transition has started within a frame. */
async function faded(): Promise<void> {
  for (let left = 10; left > 0; left -= 1) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const fades = document.getAnimations().filter((each) => each instanceof CSSTransition);
    if (fades.length === 0) return;
    await Promise.allSettled(fades.map(({ finished }) => finished));
  }
}
