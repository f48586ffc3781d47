import { ask, card, type Picture, untilPictured, untilStored } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

const DAY_MS = 86_400_000;

/** Noon, three days ago: an hour with stored figures. */
const noon = () => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS + DAY_MS / 2).toISOString();
const figure = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

test.describe('dashboard at an earlier moment', () => {
  test('dragged or selected, it shows past figures and no live updates; the URL stores it; Back to now returns', {
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
    const bar = page.getByRole('region', { name: 'Time shown' });
    const field = bar.getByLabel('Moment (UTC)');
    await field.fill(new Date(Date.now() - 31 * DAY_MS).toISOString().slice(0, 16));
    await expect(bar.getByText('Choose a moment within the last 30 days.')).toBeVisible();
    expect(new URL(page.url()).searchParams.has('asOf')).toBe(false);

    // The whole page follows a drag with the mouse.
    await bar.getByRole('radio', { name: '30d' }).click();
    await expect(page).toHaveURL(/\?time=30d$/);
    const slider = bar.getByRole('slider', { name: 'Moment' });
    const track = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const y = track.y + track.height / 2;
    await page.mouse.move(track.x + track.width - 8, y);
    await page.mouse.down();
    await page.mouse.move(track.x + track.width / 2, y, { steps: 5 });
    await expect(bar.getByRole('status')).toHaveText(/^Showing .*, from stored observations$/);
    await page.mouse.up();
    const asOf = () => Date.parse(new URL(page.url()).searchParams.get('asOf') ?? '');
    expect(Math.abs(Date.now() - 15 * DAY_MS - asOf())).toBeLessThan(DAY_MS);

    const said = /^Showing \d{1,2} \w{3} 20\d\d, 12:00 UTC, from stored observations$/;
    await field.fill(at.slice(0, 16));
    await expect(bar.getByRole('status')).toHaveText(said);
    expect(asOf()).toBe(Date.parse(at));
    const bitcoin = page.locator('[data-coin="bitcoin"]');
    await expect(bitcoin).toContainText(figure(priceOf(then)));
    await expect(bitcoin.getByRole('button', { name: /Bitcoin/ })).toBeDisabled();
    const metrics = await card(page, 'Advanced Metrics');
    const dominance = then.advancedMetrics?.bitcoinDominance.value ?? Number.NaN;
    await expect(metrics.getByRole('button', { name: /^Where it comes from: Bitcoin dominance\. / })).toHaveText(
      new RegExp(`${dominance.toFixed(1)}%$`),
    );

    // Another page of the same browser receives ticks; this one does not change.
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
    await expect(bar.getByRole('status')).toHaveText(said);
    await expect(bar.getByRole('radio', { name: '30d' })).toBeChecked();
    await expect(bitcoin).toContainText(figure(priceOf(then)));
    const wide = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole('list', { name: 'Market pulse' }).getByText('SSR')).toBeAttached();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.setViewportSize(wide);

    await bar.getByRole('button', { name: 'Back to now' }).click();
    await expect(bar.getByRole('button', { name: 'Back to now' })).toHaveCount(0);
    expect(new URL(page.url()).searchParams.has('asOf')).toBe(false);
    await expect(bitcoin).not.toContainText(figure(priceOf(then)));
    await expect(bitcoin.getByRole('button', { name: /Bitcoin/ })).toBeEnabled();
  });
});
