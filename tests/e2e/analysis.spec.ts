import type { Page } from '@playwright/test';

import type { RunningProduct } from '../support/running-product.ts';
import { expectNoViolation } from './axe.ts';
import { enterDemo } from './people.ts';
import { ask } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

type Told = {
  aiAnalysis?: { id: string; timestamp: string; providers: Record<string, { name: string }> };
  lastCollectionTime: string;
};

const cardOf = (page: Page) => page.getByRole('region', { name: 'AI Market Analysis', exact: true });
const panelOf = (page: Page) => page.getByRole('region', { name: 'Data Collection', exact: true });
const told = (product: RunningProduct) => ask<Told>(product, '/api/dashboard');

const DAY_MS = 86_400_000;

/** The first analysis of the running demo, which soon replaces that of midnight, the last of the demo's past. */
const untilAnalysed = (product: RunningProduct) =>
  expect
    .poll(async () => Date.parse((await told(product))?.aiAnalysis?.timestamp ?? '') % DAY_MS, {
      timeout: 480_000,
      intervals: [1000],
    })
    .toBeGreaterThan(0);

async function openCard(page: Page, product: RunningProduct) {
  await untilAnalysed(product);
  await page.goto('/app');
  await hydrated(page);
  const card = cardOf(page);
  await expect(card.getByRole('heading', { level: 3, name: 'Consensus' })).toBeVisible();
  return card;
}

type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

/** Elements that moved on the page, and how far. Custom alerts and the bell may change when an alert arrives. */
const shiftsOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const moved: string[] = [];
        const own = '[aria-labelledby="market-alerts"], [aria-label^="Market alerts"]';
        const elementOf = ({ node }: Shift['sources'][number]) =>
          node instanceof Element ? node : node?.parentElement;
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries() as Shift[]) {
            const others = sources.map(elementOf).filter((element) => element && !element.closest(own));
            if (others.length && value > 0.0005)
              moved.push(`${value}: ${others.map((element) => element?.outerHTML.slice(0, 200)).join(' | ')}`);
          }
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(moved), 3000);
      }),
  );

test.beforeEach(() => test.setTimeout(600_000));

test('the card causes no layout shift, shows all models’ outlooks and hit rates, and expands to explain them', {
  tag: '@core',
}, async ({ page, product }) => {
  const card = await openCard(page, product);
  expect(await shiftsOf(page)).toEqual([]);
  const names = Object.values((await told(product))?.aiAnalysis?.providers ?? {}).map(({ name }) => name);
  for (const name of names) await expect(card.getByRole('heading', { level: 3, name, exact: true })).toBeVisible();
  await expect(card.getByRole('table', { name: 'The record of Simulated analyst A' })).toContainText(/24h.*%\sof\s\d+/);
  const short = card.getByRole('button', { name: /^Short term/ });
  await short.focus();
  await page.keyboard.press('Enter');
  const views = card.getByRole('list', { name: 'Short term, by analyst' });
  await expect(views.getByRole('heading', { level: 4 })).toHaveCount(names.length);
  await expect(card.getByRole('heading', { level: 4, name: 'Key factors' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(views).toHaveCount(0);
});

test('the analysis is readable before any script runs, remains while its code loads, and then becomes interactive', {
  tag: '@core',
}, async ({ browser, page, product }) => {
  await untilAnalysed(product);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  // The page is rendered a moment after its data is available, and a page without scripts never updates.
  await expect(async () => {
    await plain.goto(`${product.url}/app`);
    await expect(cardOf(plain).getByRole('heading', { level: 3, name: 'Consensus' })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(cardOf(plain).getByRole('table', { name: 'The record of the consensus' })).toBeVisible();
  await context.close();

  const { promise: code, resolve: bring } = Promise.withResolvers<void>();
  await page.route('**/assets/view-*.js', async (route) => {
    await code;
    await route.continue();
  });
  await page.goto('/app');
  await expect(page.locator('[data-coin]').first()).toBeVisible();
  await expect(page.getByText('+55 more coins')).toBeVisible();
  await expect(cardOf(page).getByRole('heading', { level: 3, name: 'Consensus' })).toBeVisible();
  bring();
  await hydrated(page);
  const short = cardOf(page).getByRole('button', { name: /^Short term/ });
  await short.click();
  await expect(cardOf(page).getByRole('list', { name: 'Short term, by analyst' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('swiping pages through the models, and nothing is wider than the screen', async ({ page, product }) => {
    const card = await openCard(page, product);
    const strip = card.getByRole('list', { name: 'Analysts' });
    const size = await strip.evaluate((list) => [
      list.scrollWidth > list.clientWidth,
      getComputedStyle(list).scrollSnapType,
    ]);
    expect(size).toEqual([true, 'x mandatory']);
    await card.getByRole('button', { name: /^Medium term/ }).click();
    await expect(card.getByRole('list', { name: 'Medium term, by analyst' })).toBeVisible();
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider).toBe(0);
  });
});

test.describe('axe', () => {
  // A price that has just changed is still fading in, and would be measured halfway.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('card and panel, opened, have no axe violation', async ({ page, product }) => {
    await untilAnalysed(product);
    await enterDemo(page, 'admin', '/app');
    await panelOf(page).getByRole('button', { name: 'Data Collection' }).click();
    const row = cardOf(page).getByRole('button', { name: /^Short term/ });
    await row.click();
    await expectNoViolation(page);
  });
});

test('an admin collects and analyses: real jobs end each step, not before it is done; others see none of it', async ({
  page,
  product,
}) => {
  await openCard(page, product);
  await expect(panelOf(page)).toHaveCount(0);
  const before = await told(product);
  await enterDemo(page, 'admin', '/app');
  const panel = panelOf(page);
  await expect(panel).toBeVisible();
  expect(await shiftsOf(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Data Collection' }).click();
  const buttons = ['Collect Data', 'AI Analysis'].map((name) => panel.getByRole('button', { name, exact: true }));
  const pressedAt = Date.now();
  await buttons[0]?.click();
  await expect(panel.getByRole('button', { name: 'Collecting\u2026' })).toBeDisabled();
  await expect(panel.getByRole('button', { name: 'AI Analysis', exact: true })).toBeDisabled();
  await expect(panel.getByText('Complete', { exact: true })).toHaveCount(3, { timeout: 120_000 });
  expect(Date.now() - pressedAt).toBeGreaterThanOrEqual(6000);
  for (const button of buttons) await expect(button).toBeEnabled();
  expect(Date.now() - pressedAt).toBeGreaterThanOrEqual(7000);
  const after = await told(product);
  expect(after?.aiAnalysis?.id).not.toBe(before?.aiAnalysis?.id);
  expect(after?.lastCollectionTime).not.toBe(before?.lastCollectionTime);

  await buttons[1]?.click();
  await expect(panel.getByRole('button', { name: 'Analyzing\u2026' })).toBeDisabled();
  for (const button of buttons) await expect(button).toBeEnabled({ timeout: 120_000 });
  expect((await told(product))?.aiAnalysis?.id).not.toBe(after?.aiAnalysis?.id);
});
