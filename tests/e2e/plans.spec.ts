import type { Page } from '@playwright/test';

import { forgive } from './dialog.ts';
import { enterDemo } from './people.ts';
import { card as cardOf } from './picture.ts';
import { expect, test } from './product.ts';

const DAY_MS = 86_400_000;
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const header = (page: Page) => page.getByRole('banner').first();
const main = (page: Page) => page.getByRole('main');
const you = (page: Page) => header(page).getByRole('button', { name: 'Your account' });
const menu = (page: Page) => page.getByRole('menu', { name: 'Your account' });

test('a visitor sees the Pro upsell and no account data', async ({ page }) => {
  await page.goto('/app');
  const badge = main(page).getByRole('link', { name: 'Upgrade to Pro' }).first();
  await expect(badge).toHaveAttribute('href', '/app/subscription');
  await expect(sidebar(page).getByRole('list', { name: 'Pro tools' }).getByRole('link')).toHaveCount(4);
  for (const name of ['Profile', 'Admin Dashboard'])
    await expect(sidebar(page).getByRole('link', { name })).toHaveCount(0);
  await badge.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Subscription Plans' })).toBeVisible();
  const words = page.getByText('Please sign in to subscribe to a plan.');
  await expect(words).toHaveCount(1);
  await main(page).getByRole('button', { name: 'Subscribe to Pro' }).click();
  await expect(words).toHaveCount(2);
  await expect(main(page).getByRole('link', { name: 'Sign In' })).toBeFocused();
});

test('the profile menu by keyboard; Logout ends the session here, in the other tab and on the server', {
  tag: '@core',
}, async ({ page, context, problems }) => {
  await enterDemo(page, 'pro', '/app/subscription');
  const token = await page.evaluate(() => localStorage.getItem('authToken'));
  const other = await context.newPage();
  await other.goto('/app/subscription');
  await expect(other.getByText('You are on the Pro plan.')).toBeVisible();

  await you(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Hello, pro@meridian.example')).toBeVisible();
  await expect(menu(page).getByRole('menuitem', { name: 'View Profile' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
  await expect(you(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(menu(page).getByRole('menuitem', { name: 'What’s new' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(menu(page).getByRole('menuitem', { name: 'Logout' })).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(header(page).getByRole('link', { name: 'Sign In' })).toBeVisible();
  await expect(header(other).getByRole('link', { name: 'Sign In' })).toBeVisible();
  const kept = () =>
    page
      .evaluate(() => ['authToken', 'user'].map((key) => localStorage.getItem(key)))
      .catch(() => 'the page is loaded again');
  await expect.poll(kept).toEqual([null, null]);
  const asked = await page.request.get('/api/subscription', { headers: { authorization: `Bearer ${token}` } });
  expect(asked.status()).toBe(401);
  // A call in progress at sign-out is refused, which the browser logs.
  forgive(problems, 401);
});

test('while the account loads, the layout is stable and no visitor content appears', async ({ page }) => {
  await enterDemo(page, 'premium', '/app/subscription');
  await page.route('**/api/subscription', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await route.continue();
  });
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const signIn = [...document.querySelectorAll('header a')].find(({ textContent }) => textContent === 'Sign In');
      const seen = signIn instanceof HTMLElement && getComputedStyle(signIn).visibility === 'visible';
      document.documentElement.dataset['visitor'] = String(seen);
    });
  });
  await page.goto('/app', { waitUntil: 'commit' });
  const places = async () => {
    const boxes = [
      header(page).getByRole('button', { name: 'Switch color theme' }),
      page.getByRole('button', { name: /^Time shown/ }),
      page.getByRole('heading', { level: 1 }),
    ].map((thing) => thing.boundingBox());
    return (await Promise.all(boxes)).map((box) => box && [box.x, box.y]);
  };
  // Text is slightly wider once its font is loaded.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.evaluate(() => document.fonts.load('500 1em Geist').then(() => undefined));
  const before = await places();
  await expect(page.getByRole('main').getByText('Premium+', { exact: true })).toBeVisible();
  await expect(you(page)).toBeVisible();
  expect(await places()).toEqual(before);
  expect(await page.evaluate(() => document.documentElement.dataset['visitor'])).toBe('false');
});

test('a locked page explains itself to users without the plan and opens for those with it', { tag: '@core' }, async ({
  page,
}) => {
  await page.goto('/app/data-export');
  const upsell = page.getByRole('region', { name: 'Data Export' });
  await expect(upsell).toContainText('Authentication required. Please log in to access data export features.');
  await expect(upsell).toContainText(/coins\s*\d+/);
  await enterDemo(page, 'pro', '/app/advanced-analytics');
  const button = page.getByRole('link', { name: 'Upgrade to Premium+' });
  await expect(button).toHaveAttribute('href', '/app/subscription');
  await page.goto('/app/data-export');
  await expect(page.getByRole('button', { name: 'Create Export' })).toBeVisible();
});

test('Pro can look back more than 30 days, which a visitor is informed of', async ({ page, problems }) => {
  const at = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 40 * DAY_MS).toISOString();
  await page.goto(`/app?asOf=${at}`);
  const banner = page.getByRole('region', { name: 'Time shown' });
  await expect(banner).toContainText('Pro shows the full stored history.');
  forgive(problems, 403);
  await enterDemo(page, 'pro', `/app?asOf=${at}`);
  await expect(banner.getByRole('status')).toHaveText(/^Showing .*, from stored observations$/, { timeout: 60_000 });
  await cardOf(page, 'Layer 1 Blockchains');
});
