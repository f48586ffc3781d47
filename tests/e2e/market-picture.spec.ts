import type { Locator } from '@playwright/test';
import { ask, card, opened, type Picture, untilPictured } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

const TIME = /\d{1,2} \w{3} 20\d\d, \d\d:\d\d:\d\d UTC/;

test.beforeEach(async ({ page, product }) => {
  await untilPictured(product);
  await page.goto('/app');
  await hydrated(page);
});

const tile = (region: Locator, name: string) =>
  region
    .getByRole('list', { name: 'Core metrics, derivatives and on-chain' })
    .getByRole('listitem')
    .filter({ has: region.page().getByText(name, { exact: true }) });

test.describe('full market overview', () => {
  test('Advanced Metrics: twelve tiles, each with a figure or a reason, and the glossary below', {
    tag: '@core',
  }, async ({ page, product }) => {
    const metrics = await card(page, 'Advanced Metrics');
    const list = metrics.getByRole('list', { name: 'Core metrics, derivatives and on-chain' });
    await expect(list.locator('> li')).toHaveCount(12);
    for (const [name, figure] of [
      ['Bitcoin dominance', /\d+\.\d%/],
      ['Total market cap', /\$\d+\.\d\dT/],
      ['Fear & greed', /\d+/],
      ['Stablecoin supply ratio', /\d+\.\d\d/],
      ['Exchange netflow, 24h', /[+\u2212]\d[\d.]*K? BTC/],
      ['Open interest', /\$\d+\.\dB/],
      ['Funding rate, 8h', /\d\.\d{4}%/],
      // Counted since the start: until there is one, the tile says so.
      ['Liquidations, 24h', /\$\d[\d.]*[KMB]|No liquidation data received yet/],
      ['Whale transfers (> $1M), 24h', /\. \d[\d,]*|No source has provided this value yet/],
      ['Altcoin season', /\. \d+|are still being collected/],
      ['Hash rate', /\d+(\.\d+)? [EZ]H\/s/],
      ['Active BTC addresses, 24h', /\d+K/],
    ] as const) {
      await expect(tile(metrics, name)).toHaveCount(1);
      await expect(tile(metrics, name)).toContainText(figure);
    }
    await expect(async () => {
      const now = await ask<Picture>(product, '/api/dashboard');
      const dominance = now?.advancedMetrics?.bitcoinDominance.value ?? Number.NaN;
      await expect(tile(metrics, 'Bitcoin dominance')).toContainText(`${dominance.toFixed(1)}%`, { timeout: 1000 });
    }).toPass();
    await expect(metrics.getByRole('list', { name: 'Top narratives' }).getByRole('listitem')).toHaveCount(5);

    const meanings = metrics.getByRole('button', { name: 'Glossary' });
    await expect(meanings).toHaveAttribute('aria-expanded', 'false');
    await meanings.click();
    await expect(meanings).toHaveAttribute('aria-expanded', 'true');
    const glossary = page.locator('#glossary');
    await expect(glossary.getByText('Bitcoin’s market cap relative to the supply')).toBeVisible();
    expect(await glossary.locator('dt').count()).toBeGreaterThanOrEqual(12);
    await meanings.click();
    await expect(glossary.locator('dt')).toHaveCount(0);
  });

  test('clicking a figure shows its provenance and what it means', { tag: '@core' }, async ({ page, product }) => {
    const metrics = await card(page, 'Advanced Metrics');
    await metrics.getByRole('button', { name: /^Where it comes from: Bitcoin dominance\. / }).click();
    const certificate = opened(page);
    await expect(certificate).toHaveCount(1);
    const line = (name: string) => certificate.locator(`dt:text-is("${name}") + dd`);
    const now = await ask<Picture>(product, '/api/dashboard');
    await expect(line('Source')).toHaveText(now?.advancedMetrics?.bitcoinDominance.meta.value.source ?? '');
    await expect(line('Method')).toHaveText('Demo: the simulated market');
    await expect(line('Observed')).toHaveText(new RegExp(`^${TIME.source}, .+ ago$`));
    await expect(line('Fetched')).toHaveText(TIME);
    await expect(line('Stale after')).toHaveText(TIME);
    await expect(certificate).toContainText('Bitcoin’s share of the total market cap.');
    await expect(certificate).toContainText('Formula: ');
    await page.keyboard.press('Escape');
    await expect(opened(page)).toHaveCount(0);

    await metrics.getByRole('button', { name: /^Where it comes from: Bitcoin dominance\. / }).click();
    await opened(page).getByRole('link', { name: 'Open as page' }).click();
    await expect(page).toHaveURL(/\/app\/figures\/dominance\.btc$/);
    await expect(page.getByRole('region', { name: 'How Sources Compare' })).toContainText('Shown');
  });

  test('clicking a number in the prices shows its source; the row beside it still opens its chart', async ({
    page,
  }) => {
    const row = page.locator('[data-coin="ethereum"]');
    const detail = page.getByRole('region', { name: 'Ethereum details' });
    const cap = row.locator('[data-figure="market_cap"]');
    // The code of the popover loads a moment after the page.
    await expect(async () => {
      await cap.click({ timeout: 5000 });
      await expect(opened(page)).toContainText('Ethereum, market cap', { timeout: 5000 });
    }).toPass();
    const certificate = opened(page);
    await expect(certificate).toContainText('Method');
    await expect(certificate).toContainText('Demo: the simulated market');
    await expect(certificate).toContainText(new RegExp(`Observed${TIME.source}, .+ ago`));
    await expect(certificate).toContainText('Value of the coin’s circulating supply.');
    await expect(detail).toHaveCount(0);

    // Another number replaces it, the same one closes it.
    await row.locator('[data-figure="price"]').click();
    await expect(certificate).toContainText('Ethereum, price');
    await expect(certificate).toHaveCount(1);
    await expect(certificate.getByText(/^\$[\d,]+\.\d\d$/)).toBeVisible();
    await row.locator('[data-figure="price"]').click();
    await expect(certificate).toHaveCount(0);

    // A click between the numbers hits the row itself.
    const box = await row.boundingBox();
    const beside = await row.locator('[data-figure="price"]').boundingBox();
    if (!box || !beside) throw new Error('The row is not on the page');
    await row.click({ position: { x: beside.x - box.x - 30, y: box.height / 2 } });
    await expect(detail).toBeVisible();
    await expect(certificate).toHaveCount(0);
  });

  test('by keyboard: arrows move from a coin to its numbers, Enter shows a source, Escape returns, Enter on a coin opens a chart', async ({
    page,
  }) => {
    const coin = page.locator('[data-coin="solana"]').getByRole('button', { name: 'SOL Solana' });
    const price = page.locator('[data-coin="solana"] [data-figure="price"]');
    await expect(async () => {
      await coin.focus();
      await page.keyboard.press('ArrowRight');
      await expect(price).toBeFocused({ timeout: 1000 });
    }).toPass();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(opened(page)).toContainText('Solana, 24h change');
    await page.keyboard.press('Escape');
    await expect(opened(page)).toHaveCount(0);
    await expect(page.locator('[data-coin="solana"] [data-figure="change_24h"]')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('[data-coin="sui"] [data-figure="change_24h"]')).toBeFocused();
    await coin.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Solana details' })).toBeVisible();
  });

  test('the pulse strip fits a wide screen, even with a scrollbar', async ({ page }) => {
    const strip = page.getByRole('list', { name: 'Market pulse' });
    await page.setViewportSize({ width: 1440 - 17, height: 900 });
    await expect(strip.getByRole('button', { name: /Stablecoin supply ratio/ })).toBeVisible();
    expect(await strip.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    const tight = strip.evaluate((list) =>
      [...list.querySelectorAll('li > span:first-child')]
        .filter((head) => head.scrollWidth > head.clientWidth)
        .map((head) => head.textContent),
    );
    expect(await tight).toEqual([]);
  });

  test('every number in the pulse strip shows its source', async ({ page }) => {
    const strip = page.getByRole('list', { name: 'Market pulse' });
    for (const [name, words] of [
      ['Bitcoin, price', 'The latest observation from any source.'],
      ['XRP, 24h change', 'Current price vs. 24 hours ago.'],
      ['Total market cap', 'Sum over 60 coins'],
      ['Total volume, 24h', 'Sum over 60 coins'],
      ['Turnover, 24h', 'Share of the total market cap traded in a day.'],
      ['Bitcoin dominance', 'Bitcoin’s share of the total market cap.'],
    ] as const) {
      const figure = strip.getByRole('button', { name: new RegExp(`^Where it comes from: ${name}\\. `) });
      await expect(async () => {
        await figure.click({ timeout: 5000 });
        await expect(opened(page)).toContainText(words, { timeout: 5000 });
      }).toPass();
      await page.keyboard.press('Escape');
      await expect(opened(page)).toHaveCount(0);
    }
    await expect(strip.getByRole('button', { name: /^(Where it comes from|Why it is missing): / })).toHaveCount(18);
  });
});
