import {
  DEMO_PASSWORD,
  dialogOf,
  expectSignedIn,
  forgive,
  keptBy,
  newAddress,
  openDialog,
  PASSWORD,
  signIn,
} from './dialog.ts';
import { expect, hydrated, test } from './product.ts';

test.describe('sign-up and sign-in', () => {
  test('a new account: terms, the demo email, its link, and both tabs are signed in', { tag: '@core' }, async ({
    page,
    context,
  }) => {
    const email = newAddress('ann');
    await page.goto('/app');
    await hydrated(page);
    await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
    const dialog = dialogOf(page);
    await expect(dialog.getByRole('radio', { name: 'Sign Up' })).toBeFocused();
    await expect(page).toHaveURL(/\/app\?auth=register$/);
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign Up' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Please agree to the Terms & Conditions and Privacy Policy to continue.',
    );
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Sign Up' }).click();
    await expect(dialog.getByRole('heading', { name: 'Check Your Email' })).toBeFocused();

    const mailOpens = context.waitForEvent('page');
    await dialog.getByRole('link', { name: 'Open the demo email' }).click();
    const mail = await mailOpens;
    await mail.getByRole('link', { name: 'Confirm email address' }).click();
    await expect(mail.getByRole('heading', { level: 1 })).toHaveText('Email Confirmed!');
    await expect(mail).toHaveURL(/\/auth\/confirm-success$/);
    await expect(mail.getByText('You are logged in.')).toBeVisible();
    await expect(mail.getByRole('main')).toContainText(email);
    await expectSignedIn(mail, email);
    await expect(mail).toHaveURL(/\/app$/);

    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/app$/);
    await expectSignedIn(page, email);
  });

  test('a wrong password is reported and the right one signs in; the URL loses only its parameter', {
    tag: '@core',
  }, async ({ page, problems }) => {
    await signIn(page, 'pro@meridian.example', 'mushroom');
    const dialog = dialogOf(page);
    await expect(dialog.getByRole('alert')).toHaveText('Invalid email or password');
    expect(await keptBy(page)).toEqual({ token: null, email: null });
    await dialog.getByRole('button', { name: 'Show password' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await dialog.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/app$/);
    await expectSignedIn(page, 'pro@meridian.example');
    forgive(problems, 401);
  });

  test('the dialog closes with Escape and its button, and focus returns', async ({ page }) => {
    await page.goto('/app/sources');
    await hydrated(page);
    const opener = page.getByRole('banner').getByRole('link', { name: 'Sign In' });
    await opener.click();
    await expect(dialogOf(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toBeHidden();
    await expect(page).toHaveURL(/\/app$/);
    await opener.click();
    await dialogOf(page).getByRole('button', { name: 'Close' }).click();
    await expect(dialogOf(page)).toBeHidden();
    await expect(opener).toBeFocused();
  });
});

test.describe('forgotten password', () => {
  test('the email leads to a new password, and its token never remains in the URL', { tag: '@core' }, async ({
    page,
    context,
    problems,
  }) => {
    const email = newAddress('ben');
    await page.request.post('/api/auth/register', { data: { email, password: PASSWORD } });
    const dialog = await openDialog(page, 'login');
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('button', { name: 'Forgot password?' }).click();
    await expect(dialog.getByLabel('Email')).toHaveValue(email);
    await dialog.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(
      dialog.getByText('If an account with that email exists, a password reset link has been sent.'),
    ).toBeVisible();

    const mailOpens = context.waitForEvent('page');
    await dialog.getByRole('link', { name: 'Open the demo email' }).click();
    const mail = await mailOpens;
    const [reset] = await Promise.all([
      mail.waitForResponse((response) => response.url().includes('/reset-password?token=')),
      mail.getByRole('link', { name: 'Choose a new password' }).click(),
    ]);
    expect(reset.headers()['referrer-policy']).toBe('no-referrer');
    await expect(mail.getByRole('heading', { level: 1 })).toHaveText('Reset Your Password');
    await expect(mail).toHaveURL(/\/reset-password$/);
    expect(await mail.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');

    const submit = mail.getByRole('button', { name: 'Reset Password' });
    await mail.getByLabel('New password', { exact: true }).fill('Lantern-moss');
    await mail.getByLabel('Confirm password', { exact: true }).fill('Lantern-mo');
    await expect(submit).toBeDisabled();
    await mail.getByLabel('Confirm password', { exact: true }).fill('Lantern-moss');
    await expect(mail.getByRole('alert')).toHaveText('Password does not meet requirements');
    await mail.getByLabel('New password', { exact: true }).fill('Lantern-moss-4!');
    await mail.getByLabel('Confirm password', { exact: true }).fill('Lantern-moss-4!');
    await submit.click();
    await expect(mail.getByRole('heading', { level: 1 })).toHaveText('Password Reset Successful');
    await mail.getByRole('link', { name: 'Sign In' }).click();
    await expect(mail).toHaveURL(/\/app\?auth=login$/);
    await expect(dialogOf(mail)).toBeVisible();

    await signIn(page, email, PASSWORD);
    await expect(dialogOf(page).getByRole('alert')).toHaveText('Invalid email or password');
    await signIn(page, email, 'Lantern-moss-4!');
    await expect(dialogOf(page)).toBeHidden();
    await expectSignedIn(page, email);
    forgive(problems, 401);
  });
});
