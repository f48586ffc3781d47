import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { expect } from './product.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Describing what passes took longer than checking it. */
const ONLY_VIOLATIONS = { resultTypes: ['violations' as const], selectors: false, elementRef: false };

const CONTRAST = 'color-contrast';
const TEXTS = '[data-look]';
// Widgets in frames are judged by a story of their own.
const WIDGETS = 'iframe[src^="/widgets/"]';

type Theme = 'light' | 'dark';
type Found = { violations: { id: string; nodes: { html: string; failureSummary?: string | undefined }[] }[] };

/** See `violationsOf`. */
export const expectNoViolation = async (page: Page, within?: string): Promise<void> =>
  expect(await violationsOf(page, within)).toEqual([]);

/**
 * In both themes. They differ in colours only: the other one is put on the same page, and asked about contrast alone.
 * `within` one part of the page only: what lies under an open popover is not there to be pressed.
 */
export async function violationsOf(page: Page, within?: string): Promise<string[]> {
  // Otherwise it opens a blank page for each result, which takes longer than finding it.
  const axe = () => new AxeBuilder({ page }).setLegacyMode().options(ONLY_VIOLATIONS).exclude(WIDGETS);
  const contrast = async (theme: Theme) => named(theme, await axe().include(TEXTS).withRules([CONTRAST]).analyze());
  const measure = async (): Promise<string[]> => {
    await page.evaluate(faded);
    const hasText = await page.evaluate(markTexts, within ?? 'body');
    const shown = await themeOf(page);
    const other = shown === 'dark' ? 'light' : 'dark';
    const whole = (within ? axe().include(within) : axe()).withTags(TAGS).disableRules([CONTRAST]);
    const found = named(shown, await whole.analyze());
    if (!hasText) return found;
    found.push(...(await contrast(shown)));
    await putOn(page, other);
    found.push(...(await contrast(other)));
    await putOn(page, shown);
    return found;
  };
  // A word that began to fade while it was measured is measured again; what stands wrong stays wrong.
  let found = await measure();
  for (let again = 0; again < 2 && found.length > 0; again += 1) {
    await page.waitForTimeout(1000);
    found = await measure();
  }
  return found;
}

/**
 * Marks one text per look, that is, per chain of elements up to the root with the same names, classes, styles and states. Checking the
 * contrast of every row of a long table took three quarters of the time. False when there is no text.
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

const named = (theme: Theme, { violations }: Found): string[] =>
  violations.map(
    ({ id, nodes }) =>
      `${theme}, ${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' | ')}`,
  );

const themeOf = (page: Page): Promise<Theme> =>
  page.evaluate(() => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'));

/** Colours change at once from here on: transitions of a thousand elements took longer than measuring them. */
async function putOn(page: Page, theme: Theme): Promise<void> {
  await page.evaluate(async (name) => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets = [still];
    document.documentElement.dataset['theme'] = name;
    await new Promise(requestAnimationFrame);
  }, theme);
}

/** A word that fades in, such as a toast's, is read when it stands: when nothing has begun to fade within a frame. */
async function faded(): Promise<void> {
  for (let left = 10; left > 0; left -= 1) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const fades = document.getAnimations().filter((each) => each instanceof CSSTransition);
    if (fades.length === 0) return;
    await Promise.allSettled(fades.map(({ finished }) => finished));
  }
}
