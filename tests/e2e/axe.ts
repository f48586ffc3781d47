import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { expect } from './product.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

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
  // Widgets in frames are judged by a story of their own.
  const axe = () => {
    // Otherwise it opens a blank page for each result, which takes longer than finding it.
    const builder = new AxeBuilder({ page }).setLegacyMode().exclude('iframe[src^="/widgets/"]');
    return within ? builder.include(within) : builder;
  };
  const measure = async (): Promise<string[]> => {
    await page.evaluate(faded);
    const shown = await themeOf(page);
    const other = shown === 'dark' ? 'light' : 'dark';
    const whole = named(shown, await axe().withTags(TAGS).analyze());
    await putOn(page, other);
    const colours = named(other, await axe().withRules(['color-contrast']).analyze());
    await putOn(page, shown);
    return [...whole, ...colours];
  };
  // A word that began to fade while it was measured is measured again; what stands wrong stays wrong.
  let found = await measure();
  for (let again = 0; again < 2 && found.length > 0; again += 1) {
    await page.waitForTimeout(1000);
    found = await measure();
  }
  return found;
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
