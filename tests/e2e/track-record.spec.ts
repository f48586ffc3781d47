import type { RunningProduct } from '../support/running-product.ts';
import { expectNoViolation } from './axe.ts';
import { PASSWORD } from './dialog.ts';
import { enter, newPro } from './people.ts';
import { ask, card } from './picture.ts';
import { expect, hydrated, test } from './product.ts';

/** The demo's past is written in the first minutes. */
async function untilGraded(product: RunningProduct): Promise<void> {
  const total = async () =>
    (await ask<{ total_predictions: number }>(product, '/api/backtest'))?.total_predictions ?? 0;
  await expect.poll(total, { timeout: 420_000, intervals: [1000] }).toBeGreaterThan(100);
}

test.beforeEach(async ({ product }) => {
  test.setTimeout(540_000);
  await untilGraded(product);
});

test('the record from the sidebar and from its card: skill first, then every call', { tag: '@core' }, async ({
  page,
}) => {
  await page.goto('/app');
  await hydrated(page);
  const backtest = await card(page, 'Backtest Performance');
  await expect(backtest.getByRole('img', { name: /^Latest 40 graded calls/ })).toBeVisible();
  await backtest.getByRole('link', { name: 'Full track record' }).click();
  await expect(page).toHaveURL(/\/app\/track-record$/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Track Record' }).click();

  const skill = page.getByRole('region', { name: 'Models in use' });
  await skill
    .getByRole('button', { name: /^7 days/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 2, name: /, 7 days$/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Calibration of up\./ })).toBeVisible();

  await page.getByRole('combobox', { name: 'State' }).selectOption('Graded');
  const rows = page.getByRole('region', { name: 'Calls', exact: true }).getByRole('row');
  await expect(rows.filter({ hasText: /Hit|Miss/ })).toHaveCount(25);
  await page.getByRole('button', { name: 'Load older calls' }).click();
  await expect(rows.filter({ hasText: /Hit|Miss/ })).toHaveCount(50);
});

test('the ledger: verified, with both files', { tag: '@core' }, async ({ page }) => {
  await page.goto('/app/track-record');
  await hydrated(page);
  await page.getByRole('button', { name: 'Verify the ledger' }).click();
  await expect(page.getByText(/^✓ All [\d,]+ entries verified$/)).toBeVisible();
  for (const [name, file] of [
    ['Ledger, JSON Lines', /^meridian-ledger-.*\.jsonl$/],
    ['Calls, CSV', /^meridian-calls-.*\.csv$/],
  ] as const) {
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name }).click();
    expect((await coming).suggestedFilename()).toMatch(file);
  }
});

test.describe('axe', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the record and its card have no violation', async ({ page }) => {
    await page.goto('/app/track-record');
    await hydrated(page);
    await expect(page.getByRole('heading', { level: 3, name: 'Hit rate' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Calls', exact: true })).toBeVisible();
    await expectNoViolation(page);
    await page.goto('/app');
    await hydrated(page);
    await card(page, 'Backtest Performance');
    await expect(page.getByRole('table', { name: 'Recent results' })).toBeVisible();
    await expectNoViolation(page);
  });
});

test('the open league: a forecast sent with an API key gets a row, a page and a badge', {
  tag: '@core',
}, async ({ page }) => {
  const email = await newPro(page, 'league');
  await enter(page, email, PASSWORD, '/app/profile?tab=api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const create = page.getByRole('dialog', { name: 'Create an API key' });
  await create.getByLabel('Name').fill('League');
  await create.getByRole('checkbox', { name: /^Submit forecasts/ }).check();
  await create.getByRole('button', { name: 'Create Key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your API key' });
  const key = (await shown.getByText(/^mk_live_/).textContent()) ?? '';
  await shown.getByRole('button', { name: 'Close' }).click();

  const forecaster = email
    .slice(0, email.indexOf('@'))
    .replaceAll(/[^a-z0-9]/g, '-')
    .slice(0, 30);
  const sent = await page.request.post('/api/v1/forecasts', {
    headers: { 'x-api-key': key },
    data: {
      forecaster,
      forecasts: [{ asset: 'BTC', horizon: '24h', probabilities: { up: 0.3, flat: 0.4, down: 0.3 } }],
    },
  });
  expect(await sent.json()).toMatchObject({ forecaster, forecasts: [{ asset: 'BTC' }] });

  await page.goto('/app/track-record');
  await hydrated(page);
  // A card that loads above the link would move it under the pointer.
  await expect(page.locator('main .skel')).toHaveCount(0);
  await page.getByRole('link', { name: 'Go to the league' }).click();
  await page.getByRole('link', { name: forecaster }).click();
  await expect(page.getByRole('heading', { level: 1, name: forecaster })).toBeVisible();
  await expect(page.getByText(/· 1 forecast, 1 open$/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Calls', exact: true }).getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('img', { name: `${forecaster} in the Meridian open league, 24h` })).toBeVisible();
  await expectNoViolation(page);
});
