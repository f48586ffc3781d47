import type { Page } from '@playwright/test';

import { forgive, PASSWORD } from './dialog.ts';
import { enter, enterDemo, newPro } from './people.ts';
import { expect, hydrated, test } from './product.ts';

const TAB = '/app/profile?tab=api-keys';
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** The status that a program with this key receives, requested from a page of ours. */
const callWith = (page: Page, key: string) =>
  page.evaluate(
    async (key) => (await fetch('/api/v1/crypto-prices?limit=1', { headers: { 'x-api-key': key } })).status,
    key,
  );

/** Reads the key, which is shown only once, and closes the dialog. */
async function takeKey(page: Page): Promise<string> {
  const shown = dialog(page, 'Your API key');
  const key = (await shown.getByText(/^mk_live_/).textContent()) ?? '';
  await shown.getByRole('button', { name: 'Close' }).click();
  await expect(shown).toBeHidden();
  return key;
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog(page, 'Create an API key').getByLabel('Name').fill(name);
  await dialog(page, 'Create an API key').getByRole('button', { name: 'Create Key' }).click();
  return takeKey(page);
}

test('a key is created, copied, used, regenerated with an overlap, and deactivated', { tag: '@core' }, async ({
  page,
  context,
  problems,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter(page, await newPro(page, 'keys'), PASSWORD, TAB);
  await expect(page.getByText('No API keys yet')).toBeVisible();

  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog(page, 'Create an API key').getByLabel('Name').fill('Trading bot');
  await page.keyboard.press('Enter');
  const shown = dialog(page, 'Your API key');
  await shown.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('API key copied to clipboard!')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press('Escape');
  const first = await takeKey(page);
  expect(copied).toBe(first);
  expect(await page.content()).not.toContain(first);

  for (let call = 0; call < 3; call += 1) expect(await callWith(page, first)).toBe(200);
  const row = page.getByRole('listitem').filter({ hasText: 'Trading bot' });
  await expect(async () => {
    await page.reload();
    await hydrated(page);
    await expect(row.getByText(/last used .* · 3 calls$/)).toBeVisible();
    await expect(page.getByText('3 of 1,000 calls today')).toBeVisible();
  }).toPass({ timeout: 60_000 });

  await row.getByRole('button', { name: 'Regenerate' }).click();
  const regenerate = dialog(page, 'Regenerate Trading bot');
  await regenerate.getByLabel('1 hour').check();
  await regenerate.getByRole('button', { name: 'Regenerate' }).click();
  await expect(shown.getByText(/^The previous key works until/)).toBeVisible();
  const second = await takeKey(page);
  expect(second).not.toBe(first);
  await expect(row.getByText(/^The previous key works until/)).toBeVisible();
  expect([await callWith(page, first), await callWith(page, second)]).toEqual([200, 200]);

  await row.getByRole('button', { name: 'Deactivate' }).click();
  const question = dialog(page, 'Deactivate API key');
  await expect(question.getByText('Are you sure you want to deactivate this API key?')).toBeVisible();
  await question.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('No API keys yet')).toBeVisible();
  expect([await callWith(page, first), await callWith(page, second)]).toEqual([401, 401]);
  forgive(problems, 401);
});

test('the reference page is public; a call is tried with a real key, and samples update', {
  tag: '@core',
}, async ({ page, problems }) => {
  await page.goto('/app/api#get-crypto-prices');
  await hydrated(page);
  const call = page.locator('#get-crypto-prices');
  await expect(call.getByRole('heading', { name: 'Try it' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Create an account' })).toBeVisible();

  await enter(page, await newPro(page, 'tries'), PASSWORD, TAB);
  const key = await createKey(page, 'For the reference');
  await page.getByRole('link', { name: /^API reference/ }).click();
  await page
    .getByRole('navigation', { name: 'Endpoints' })
    .getByRole('link', { name: '/crypto-prices', exact: true })
    .click();
  await expect(page).toHaveURL('/app/api#get-crypto-prices');
  await call.getByLabel('API key').fill(key);
  await call.getByLabel('limit').fill('2');
  await call.getByRole('button', { name: 'Send' }).click();
  await expect(call.getByText(/^200/)).toBeVisible();
  await expect(call.getByRole('group', { name: 'Response' })).toContainText('"symbol": "BTC"');
  await expect(call.getByText(/"daily";r=\d+;t=\d+/)).toBeVisible();
  for (const name of ['TypeScript', 'Python', 'curl']) {
    await call.getByRole('radio', { name }).check();
    await expect(call.getByRole('region', { name: `Sample in ${name}` })).toContainText(
      `${new URL(page.url()).origin}/api/v1/crypto-prices?limit=2`,
    );
  }
  await call.getByLabel('API key').fill('mk_live_wrong');
  await call.getByRole('button', { name: 'Send' }).click();
  await expect(call.getByText('401 Unauthorized')).toBeVisible();
  expect(
    await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])),
  ).not.toContain(key);
  forgive(problems, 401);
});

test('a stream shows messages within ten seconds', async ({ page }) => {
  await enter(page, await newPro(page, 'streams'), PASSWORD, TAB);
  const key = await createKey(page, 'For the stream');
  await page.getByRole('link', { name: /^API reference/ }).click();
  await page.getByRole('searchbox', { name: 'Search endpoints' }).fill('stream');
  // The list is filtered a moment after the last keystroke; until then the button may move.
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: /\/stream/ }).click();
  const call = page.locator('#get-stream');
  await call.getByLabel('API key').fill(key);
  await call.getByRole('button', { name: 'Send' }).click();
  await expect(call.getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(call.getByText('Stopped: partial response')).toBeVisible();
  await expect(call.getByRole('region', { name: /^Response body/ })).toContainText('retry:');
});

test('every documented call is on the page', async ({ page }) => {
  await enterDemo(page, 'premium', '/app/api');
  const ids = page.getByRole('article');
  await expect(ids.first()).toBeVisible();
  const document = (await (await page.request.get('/api/openapi.json')).json()) as { paths: Record<string, object> };
  const calls = Object.values(document.paths).flatMap((item) => Object.keys(item));
  await expect(ids).toHaveCount(calls.length);
});
