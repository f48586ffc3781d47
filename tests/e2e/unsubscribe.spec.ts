import type { Page } from '@playwright/test';

import { raiseAlert } from '../support/running-alerts.ts';
import { PASSWORD } from './dialog.ts';
import { enter, newPro } from './people.ts';
import { expect, test } from './product.ts';

const TAB = '/app/profile?tab=notifications';
const pane = (page: Page) => page.getByRole('region', { name: 'Mail', exact: true });
const emailSwitch = (page: Page) => page.getByRole('switch', { name: 'Email notifications', exact: true });

/**
 * Opens the newest alert email on the demo's phone and follows its unsubscribe link in a new page, like a mail client.
 */
async function followLink(page: Page, title: string): Promise<Page> {
  await page.goto('/app/phone');
  await pane(page).getByRole('button', { name: title }).click();
  const link = page.frameLocator('iframe[title^="Email:"]').getByRole('link', { name: 'Unsubscribe' });
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await opened.waitForLoadState();
  return opened;
}

test('an email’s unsubscribe link: opened, clicked, confirmed, off in settings, on again', async ({
  page,
  product,
}) => {
  const email = await newPro(page, 'una');
  await enter(page, email, PASSWORD, TAB);
  await expect(emailSwitch(page)).toBeChecked();
  const message = `The ratio fell, told to ${email}`;
  await raiseAlert(product, { message, severity: 'high' });

  const opened = await followLink(page, 'Stablecoin supply ratio');
  await expect(opened.getByRole('heading', { level: 1, name: 'Unsubscribe' })).toBeVisible();
  await expect(opened.getByRole('main')).toContainText(email);
  await page.goto(TAB);
  await expect(emailSwitch(page)).toBeChecked();

  await opened.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(opened).toHaveURL(`/unsubscribe-success?email=${encodeURIComponent(email)}`);
  await expect(opened.getByRole('heading', { level: 1, name: 'You’re unsubscribed' })).toBeVisible();
  await expect(opened.getByRole('main')).toContainText(`${email} will no longer receive`);
  await expect(opened.getByText(/^Redirecting to the homepage in \d+ s$/)).toBeVisible();
  // The page that stayed open updates automatically.
  await expect(emailSwitch(page)).not.toBeChecked();
  await expect(opened).toHaveURL('/');
  await expect(opened.getByRole('heading', { level: 1 })).toBeVisible();

  await opened.goto(`/unsubscribe-success?email=${encodeURIComponent(email)}`);
  await opened.getByRole('link', { name: 'your notification settings' }).click();
  await expect(opened).toHaveURL(TAB);
  await expect(emailSwitch(opened)).not.toBeChecked();
  await emailSwitch(opened).click();
  await expect(opened.getByText('Notification preferences saved successfully!')).toBeVisible();
  await opened.close();
});
