import { expectNoViolation } from './axe.ts';
import { expect, test } from './product.ts';

test('a new user is offered the tour and takes it by keyboard, on a phone too; shortcuts and release notes are read', async ({
  page,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'webdriver', { value: false }));
  await page.goto('/app');
  const offer = page.getByRole('complementary', { name: 'Tour' });
  await expect(offer).toBeVisible();
  await expectNoViolation(page, 'aside[aria-label="Tour"]');
  // At the end of the page, its footer can be clicked.
  const footer = page.getByRole('button', { name: 'Settings and shortcuts' });
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(offer).toBeHidden();
  await page.evaluate(() => scrollTo(0, 0));
  await offer.getByRole('button', { name: 'Take the tour' }).click();

  const tour = page.getByRole('dialog', { name: 'Every number shows its source' });
  await expect(tour.getByRole('button', { name: 'Next' })).toBeFocused();
  await expect(page.locator('tr[data-coin] [data-figure]').first()).toBeInViewport();
  await expectNoViolation(page, 'dialog[open]');
  for (const title of ['Every prediction has a track record', 'Alerts come to you', 'Everything is one search away']) {
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('#main')).toBeFocused();
  expect(await page.evaluate(() => localStorage.getItem('tour'))).toBe('skipped');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectNoViolation(page, 'dialog[open]');
  await page.keyboard.press('Escape');
  await footer.click();
  await page.getByRole('dialog').getByRole('button', { name: 'What’s new' }).click();
  await expect(page.getByRole('dialog', { name: 'What’s new' }).getByRole('listitem').first()).toBeVisible();
  await expectNoViolation(page, 'dialog[open]');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/app?tour=1');
  await expect(tour).toBeVisible();
  await expect(page).toHaveURL(/\/app\??$/);
  const price = page.locator('tr[data-coin] [data-figure]').first();
  await expect(price).toBeInViewport();
  const next = await tour.getByRole('button', { name: 'Next' }).boundingBox();
  const pointed = await price.boundingBox();
  expect(next?.y).toBeGreaterThan(700);
  const words = await tour.getByRole('heading').locator('../..').boundingBox();
  expect(Math.round(words?.x ?? 0)).toBe(Math.round(390 - (words?.x ?? 0) - (words?.width ?? 0)));
  expect((pointed?.y ?? 0) + (pointed?.height ?? 0)).toBeLessThan(600);
  await tour.getByRole('button', { name: 'Skip' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
