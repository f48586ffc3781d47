import type { Page } from '@playwright/test';

import { expectNoViolation } from './axe.ts';
import { enterDemo } from './people.ts';
import { expect, test } from './product.ts';

const PAGE = '/app/custom-alerts';
const SAVED = 'Custom alert thresholds saved successfully!';
const card = (page: Page, name: string | RegExp) => page.getByRole('article', { name });
const saveAll = (page: Page) => page.getByRole('button', { name: 'Save All' });

async function save(page: Page): Promise<void> {
  await saveAll(page).click();
  await expect(page.getByText(SAVED).last()).toBeVisible();
  await expect(saveAll(page)).toBeDisabled();
}

/** The page of a user without alerts. */
async function begin(page: Page, plan: 'pro' | 'premium' | 'admin'): Promise<void> {
  await enterDemo(page, plan, PAGE);
  await expect(page.getByRole('heading', { level: 1, name: 'Custom Alert Thresholds' })).toBeVisible();
  await page.evaluate(async (path) => {
    const headers = {
      authorization: `Bearer ${localStorage.getItem('authToken')}`,
      'content-type': 'application/json',
    };
    await fetch(path, { method: 'POST', headers, body: JSON.stringify({ thresholds: [] }) });
  }, '/api/alerts/thresholds');
  await page.reload();
  await expect(page.getByRole('button', { name: /^Add example/ })).toHaveCount(3);
}

test('an alert is added, dragged on its history, saved, and present after a reload', { tag: '@core' }, async ({
  page,
}) => {
  await begin(page, 'pro');
  await page.getByRole('button', { name: 'Add Threshold' }).click();
  const added = card(page, /^Bitcoin price above/);
  await expect(added.getByText('Not saved yet')).toBeVisible();
  const slider = added.getByRole('slider');
  await expect(slider).toBeVisible();
  await expect(added.getByText(/in the last 90 days|of it stored so far/).first()).toBeVisible();
  const value = added.getByLabel('Value', { exact: true });
  const before = await value.inputValue();
  const box = await slider.boundingBox();
  if (!box) throw new Error('The slider is nowhere');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const tried = page.waitForResponse((answer) => answer.url().endsWith('/thresholds/preview') && answer.ok());
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 40, { steps: 8 });
  await page.mouse.up();
  expect(((await (await tried).json()) as { metric: string }).metric).toBe('btc_price');
  const dragged = await value.inputValue();
  expect(Number(dragged.replaceAll(',', ''))).toBeGreaterThan(Number(before.replaceAll(',', '')));
  await slider.press('ArrowDown');
  await expect(value).not.toHaveValue(dragged);
  const kept = await value.inputValue();
  await save(page);

  await page.reload();
  const saved = card(page, /^Bitcoin price above/);
  await expect(saved.getByLabel('Value', { exact: true })).toHaveValue(kept);
  await expect(saved.getByText(/^(Armed|Fired)$/)).toBeVisible();
  await expect(saved.getByText('Has not fired yet')).toBeVisible();
});

test('an AI alert is added, saved, disabled and deleted', { tag: '@core' }, async ({ page }) => {
  await begin(page, 'premium');
  await page.getByRole('button', { name: 'AI Alerts' }).click();
  await page.getByRole('menuitem', { name: 'Overall AI Alert' }).click();
  const added = card(page, 'Overall AI Alert');
  await expect(added.getByRole('combobox', { name: 'Condition' })).toHaveValue('changes_to_bullish');
  await save(page);
  await added.getByRole('switch').click();
  await save(page);
  await expect(added.getByText('Off', { exact: true })).toBeVisible();
  await added.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect(saveAll(page)).toBeDisabled();
  await added.getByRole('button', { name: /^Delete/ }).click();
  await save(page);
  await expect(page.getByRole('button', { name: /^Add example/ })).toHaveCount(3);
});

test('leaving with unsaved changes prompts first, by a link and by Back', async ({ page }) => {
  await begin(page, 'pro');
  const main = page.getByRole('navigation', { name: 'Main' });
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  const goBack = () => page.evaluate(() => history.back());
  const addOne = () => page.getByRole('button', { name: /^Add example: Extreme fear/ }).click();
  await main.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(/\/app$/);
  await main.getByRole('link', { name: 'Custom Alerts' }).click();
  await addOne();
  await goBack();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page).toHaveURL(new RegExp(`${PAGE}$`));
  await expect(card(page, /extreme fear/).getByText('Not saved yet')).toBeVisible();
  await goBack();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/app$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Market Dashboard' })).toBeAttached();

  await page.evaluate(() => history.forward());
  await addOne();
  await main.getByRole('link', { name: 'Data Sources' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/app\/sources$/);
});

for (const width of [1440, 390])
  test(`cards, chart and options have no violation, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await begin(page, 'pro');
    await page.getByRole('button', { name: /^Add example: Unusual/ }).click();
    const added = card(page, /unusual Bitcoin move/);
    await added.getByText('Advanced options').click();
    await added.getByRole('checkbox', { name: 'Only at certain times' }).check();
    await expect(added.getByRole('slider')).toBeVisible();
    await expectNoViolation(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    );
    const sizes = await added
      .locator('input:not([type=checkbox]), select')
      .evaluateAll((fields) => fields.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)));
    if (width === 390) expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16);
    const condition = added.getByRole('combobox', { name: 'Condition' });
    const chosen = await condition.evaluate((select) => {
      const { font, paddingLeft } = getComputedStyle(select);
      const context = Object.assign(document.createElement('canvas').getContext('2d') ?? {}, { font });
      const words = (select as HTMLSelectElement).selectedOptions[0]?.label ?? '';
      const arrow = 24;
      const needed = (context as CanvasRenderingContext2D).measureText(words).width;
      return select.clientWidth - 2 * Number.parseFloat(paddingLeft) - arrow - needed;
    });
    expect(chosen).toBeGreaterThanOrEqual(0);
  });
