import type { Page } from '@playwright/test';

import { expectNoViolation } from './axe.ts';
import { confirmLink, dialogOf, forgive, newAddress, openDialog, PASSWORD } from './dialog.ts';
import { expect, test } from './product.ts';

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** Delays automatic redirects until the page has been checked. */
const stay = (page: Page) =>
  page.addInitScript(() => {
    const real = globalThis.setTimeout;
    const later = (run: () => void, ms = 0) => real(run, ms === 5_000 || ms === 10_000 ? 600_000 : ms);
    globalThis.setTimeout = later as typeof setTimeout;
  });

test.describe('axe, sign-in', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('sign-in, its refusal, and a forgotten password have no violation', async ({ page, problems }) => {
    const dialog = await openDialog(page, 'login');
    await expect(dialog.getByRole('region', { name: 'Demo accounts' })).toBeVisible();
    await dialog.getByLabel('Email').fill('nobody@people.example');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await expectNoViolation(page);
    await dialog.getByRole('button', { name: 'Forgot password?' }).click();
    await expectNoViolation(page);
    await dialog.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(dialog.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
    await expectNoViolation(page);
    forgive(problems, 401);
  });

  test('sign-up and Check Your Email have no violation', async ({ page }) => {
    await openDialog(page, 'register');
    const dialog = dialogOf(page);
    await dialog.getByLabel('Email').fill(newAddress('axe'));
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign Up' }).click();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await expectNoViolation(page);
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Sign Up' }).click();
    await expect(dialog.getByRole('heading', { name: 'Check Your Email' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Resend Confirmation Email' }).click();
    await expect(dialog.getByText('Confirmation email resent!')).toBeVisible();
    await expectNoViolation(page);
  });

  test('the pages linked from emails have no violation', async ({ page }) => {
    await stay(page);
    await page.goto('/auth/confirm-error?error=Confirmation+token+has+expired');
    await title(page, 'Link Expired');
    await expectNoViolation(page);
    await page.goto(await confirmLink(page, newAddress('axe-page')));
    await title(page, 'Email Confirmed!');
    await expect(page.getByText('You are logged in.')).toBeVisible();
    await expectNoViolation(page);
    await page.goto('/reset-password?token=re_never');
    await title(page, 'Reset Your Password');
    await page.getByLabel('New password', { exact: true }).fill('Lantern');
    await page.getByLabel('Confirm password', { exact: true }).fill('Moss');
    await page.getByRole('main').click({ position: { x: 5, y: 5 } });
    await expect(page.getByRole('alert')).toHaveCount(2);
    await expectNoViolation(page);
  });
});
