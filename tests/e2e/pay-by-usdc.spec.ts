import { PASSWORD } from './dialog.ts';
import { BILLING, CHAIN, card, choose, endOf, PLANS, send } from './paying.ts';
import { enter, newPerson } from './people.ts';
import { expect, test } from './product.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('USDC on Base: exact to settled; then worthless, underpaid and overpaid, each explained, the rest on the balance', async ({
  page,
}) => {
  await enter(page, await newPerson(page, 'basil'), PASSWORD, PLANS);
  await choose(page, 'Upgrade to Pro', 'USDC on Base', '1 month');
  const dialog = page.getByRole('dialog', { name: 'Pro, 1 month: USDC on Base' });
  await expect(dialog.getByRole('img', { name: 'Wallet QR code: 29.99 USDC on Base' })).toBeVisible();
  await expect(dialog.getByRole('timer')).toHaveText(/^1[45]:\d\d$/);
  await dialog.getByRole('button', { name: 'Copy: Exact amount' }).click();
  await expect(dialog.getByRole('button', { name: 'Copied: Exact amount' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('29.99');
  await expect(dialog.getByRole('button', { name: 'Copy: Exact amount' })).toBeVisible();
  await send(page, 'Send exact');
  await expect(dialog.getByText('Payment detected', { exact: true })).toBeVisible();
  await expect(dialog).toContainText(`Pro is yours until ${endOf(1)}The payment is confirmed.`, CHAIN);
  await expect(dialog).toContainText('The payment is settled and final.', CHAIN);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('You are on the Pro plan.')).toBeVisible();

  await choose(page, 'Extend Pro', 'USDC on Base', '1 month');
  await send(page, 'Send a worthless token', 'Send less');
  await expect(dialog).toContainText('A token other than USDC was received', CHAIN);
  await expect(dialog.getByText('Partially paid', { exact: true })).toBeVisible(CHAIN);
  await expect(dialog).toContainText('Send the remaining 14.995 USDC to the same address before the payment expires.');
  await expect(dialog.getByRole('img', { name: 'Wallet QR code: 14.995 USDC on Base' })).toBeVisible();
  await send(page, 'Send more');
  await expect(dialog).toContainText(`Pro is yours until ${endOf(2)}`, CHAIN);
  await expect(dialog).toContainText('More than the full amount was received. The difference is on your balance');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.goto(BILLING);
  await expect(card(page, 'Billing Information')).toContainText('Balance$5.00Applied to your next purchase first.');
});

test('USDC on Solana: the exact amount with the reference activates the plan', async ({ page }) => {
  await enter(page, await newPerson(page, 'sol'), PASSWORD, PLANS);
  await choose(page, 'Upgrade to Premium+', 'USDC on Solana', '6 months');
  const dialog = page.getByRole('dialog', { name: 'Premium+, 6 months: USDC on Solana' });
  await expect(dialog.getByRole('img', { name: /^Wallet QR code: 534\.6\d* USDC on Solana$/ })).toBeVisible();
  await send(page, 'Send exact');
  await expect(dialog).toContainText(`Premium+ is yours until ${endOf(6)}`, CHAIN);
  await expect(dialog).toContainText('The payment is settled and final.', CHAIN);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('You are on the Premium+ plan.')).toBeVisible();
});
