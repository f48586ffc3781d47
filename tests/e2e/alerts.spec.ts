import type { Locator, Page } from '@playwright/test';

import { raiseAlert } from '../support/running-alerts.ts';
import { expectNoViolation } from './axe.ts';
import { forgive } from './dialog.ts';
import { enterDemo } from './people.ts';
import { opened } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

const header = (page: Page) => page.getByRole('banner').first();
const bell = (page: Page) => header(page).getByRole('button', { name: /^Market alerts/ });
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Market Alerts' });
const card = (page: Page) => page.getByRole('region', { name: 'Market Alerts', exact: true });
const row = (within: Locator | Page, message: string) => within.getByRole('listitem').filter({ hasText: message });
const acknowledge = (within: Locator | Page, message: string) =>
  within.getByRole('button', { name: `Acknowledge: ${message}` });
const lastSeen = (page: Page) => page.evaluate(() => Number(localStorage.getItem('lastSeenAlertId')));
const main = (page: Page) => page.getByRole('main');
const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Stored before the page is opened, so that it is in the first list. */
const SEVERITIES = ['high', 'medium', 'low'] as const;
const raiseOfEach = async (product: Parameters<typeof raiseAlert>[0], what: string) => {
  for (const severity of SEVERITIES) await raiseAlert(product, { severity, message: `${what}, ${severity}` });
};

test('an alert reaches the bell via the stream; opening it marks it seen; once acknowledged, it stays marked', {
  tag: '@core',
}, async ({ page, product, problems }) => {
  const before = await raiseAlert(product, { message: 'The bell, first' });
  const streaming = page.waitForRequest((request) => /topics=[^&]*,alerts[,&].*ticket=/.test(request.url()), {
    timeout: 120_000,
  });
  await enterDemo(page, 'pro', '/app/contact');
  await expect(bell(page)).toHaveAccessibleName(/^Market alerts, \d+ unread$/);
  await streaming;
  await bell(page).click();
  await expect(row(panelOf(page), 'The bell, first')).toBeVisible();
  await expect(bell(page)).toHaveAccessibleName('Market alerts');
  expect(await lastSeen(page)).toBeGreaterThanOrEqual(before);
  await page.mouse.click(300, 700);
  await expect(panelOf(page)).toBeHidden();

  // From here no list request is answered: only the stream can deliver it.
  await page.route('**/api/alerts?*', () => {});
  const message = `The bell, live ${before}`;
  const id = await raiseAlert(product, { message, severity: 'high' });
  // The demo may raise alerts of its own in the meantime.
  await expect(bell(page)).toHaveAccessibleName(/^Market alerts, \d+ unread$/);
  await expect(page.locator('[aria-live=polite]').filter({ hasText: message })).toBeAttached();
  await bell(page).click();
  await expect(panelOf(page).getByText(/^\d+ unread$/)).toBeVisible();
  expect(await lastSeen(page)).toBeGreaterThanOrEqual(id);
  await acknowledge(panelOf(page), message).click();
  await expect(row(panelOf(page), message)).toContainText('Acknowledged');
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await panelOf(page).getByRole('link', { name: 'View all alerts' }).click();
  await expect(page).toHaveURL('/app/alerts');
  await expect(panelOf(page)).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Market Alerts' })).toBeVisible();
  await header(page).getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(header(page).getByRole('link', { name: 'Sign In' })).toBeVisible();
  await hydrated(page);
  expect(await lastSeen(page)).toBe(0);
  // The stream that ends with the session triggers one more account request.
  forgive(problems, 401);
});

test('the page: tiles, severity, text, acknowledged alerts, and the receipt', { tag: '@core' }, async ({
  page,
  product,
}) => {
  await raiseOfEach(product, 'The page');
  await raiseAlert(product, {
    message: 'The page, an event',
    type: 'UPCOMING_EVENT',
    value: null,
    event: { id: 1, date: new Date(Date.now() - 60_000).toISOString() },
  });
  await enterDemo(page, 'admin', '/app');
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('list', { name: 'Admin' })
    .getByRole('link', { name: 'Market Alerts' })
    .click();
  const list = main(page).getByRole('list', { name: 'Alerts', exact: true });
  await expect(row(list, 'The page, high')).toBeVisible();
  await expect(row(list, 'The page, an event')).toContainText('Past event');
  await main(page).getByRole('radio', { name: 'High' }).check();
  await expect(row(list, 'The page, high')).toBeVisible();
  await expect(row(list, 'The page, low')).toHaveCount(0);
  await main(page).getByRole('searchbox', { name: 'Search alerts' }).fill('the page');
  await expect(page).toHaveURL('/app/alerts?severity=high&search=the+page');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await acknowledge(list, 'The page, high').click();
  await expect(page.getByText('No alerts found')).toBeVisible();
  await main(page).getByRole('checkbox', { name: 'Show acknowledged' }).check();
  await expect(row(list, 'The page, high')).toContainText('Acknowledged');
  await row(list, 'The page, high')
    .getByRole('button', { name: /Where it comes from/ })
    .click();
  for (const step of ['Source time', 'Received', 'Evaluated', 'Written'])
    await expect(opened(page).getByText(step, { exact: true })).toBeVisible();
  await expect(opened(page)).toContainText('+1.0 s');
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test.describe(`at ${width}`, () => {
    test.use({ viewport: { width, height } });

    test('the alerts and their upsell share one place without layout shift', async ({ page, product }) => {
      await raiseOfEach(
        product,
        'A rather long message, as those are that name a rule, a level and what was before it',
      );
      await page.addInitScript(() => {
        const moved: string[] = [];
        Object.assign(window, { moved });
        const nameOf = (node: Node | null) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return element ? `${element.tagName} ${element.className}`.slice(0, 80) : 'gone';
        };
        new PerformanceObserver((entries) => {
          for (const entry of entries.getEntries()) {
            const { value, sources } = entry as unknown as { value: number; sources: { node: Node | null }[] };
            moved.push(`${value.toFixed(4)}: ${sources.map(({ node }) => nameOf(node)).join(', ')}`);
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      const boxes: unknown[] = [];
      await page.goto('/app');
      await hydrated(page);
      await expect(card(page).getByRole('link', { name: 'Upgrade to Pro' })).toBeVisible();
      boxes.push(await card(page).boundingBox());
      await enterDemo(page, 'pro', '/app');
      await expect(card(page).getByRole('list', { name: 'Active alerts' })).toBeVisible();
      boxes.push(await card(page).boundingBox());
      const moved = await page.evaluate(() => (window as unknown as { moved: string[] }).moved);
      expect(moved.filter((shift) => Number.parseFloat(shift) >= 0.0005)).toEqual([]);
      // The demo's own alerts may be above it.
      await card(page)
        .getByRole('button', { name: /^Show \d+ more$/ })
        .click();
      const long = row(card(page), 'A rather long').getByRole('paragraph').first();
      const hidden = await long.evaluate((text) => text.scrollHeight - text.clientHeight);
      // A phone shows a shorter offer.
      if (width === 1440) expect([hidden, boxes[1]]).toEqual([0, boxes[0]]);
      expect(await overflowOf(page)).toBe(0);
    });

    test('no axe violation on page and panel', async ({ page, product }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await raiseOfEach(product, `Axe at ${width}`);
      await enterDemo(page, 'pro', '/app/alerts?acknowledged=1');
      await expect(main(page).getByRole('list', { name: 'Alerts', exact: true })).toBeVisible();
      await expectNoViolation(page);
      expect(await overflowOf(page)).toBe(0);
      await bell(page).click();
      await expect(panelOf(page).getByRole('listitem').first()).toBeVisible();
      await expectNoViolation(page, '[popover]:popover-open');
      await panelOf(page)
        .getByRole('button', { name: /Where it comes from/ })
        .first()
        .click();
      await expect(page.getByText('Source time', { exact: true })).toBeVisible();
      await expectNoViolation(page, '[popover]:popover-open [popover]:popover-open');
    });
  });
}
