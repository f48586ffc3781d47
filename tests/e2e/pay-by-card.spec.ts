import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';

import { PASSWORD } from './dialog.ts';
import { BILLING, card, choose, endOf, forgiveCheckout, PLANS } from './paying.ts';
import { enter, newPerson } from './people.ts';
import { expect, hydrated, test } from './product.ts';

const status = (page: Page) => card(page, 'Your Plan');
const history = (page: Page) => card(page, 'Billing Information').getByRole('listitem');
const hosted = (page: Page, name: string) => page.getByRole('button', { name });

/** Delays the confirmations of the card service from now on. */
async function delay(page: Page, ms: number): Promise<void> {
  await page.getByLabel('Delay in ms').fill(String(ms));
  await hosted(page, 'Set').click();
}

async function planOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('authToken')}` };
    return ((await (await fetch('/api/subscription', { headers })).json()) as { plan: string }).plan;
  });
}

test('by card: declined, paid for three months, receipt, cancelled, resumed, upgraded to Premium+', {
  tag: '@core',
}, async ({ page, problems }) => {
  await enter(page, await newPerson(page, 'cara'), PASSWORD, PLANS);
  await choose(page, 'Upgrade to Pro', 'Card', '3 months');
  await expect(page).toHaveURL(/\/stripe\/pay\//);
  await expect(page.getByRole('main')).toContainText('Due today$85.47');
  await hosted(page, 'Pay with a declined card').click();
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await hosted(page, 'Back without paying').click();
  await expect(page.getByRole('heading', { name: 'The checkout was canceled' })).toBeVisible();
  expect(await planOf(page)).toBe('free');

  await choose(page, 'Upgrade to Pro', 'Card', '3 months');
  await delay(page, 4000);
  await hosted(page, 'Pay with a good card').click();
  await expect(page).toHaveURL(/checkout=success/);
  await expect(page.getByRole('heading', { name: 'Confirming your payment' })).toBeVisible();
  expect(await planOf(page)).toBe('free');
  await expect(page.getByRole('heading', { name: 'You are on Pro' })).toBeVisible();
  await expect(page.getByText(`Paid until ${endOf(3)}.`)).toBeVisible();
  await expect(page.getByText('You are on the Pro plan.')).toBeVisible();

  await page.goto(BILLING);
  await expect(status(page)).toContainText(new RegExp(`Plan\\s*Pro\\s*Status\\s*Active.*${endOf(3)}`));
  await expect(history(page)).toHaveCount(1);
  await expect(history(page)).toContainText('$85.47');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Receipt as PDF/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^receipt-\d{4}-\d\d-\d\d\.pdf$/);
  expect(
    readFileSync(await file.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  await page.getByRole('button', { name: 'Cancel Subscription' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel your subscription?' });
  await expect(dialog).toContainText(`Pro stays active until ${endOf(3)}, the end of the paid period.`);
  await dialog.getByRole('button', { name: 'Cancel Subscription' }).click();
  await expect(status(page)).toContainText(/Plan\s*Pro\s*Status\s*Canceled/);
  await expect(status(page)).toContainText(`Pro is canceled. It stays active until ${endOf(3)}`);
  expect(await planOf(page)).toBe('pro');
  await page.getByRole('button', { name: 'Resume Subscription' }).click();
  await expect(status(page)).toContainText(/Plan\s*Pro\s*Status\s*Active/);

  await page.goto(PLANS);
  await hydrated(page);
  await page.getByRole('button', { name: 'Upgrade to Premium+' }).click();
  await expect(page.getByRole('dialog')).toContainText('The unused part of Pro is credited to you.');
  await page.getByRole('dialog').getByRole('button', { name: /^Card/ }).click();
  await expect(page.getByRole('main')).toContainText(/Off the first payment\$85\.4\d/);
  await delay(page, 0);
  await hosted(page, 'Pay with a good card').click();
  await expect(page.getByRole('heading', { name: 'You are on Premium+' })).toBeVisible();
  await page.goto(BILLING);
  await expect(status(page)).toContainText(/Plan\s*Premium\+\s*Status\s*Active/);
  await expect(card(page, 'Billing Information')).toContainText('Credit for unused Pro time');
  forgiveCheckout(problems);
});
