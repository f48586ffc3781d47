import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { PASSWORD } from './dialog.ts';
import { enter, newPerson } from './people.ts';
import { expect, test } from './product.ts';

const SLOW = { timeout: 90_000 };

type Offer = { planId: 'pro' | 'premium'; network: 'base' | 'solana'; months: number };

/** A new account with a pending payment, opened from its profile. */
async function withPayment(page: Page, name: string, offer: Offer) {
  const email = await newPerson(page, name);
  await enter(page, email, PASSWORD, '/app/profile?tab=subscription');
  const token = await page.evaluate(() => localStorage.getItem('authToken'));
  const headers = { authorization: `Bearer ${token}` };
  const asked = await page.request.post('/api/subscribe/wallet-payment', { data: offer, headers });
  expect(asked.status(), await asked.text()).toBe(200);
  await page.reload();
  await page.getByRole('button', { name: /^Continue/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Waiting for your payment')).toBeVisible();
  return dialog;
}

/** Sends from the demo wallet, which opens in a new window. */
async function send(page: Page, what: RegExp): Promise<void> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Open the Demo Wallet' }).click();
  const wallet = await opened;
  await wallet.getByRole('button', { name: what }).first().click();
  await expect(wallet.getByRole('heading', { name: 'Sent to this address' })).toBeVisible();
  await wallet.close();
}

test('USDC on Base, half and then the rest: the payment resumes after a reload, the plan starts, the receipt is a PDF', {
  tag: '@core',
}, async ({ page }) => {
  const dialog = await withPayment(page, 'base', { planId: 'pro', network: 'base', months: 1 });
  await send(page, /^Send less/);
  await expect(dialog.getByText('Partially paid')).toBeVisible(SLOW);
  await page.reload();
  await page.getByRole('button', { name: /^Continue/ }).click();
  await expect(dialog.getByText(/^14.995 of 29.99 USDC received/)).toBeVisible();
  await send(page, /^Send exact/);
  await expect(dialog.getByText(/^Pro is yours until/)).toBeVisible(SLOW);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const plan = page.getByRole('region', { name: 'Your Plan' });
  await expect(plan).toContainText('Active');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Receipt as PDF/ }).click();
  const file = await readFile(await (await saved).path());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
  await plan.getByRole('button', { name: 'Cancel Subscription' }).click();
  await expect(page.getByRole('dialog')).toContainText('Pro does not renew automatically. It stays active until');
});

test('USDC on Solana: detected, confirmed, and the excess goes to the balance', { tag: '@core' }, async ({ page }) => {
  const dialog = await withPayment(page, 'solana', { planId: 'pro', network: 'solana', months: 1 });
  await send(page, /^Send more/);
  await expect(dialog.getByText(/^Pro is yours until/)).toBeVisible(SLOW);
  await expect(dialog.getByText('The difference is on your balance', { exact: false })).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const billing = page.getByRole('region', { name: 'Billing Information' });
  await expect(billing).toContainText('Applied to your next purchase first.');
  await expect(billing).toContainText('Paid');
});
