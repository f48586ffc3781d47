import { ask, card, type Picture, untilPictured, untilStored } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

const DAY_MS = 86_400_000;

/** Noon, three days ago: an hour whose figures are stored. */
const noon = () => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS + DAY_MS / 2).toISOString();
const figure = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

test.describe('the dashboard at an earlier moment', () => {
  test('chosen, it shows the figures of then and nothing that moves; the address keeps it; Back to now returns', {
    tag: '@core',
  }, async ({ page, context, product }) => {
    await untilPictured(product);
    const at = noon();
    const then = await untilStored(product, at);
    const now = await ask<Picture>(product, '/api/dashboard');
    const priceOf = (picture: Picture | null) => picture?.cryptoPrices.find(({ id }) => id === 'bitcoin')?.price ?? 0;
    expect(priceOf(then)).toBeGreaterThan(0);
    expect(priceOf(then)).not.toBe(priceOf(now));

    await page.goto('/app');
    await hydrated(page);
    const time = page.getByRole('button', { name: /^Time shown/ });
    await expect(time).toHaveText(/Now$/);
    await time.click();
    const dialog = page.getByRole('dialog', { name: 'Time shown' });
    const field = dialog.getByLabel('Moment (UTC)');
    const show = dialog.getByRole('button', { name: 'Show this moment' });
    await field.fill(new Date(Date.now() - 31 * DAY_MS).toISOString().slice(0, 16));
    await expect(dialog.getByText('Choose a moment within the last 30 days.')).toBeVisible();
    await expect(show).toBeDisabled();
    await field.fill(at.slice(0, 16));
    await show.click();

    const banner = page.getByRole('region', { name: 'Earlier moment' });
    const said = /^Showing \d{1,2} \w{3} 20\d\d, 12:00 UTC, from stored observations$/;
    await expect(banner.getByRole('status')).toHaveText(said);
    expect(new URL(page.url()).searchParams.get('asOf')).toBe(at);
    const bitcoin = page.locator('[data-coin="bitcoin"]');
    await expect(bitcoin).toContainText(figure(priceOf(then)));
    await expect(bitcoin.getByRole('button', { name: /Bitcoin/ })).toBeDisabled();
    const metrics = await card(page, 'Advanced Metrics');
    const dominance = then.advancedMetrics?.bitcoinDominance.value ?? Number.NaN;
    await expect(metrics.getByRole('button', { name: /^Where it comes from: Bitcoin dominance\. / })).toHaveText(
      new RegExp(`${dominance.toFixed(1)}%$`),
    );

    // Another page of the same browser gets ticks; this one does not move.
    const live = await context.newPage();
    await live.goto(`${product.url}/app`);
    await hydrated(live);
    const text = () => live.locator('[data-coin="bitcoin"]').innerText();
    const before = await text();
    const still = await bitcoin.innerText();
    await expect.poll(text).not.toBe(before);
    await live.close();
    expect(await bitcoin.innerText()).toBe(still);

    await page.reload();
    await hydrated(page);
    await expect(banner.getByRole('status')).toHaveText(said);
    await expect(bitcoin).toContainText(figure(priceOf(then)));
    const wide = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole('list', { name: 'Market pulse' }).getByText('SSR')).toBeAttached();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.setViewportSize(wide);

    await banner.getByRole('button', { name: 'Back to now' }).click();
    await expect(banner).toHaveCount(0);
    expect(new URL(page.url()).searchParams.has('asOf')).toBe(false);
    await expect(bitcoin).not.toContainText(figure(priceOf(then)));
    await expect(bitcoin.getByRole('button', { name: /Bitcoin/ })).toBeEnabled();
  });
});
