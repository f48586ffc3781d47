import { expectNoViolation } from './axe.ts';
import { card, opened, untilPictured } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

test.describe('axe', () => {
  // A new price fades briefly; contrast must be measured afterwards.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test("a coin's detail has no violation", async ({ page }) => {
    await page.goto('/app?coin=bitcoin');
    await hydrated(page);
    await expect(page.locator('canvas').first()).toBeVisible();
    // The rest of the page is checked by the route matrix.
    await expectNoViolation(page, 'section[aria-label="Bitcoin details"]');
  });

  test('the loaded cards, the glossary and open provenance have no violation', async ({ page, product }) => {
    await untilPictured(product);
    await page.goto('/app');
    await hydrated(page);
    await card(page, 'Trending Narratives');
    const chains = await card(page, 'Layer 1 Blockchains');
    await chains.getByRole('button', { name: /^Solana /, expanded: false }).click();
    const metrics = await card(page, 'Advanced Metrics');
    await metrics.getByRole('button', { name: 'Glossary' }).click();
    await expect(page.locator('#glossary dt').first()).toBeVisible();
    // At another scroll position a row may be half under the header, which axe reports as a target that is too small.
    await page.evaluate(() => scrollTo(0, 0));
    await expectNoViolation(page);
    await metrics.getByRole('button', { name: /^Where it comes from: Bitcoin dominance\. / }).click();
    await expect(opened(page).getByText('Stale after')).toBeVisible();
    await expectNoViolation(page, '[popover]:popover-open');
  });

  test('the settings have no violation', async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    await page.getByRole('button', { name: 'Settings and shortcuts' }).click();
    await expect(page.getByRole('dialog', { name: 'Settings and shortcuts' })).toBeVisible();
    await expectNoViolation(page);
  });

  test('an earlier moment that cannot be shown has no violation', async ({ page, problems }) => {
    await page.goto('/app?asOf=2020-01-01T00:00:00.000Z');
    await hydrated(page);
    await expect(page.getByRole('alert')).toBeVisible();
    await expectNoViolation(page);
    problems.length = 0;
  });
});
