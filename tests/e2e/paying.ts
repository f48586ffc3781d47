import type { Locator, Page } from '@playwright/test';

import { expect } from './product.ts';

export const PLANS = '/app/subscription';
export const BILLING = '/app/profile?tab=subscription';
/** A payment on Base is confirmed after ten seconds and final after thirty. */
export const CHAIN = { timeout: 90_000 };

export type Way = 'Card' | 'USDC on Base' | 'USDC on Solana';

export const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const day = (at: Date): string =>
  at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The formatted day on which this many months from today end, clamped to the end of the month. */
export function endOf(months: number): string {
  const now = new Date();
  const end = new Date(now);
  end.setUTCMonth(now.getUTCMonth() + months);
  if (end.getUTCDate() !== now.getUTCDate()) end.setUTCDate(0);
  return day(end);
}

/** Completes the chooser up to the checkout or the payment. */
export async function choose(page: Page, button: string, way: Way, months: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: button }).click();
  await take(page, way, months);
}

/** In the open chooser. */
export async function take(page: Page, way: Way, months: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: months }).check();
  await dialog.getByRole('button', { name: new RegExp(`^${way}`) }).click();
}

/** Sends from the demo wallet, in a separate page as for a real user. */
export async function send(page: Page, ...buttons: readonly string[]): Promise<void> {
  const link = page.getByRole('dialog').getByRole('link', { name: 'Open the Demo Wallet' });
  const [wallet] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  for (const name of buttons) {
    const before = await wallet.getByRole('listitem').count();
    await wallet.getByRole('button', { name }).first().click();
    await expect(wallet.getByRole('listitem')).toHaveCount(before + 1);
  }
  await wallet.close();
}

/** The hosted pages of the demo's card service use another port of this machine. */
export function forgiveCheckout(problems: string[]): void {
  const others = problems.filter((problem) => !/^asked http:\/\/127\.0\.0\.1:\d+\/(stripe\/|favicon)/.test(problem));
  problems.splice(0, problems.length, ...others);
}
