import type { Page } from '@playwright/test';

import { forgive, PASSWORD } from './dialog.ts';
import { BILLING, CHAIN, card, PLANS, send, take } from './paying.ts';
import { enter, givePlan, newPerson } from './people.ts';
import { expect, test } from './product.ts';

const RULES = '/app/custom-alerts';
const banner = (page: Page, title: string) => page.getByRole('region', { name: title });
const inMs = (ms: number) => new Date(Date.now() + ms);
const RULE = { name: 'Bitcoin is cheap', metric: 'btc_price', condition: 'below', value: 1000 };

test('an expiring plan is renewed from the banner, which then disappears', { tag: '@core' }, async ({ page }) => {
  const email = await newPerson(page, 'rena');
  await givePlan(page, email, { until: inMs(2.5 * 86_400_000) });
  await enter(page, email, PASSWORD, BILLING);
  const soon = banner(page, 'Your subscription is expiring soon');
  await expect(soon).toContainText('Pro ends in 3 days.');
  await soon.getByRole('button', { name: 'Renew Now' }).click();
  await expect(page.getByRole('dialog', { name: 'Renew Pro' })).toBeVisible();
  await take(page, 'USDC on Solana', '1 month');
  await send(page, 'Send exact');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click(CHAIN);
  await expect(soon).toBeHidden();
});

test('an expired plan reverts to Free and pauses its alerts; a manually copied transfer restores both', async ({
  page,
  problems,
}) => {
  const email = await newPerson(page, 'exa');
  const end = inMs(20_000);
  await givePlan(page, email, { until: end });
  await enter(page, email, PASSWORD, BILLING);
  const token = await page.evaluate(() => localStorage.getItem('authToken'));
  const headers = { authorization: `Bearer ${token}` };
  const made = await page.request.post('/api/alerts/thresholds/rules', { data: RULE, headers });
  expect(made.ok(), await made.text()).toBe(true);
  await expect(card(page, 'Your Plan')).toContainText(/Plan\s*Pro\s*Status\s*Active/);

  await page.waitForTimeout(Math.max(0, end.getTime() - Date.now()));
  await page.goto(RULES);
  const ended = banner(page, 'Your subscription has expired');
  await expect(ended).toContainText('Everything you created is kept and returns when you renew.');
  await expect(page.getByRole('main').getByRole('link', { name: 'Upgrade to Pro' })).toBeVisible();
  await expect(page.getByText(RULE.name)).toHaveCount(0);
  expect((await page.request.get('/api/alerts/thresholds', { headers })).status()).toBe(403);

  await ended.getByRole('button', { name: 'Renew Now' }).click();
  await take(page, 'USDC on Solana', '3 months');
  await expect(page.getByRole('dialog').getByText('Payment identifier')).toBeVisible();
  await send(page, 'Send exact, without the reference');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click(CHAIN);
  await expect(ended).toBeHidden();
  await expect(page.getByText(RULE.name)).toBeVisible();
  forgive(problems, 403);
});

test('the trial starts immediately without a card; a second one is refused with a message', async ({
  page,
  context,
  problems,
}) => {
  await enter(page, await newPerson(page, 'tria'), PASSWORD, PLANS);
  const offer = (of: Page) => of.getByRole('button', { name: 'Start Free Trial' });
  // A tab without updates still offers the trial; without the stream it would poll every 15 seconds.
  const other = await context.newPage();
  await other.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'));
  await other.route('**/api/stream**', (route) => route.abort());
  await other.goto(PLANS);
  await expect(offer(other)).toBeVisible();
  const updates = /\/api\/(?!subscribe\/trial)/;
  await other.route(updates, (route) => route.abort());
  await offer(page).click();
  await expect(page.getByText(/^Pro is yours until .* It ends automatically\.$/)).toBeVisible();
  await expect(page.getByText('You are on the Pro plan.')).toBeVisible();
  await expect(offer(page)).toHaveCount(0);
  await offer(other).click();
  await expect(
    other.getByText('Subscription failed: You have already used your Pro trial, which is available once.'),
  ).toBeVisible();
  await other.unroute(updates);
  await expect(offer(other)).toHaveCount(0);
  forgive(problems, 409);
});
