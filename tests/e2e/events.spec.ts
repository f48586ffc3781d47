import type { Page } from '@playwright/test';

import type { RunningProduct } from '../support/running-product.ts';
import { expectNoViolation } from './axe.ts';
import { enterDemo } from './people.ts';
import { ask } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

type Known = { id: number; title: string | null; category: string; impact: string; status: string };

const eventsOf = async (product: RunningProduct): Promise<Known[]> =>
  (await ask<Known[]>(product, '/api/events')) ?? [];
const items = (page: Page) => page.getByRole('list', { name: 'Events', exact: true }).getByRole('listitem');
const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The title of an event that no other event has. */
async function oneOfAKind(product: RunningProduct): Promise<string> {
  const titles = (await eventsOf(product))
    .filter(({ status }) => status === 'upcoming')
    .map(({ title }) => title ?? '');
  const found = titles.find((title) => title !== '' && titles.indexOf(title) === titles.lastIndexOf(title));
  if (!found) throw new Error('Every title comes twice');
  return found;
}

test.beforeEach(async ({ product }) => {
  await expect.poll(async () => (await eventsOf(product)).length, { timeout: 90_000 }).toBeGreaterThanOrEqual(40);
});

test('the page from the sidebar: counts, filters in the URL, and a shareable view', {
  tag: '@core',
}, async ({ page, product }) => {
  await page.goto('/app');
  await hydrated(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Upcoming Events' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Upcoming Impactful Events' })).toBeVisible();
  const ahead = (await eventsOf(product)).filter(({ status }) => status === 'upcoming');
  await expect(page.getByRole('button', { name: /^Total Events/ })).toContainText(String(ahead.length));

  await page.getByRole('button', { name: /^High Impact/ }).click();
  await expect(page).toHaveURL('/app/events?impact=high');
  await expect(items(page).filter({ hasNotText: 'High impact' })).toHaveCount(0);

  await page.getByRole('combobox', { name: 'Category' }).selectOption('Federal Reserve');
  await page.getByRole('searchbox', { name: 'Search events' }).fill('fomc');
  await expect(page).toHaveURL('/app/events?impact=high&category=fed&search=fomc');
  const chosen = await items(page).count();
  expect(chosen).toBeGreaterThan(0);
  await page.reload();
  await hydrated(page);
  await expect(items(page)).toHaveCount(chosen);
  const feed = await page.getByRole('link', { name: 'Download' }).getAttribute('href');
  const calendar = await (await page.request.get(feed ?? '')).text();
  expect(calendar).toContain('BEGIN:VCALENDAR');
  expect(calendar.match(/BEGIN:VEVENT/g)).toHaveLength(
    ahead.filter(
      ({ impact, title, category }) => impact === 'high' && /fed|monetary/.test(category) && /fomc/i.test(title ?? ''),
    ).length,
  );

  await page.getByRole('searchbox', { name: 'Search events' }).fill('no such thing');
  await expect(page.getByText('No events match your filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(page).toHaveURL(/\/app\/events\??$/);
  await expect(items(page)).toHaveCount(20);
});

test('an admin deletes an event from the tab after confirming', async ({ page, product }) => {
  const title = await oneOfAKind(product);
  await enterDemo(page, 'admin', '/app/admin?tab=events');
  await page.getByRole('searchbox', { name: 'Search by title' }).fill(title);
  await page.getByRole('radio', { name: 'Upcoming' }).check();
  const row = page.getByRole('row', { name: title });
  const dialog = page.getByRole('dialog', { name: 'Delete event' });
  const question = dialog.getByText('Are you sure you want to delete this event? This action cannot be undone.');
  // The filtered list replaces the previous one, including its open rows.
  await expect(async () => {
    await row.getByRole('button', { name: 'Delete' }).click({ timeout: 5000 });
    await expect(question).toBeVisible({ timeout: 5000 });
  }).toPass();
  await expect(dialog.getByText(/^Are you sure/)).toHaveCSS('text-align', /^(start|left)$/);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No events found')).toBeVisible();
  const titles = async () => (await eventsOf(product)).map((each) => each.title);
  await expect.poll(titles).not.toContain(title);
});

test.describe('axe', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the calendar has no violation', async ({ page }) => {
    await enterDemo(page, 'admin', '/app/events?view=calendar');
    await expect(page.getByRole('grid')).toBeVisible();
    await expectNoViolation(page);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('list, calendar and card fit, and a tap selects a day', async ({ page }) => {
    await page.goto('/app/events');
    await hydrated(page);
    await expect(items(page).first()).toBeVisible();
    expect(await overflowOf(page)).toBe(0);
    const boxes = await Promise.all(
      (await page.getByRole('search').getByRole('combobox').all()).map((one) => one.boundingBox()),
    );
    expect(new Set(boxes.map((box) => box?.width)).size).toBe(1);
    await page.getByText('Calendar', { exact: true }).tap();
    await expect(page.getByRole('grid')).toBeVisible();
    expect(await overflowOf(page)).toBe(0);
    await page
      .getByRole('button', { name: /, [1-9]\d* events?$/ })
      .last()
      .tap();
    await expect(
      page
        .getByRole('list', { name: /^Events on / })
        .getByRole('listitem')
        .first(),
    ).toBeVisible();
    await page.goto('/app');
    await hydrated(page);
    const card = page.getByRole('region', { name: 'Upcoming Events', exact: true });
    await expect(async () => {
      await card.scrollIntoViewIfNeeded({ timeout: 2000 });
      await expect(card.getByRole('listitem')).toHaveCount(10, { timeout: 5000 });
    }).toPass();
    expect(await overflowOf(page)).toBe(0);
  });
});
