import type { Page } from '@playwright/test';

import { raiseIn } from '../support/running-alerts.ts';
import { expectNoViolation } from './axe.ts';
import { forgive, PASSWORD } from './dialog.ts';
import { enter, LONG, newPro } from './people.ts';
import { expect, test } from './product.ts';

const TAB = '/app/profile?tab=notifications';
const pane = (page: Page) => page.getByRole('region', { name: 'Mail', exact: true });
const emailSwitch = (page: Page) => page.getByRole('switch', { name: 'Email notifications', exact: true });

/** Opens the newest alert mail on the demo's phone and follows its link to unsubscribe, as a mail client does: in a page of its own. */
async function followLink(page: Page, title: string): Promise<Page> {
  await page.goto('/app/phone');
  await pane(page).getByRole('button', { name: title }).click(LONG);
  const link = page.frameLocator('iframe[title^="The mail:"]').getByRole('link', { name: 'Unsubscribe' });
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click(LONG)]);
  await opened.waitForLoadState();
  return opened;
}

test.beforeEach(() => test.setTimeout(180_000));

test('the link of a mail ends the mails: looked at, pressed, confirmed, off in the settings, on again', async ({
  page,
  product,
}) => {
  const email = await newPro(page, 'una');
  await enter(page, email, PASSWORD, TAB);
  await expect(emailSwitch(page)).toBeChecked(LONG);
  const message = `The ratio fell, told to ${email}`;
  await raiseIn(product, { message, severity: 'high' });

  const opened = await followLink(page, 'Stablecoin supply ratio');
  await expect(opened.getByRole('heading', { level: 1, name: 'Unsubscribe' })).toBeVisible(LONG);
  await expect(opened.getByRole('main')).toContainText(email);
  await page.goto(TAB);
  await expect(emailSwitch(page)).toBeChecked(LONG);

  await opened.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(opened).toHaveURL(`/unsubscribe-success?email=${encodeURIComponent(email)}`, LONG);
  await expect(opened.getByRole('heading', { level: 1, name: 'You are unsubscribed' })).toBeVisible(LONG);
  await expect(opened.getByRole('main')).toContainText(`are mailed to ${email}.`);
  await expect(opened.getByText(/^Redirecting to the homepage in \d+ s$/)).toBeVisible();
  // The page that was open all the time follows by itself.
  await expect(emailSwitch(page)).not.toBeChecked(LONG);
  await expect(opened).toHaveURL('/', LONG);
  await expect(opened.getByRole('heading', { level: 1 })).toBeVisible();

  await opened.goto(`/unsubscribe-success?email=${encodeURIComponent(email)}`);
  await opened.getByRole('link', { name: 'your notification settings' }).click(LONG);
  await expect(opened).toHaveURL(TAB, LONG);
  await expect(emailSwitch(opened)).not.toBeChecked(LONG);
  await emailSwitch(opened).click();
  await expect(opened.getByText('Notification preferences saved successfully!')).toBeVisible(LONG);
  await opened.close();
});

test('Go to Homepage does not wait for the countdown; the page has no violation', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/unsubscribe-success?email=una%2Bx%40people.example');
  await expect(page.getByRole('main')).toContainText('are mailed to una+x@people.example.', LONG);
  await expectNoViolation(page);
  await page.getByRole('button', { name: 'Go to Homepage' }).click();
  await expect(page).toHaveURL('/', { timeout: 5_000 });
});

test('a forged link is refused and changes nothing', async ({ page, product, problems }) => {
  const email = await newPro(page, 'vera');
  await enter(page, email, PASSWORD, TAB);
  await raiseIn(product, { message: `The ratio fell, told to ${email}`, severity: 'high' });
  const opened = await followLink(page, 'Stablecoin supply ratio');
  const url = new URL(opened.url());
  const token = url.searchParams.get('t') ?? '';
  await opened.close();

  const seal = token.slice(token.lastIndexOf('.') + 1);
  for (const forged of [
    token.replace(seal, seal.split('').toReversed().join('')),
    token.replace(/^1\.\d+/, '1.1'),
    token.slice(0, -4),
    '',
  ]) {
    const at = `/api/unsubscribe?t=${encodeURIComponent(forged)}`;
    const answer = await page.goto(at);
    expect(answer?.status()).toBe(400);
    await expect(page.getByRole('heading', { level: 1, name: 'This link does not work' })).toBeVisible();
    await expect(page.getByRole('button')).toHaveCount(0);
    const pressed = await page.request.post(at, { form: { 'List-Unsubscribe': 'One-Click' } });
    expect(pressed.status()).toBe(400);
  }
  forgive(problems, 400);
  await page.goto(TAB);
  await expect(emailSwitch(page)).toBeChecked(LONG);
});
