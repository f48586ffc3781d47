import type { Page } from '@playwright/test';

import { forgive, fromNetworkOf, PASSWORD } from './dialog.ts';
import { enter, enterAsNew, newPerson, wantProof } from './people.ts';
import { expect, test } from './product.ts';

const NEXT_PASSWORD = 'Mushroom-Lantern-43!';
const SECURITY = '/app/profile?tab=security';

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const signsIn = async (page: Page, email: string, password: string) =>
  (await page.request.post('/api/auth/login', { data: { email, password }, headers: fromNetworkOf(email) })).ok();

test('a new address requires the password, then awaits confirmation', async ({ page, problems }) => {
  const email = await enterAsNew(page, 'bo', '/app/profile');
  const account = card(page, 'Account');
  await account.getByRole('button', { name: 'Edit' }).click();
  await account.getByLabel('Email', { exact: true }).fill(`new-${email}`);
  await wantProof(page, '/api/profile');
  await account.getByRole('button', { name: 'Save Changes' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused();
  await proof.getByLabel('Password', { exact: true }).fill('wrong');
  await proof.getByLabel('Password', { exact: true }).press('Enter');
  await expect(proof.getByRole('alert')).toHaveText('Incorrect password');
  await proof.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(account).toContainText(`new-${email} is awaiting confirmation`);
  await expect(account).toContainText(email);
  await expect(account.getByRole('link', { name: 'Open the demo email' })).toBeVisible();
  await account.getByRole('button', { name: 'Cancel Change' }).click();
  await expect(account).not.toContainText('is awaiting confirmation');
  await page.reload();
  await expect(account).toContainText(`${email}Verified`);
  forgive(problems, 403);
});

test('a new address is confirmed from its email, even in a browser that is not signed in', {
  tag: '@core',
}, async ({ page, browser, product }) => {
  const email = await enterAsNew(page, 'di', '/app/profile');
  const account = card(page, 'Account');
  await account.getByRole('button', { name: 'Edit' }).click();
  await account.getByLabel('Email', { exact: true }).fill(`new-${email}`);
  await account.getByRole('button', { name: 'Save Changes' }).click();
  const mail = await account.getByRole('link', { name: 'Open the demo email' }).getAttribute('href');
  const elsewhere = await browser.newPage({ baseURL: product.url });
  await elsewhere.goto(mail ?? '');
  await elsewhere.getByRole('link', { name: 'Confirm new address' }).click();
  await expect(elsewhere.getByRole('heading', { name: 'Email Confirmed!' })).toBeVisible();
  await expect(elsewhere.getByRole('main')).toContainText(`new-${email} is confirmed.`);
  await expect(elsewhere.getByRole('main')).toContainText('Please sign in to continue.');
  await elsewhere.close();
  await page.reload();
  await expect(account).toContainText(`new-${email}Verified`);
});

test('changing the password invalidates the old one and every other session', { tag: '@core' }, async ({
  page,
  browser,
  product,
}) => {
  const email = await newPerson(page, 'cy');
  const elsewhere = await browser.newPage({ baseURL: product.url });
  await enter(elsewhere, email, PASSWORD, '/app/profile');
  await expect(card(elsewhere, 'Account')).toBeVisible();
  await enter(page, email, PASSWORD, SECURITY);
  const password = card(page, 'Password');
  const change = password.getByRole('button', { name: 'Change Password' });
  await password.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await password.getByLabel('New password', { exact: true }).fill('short');
  await expect(change).toBeDisabled();
  await password.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD);
  await password.getByLabel('Confirm new password', { exact: true }).fill(NEXT_PASSWORD);
  await change.click();
  await expect(password.getByText('Password changed. Every other session was signed out.')).toBeVisible();
  expect([await signsIn(page, email, PASSWORD), await signsIn(page, email, NEXT_PASSWORD)]).toEqual([false, true]);
  await expect(elsewhere).toHaveURL(/\/app\/auth-required/);
  await elsewhere.close();
});

test('another session is signed out from here; signing out here opens the dashboard', async ({
  page,
  browser,
  product,
  problems,
}) => {
  const email = await newPerson(page, 'dee');
  const elsewhere = await browser.newPage({ baseURL: product.url });
  await enter(elsewhere, email, PASSWORD, '/app/profile');
  await expect(card(elsewhere, 'Account')).toBeVisible();
  await enter(page, email, PASSWORD, SECURITY);
  const sessions = card(page, 'Sessions');
  await expect(sessions.getByText('This session')).toBeVisible();
  await sessions.getByRole('button', { name: 'Sign out of all other sessions' }).click();
  await expect(page.getByText(/^\d+ other sessions? (was|were) signed out$/)).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/app\/auth-required/);
  await elsewhere.close();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect(page).toHaveURL('/app');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
  const kept = () => page.evaluate(() => localStorage.getItem('authToken')).catch(() => 'the page is loaded again');
  await expect.poll(kept).toBeNull();
  // A call in progress at sign-out is refused, which the browser logs.
  const others = problems.filter((text) => !/401 \(Unauthorized\)/.test(text));
  problems.splice(0, problems.length, ...others);
});

test('account deletion: type the address, re-authenticate, then the home page; sign-in no longer works', {
  tag: '@core',
}, async ({ page, problems }) => {
  const email = await enterAsNew(page, 'eve', SECURITY);
  const open = card(page, 'Delete Account').getByRole('button', { name: 'Delete Account' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(dialog).toContainText('This action cannot be undone.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();
  await open.click();
  await expect(dialog.getByRole('button', { name: 'Delete Account' })).toBeDisabled();
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
  // The stream ends with the account, and the page refetches its data once. When that is refused, the token is deleted.
  let refusedAt = Number.POSITIVE_INFINITY;
  const late: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 401 && new URL(answer.url()).pathname === '/api/subscription')
      refusedAt = Math.min(refusedAt, Date.now());
  });
  page.on('request', (asked) => {
    if (asked.headers()['authorization'] && Date.now() > refusedAt + 1000) late.push(asked.url());
  });
  await wantProof(page, '/api/auth/delete-account');
  await dialog.getByRole('button', { name: 'Delete Account' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Account deleted successfully. You will be redirected to the home page.')).toBeVisible();
  await expect(page).toHaveURL('/');
  expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeNull();
  expect(late).toEqual([]);
  expect(await signsIn(page, email, PASSWORD)).toBe(false);
  for (const status of [401, 403]) forgive(problems, status);
});
