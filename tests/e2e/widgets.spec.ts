import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from '@playwright/test';

import { audit } from './axe.ts';
import { expect, hydrated, test } from './product.ts';

// The first visit of a page may take long on a busy machine.
test.describe.configure({ timeout: 120_000 });

let foreign: Server;
let address: string;
let page = '';
test.beforeAll(async () => {
  foreign = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><head><title>Elsewhere</title></head><body><h1>Elsewhere</h1>${page}</body></html>`,
    );
  });
  await new Promise<void>((listening) => void foreign.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
});
test.afterAll(() => void foreign.close());

/** A page without scripts needs a meta refresh to update its price; it has one link and no input to lose. */
async function expectAccessible(tab: Page, within = 'html'): Promise<void> {
  const violations = await audit(tab, { include: within }, { rules: { 'meta-refresh': { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

test('a widget is built, copied and embedded in another page, where it shows its price with source and age', {
  tag: '@core',
}, async ({ page: tab, browser, product }) => {
  await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tab.goto('/app/api?tab=widgets');
  await hydrated(tab);
  const builder = tab.getByRole('region', { name: 'Widgets for Your Website' });
  await builder.getByLabel('Widget', { exact: true }).selectOption('price');
  await builder.getByLabel('Coin', { exact: true }).fill('ETH');
  await builder.getByRole('radio', { name: 'Dark' }).check();
  const preview = builder.frameLocator('iframe[src*="coin=ETH"][src*="theme=dark"]');
  await expect(preview.getByRole('heading', { name: 'Ethereum (ETH) in USD' })).toBeVisible();
  await expectAccessible(tab, '[aria-labelledby="widget-builder"]');
  await builder.getByRole('button', { name: 'Copy' }).click();
  await expect(tab.getByText('Embed code copied to clipboard!')).toBeVisible();
  const copied = await tab.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`<iframe src="${product.url}/widgets/price?coin=ETH&amp;theme=dark"`);

  page = copied;
  const visit = await browser.newPage();
  await visit.goto(address);
  const widget = visit.frameLocator('iframe');
  await expect(widget.locator('.big')).toHaveText(/^\$[\d,]+\.\d\d$/);
  await expect(widget.locator('small')).toHaveText(/ · \d+s ago · \d\d:\d\d UTC/);
  await expect(widget.getByText('Demo data')).toBeVisible();
  await expect(widget.getByRole('link', { name: 'Meridian' })).toHaveAttribute('target', '_blank');
  await visit.close();
});

test('other product pages cannot be framed elsewhere', async ({ browser, product }) => {
  const paths = ['/', '/about', '/app', '/app/api', '/app/events', '/reset-password', '/widgets', '/widgets/none'];
  page = paths.map((path) => `<iframe src="${product.url}${path}"></iframe>`).join('');
  const visit = await browser.newPage();
  const refused: string[] = [];
  visit.on('console', (message) => {
    if (/frame-ancestors|X-Frame-Options/.test(message.text())) refused.push(message.text());
  });
  await visit.goto(address);
  await expect.poll(() => refused.length).toBe(paths.length);
  for (const frame of visit.frames().slice(1)) expect(await frame.locator('#root, main').count()).toBe(0);
  await visit.close();
});

for (const theme of ['light', 'dark'])
  test(`every widget fits 200 to 1200 pixels and has no violation, ${theme}`, async ({ browser, product }) => {
    const tab = await (await browser.newContext()).newPage();
    for (const kind of ['ticker', 'price', 'fear-greed', 'next-event', 'price?coin=NOPE'])
      for (const width of [200, 420, 1200]) {
        await tab.setViewportSize({ width, height: 200 });
        await tab.goto(`${product.url}/widgets/${kind}${kind.includes('?') ? '&' : '?'}theme=${theme}`);
        expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        if (width !== 420) continue;
        await expectAccessible(tab);
      }
    await tab.context().close();
  });
