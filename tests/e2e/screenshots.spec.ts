import type { Page } from '@playwright/test';

import { card, untilPictured, untilStored } from './picture.ts';
import { hydrated, test } from './product.ts';

const DAY_MS = 86_400_000;
const then = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 2.5 * DAY_MS).toISOString();
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

/** Waits until every card has its numbers, then scrolls to the top. */
async function cards(page: Page): Promise<void> {
  for (const name of ['Trending Narratives', 'Advanced Metrics', 'Layer 1 Blockchains']) await card(page, name);
  await page.evaluate(() => scrollTo(0, 0));
}

const demoAccounts = (page: Page) => page.getByRole('region', { name: 'Demo accounts' }).waitFor();
const account = (title: string) => (page: Page) => page.getByRole('heading', { level: 1, name: title }).waitFor();

const STATES: readonly (readonly [name: string, path: string, prepare?: (page: Page) => Promise<void>])[] = [
  ['landing', '/'],
  ['dashboard', '/app', cards],
  ['all-coins', '/app', press('Show all 60')],
  ['coin', '/app?coin=bitcoin'],
  ['not-found', '/app/no-such-page'],
  ['history', '/app/history'],
  ['track-record', '/app/track-record'],
  ['sources', '/app/sources'],
  ['public-about', '/about'],
  ['about', '/app/about'],
  ['contact', '/app/contact'],
  ['api', '/app/api'],
  ['api-assistants', '/app/api?tab=assistants'],
  ['api-widgets', '/app/api?tab=widgets'],
  ['privacy', '/app/privacy'],
  ['terms', '/app/terms'],
  ['earlier', `/app?asOf=${then}`, cards],
  ['settings', '/app', press('Settings and shortcuts')],
  ['sign-in', '/app?auth=login', demoAccounts],
  ['sign-up', '/app?auth=register', demoAccounts],
  ['reset-password', '/reset-password?token=re_never', account('Reset Your Password')],
  ['reset-link-invalid', '/reset-password', account('Invalid Reset Link')],
  ['confirm-error', '/auth/confirm-error', account('Confirmation Failed')],
  ['resend-confirmation', '/resend-confirmation', account('Resend Confirmation Email')],
  ['moment', '/app', press(/^Time shown/)],
  [
    'birth-certificate',
    '/app',
    async (page) => {
      const metrics = await card(page, 'Advanced Metrics');
      await metrics.getByRole('button', { name: /^Where it comes from: Bitcoin dominance\. / }).click();
    },
  ],
  [
    'glossary',
    '/app',
    async (page) => {
      await cards(page);
      await press('Glossary')(page);
    },
  ],
  ['events', '/app/events'],
  ['events-calendar', '/app/events?view=calendar'],
  [
    'inflation',
    '/app',
    async (page) => {
      await cards(page);
      await press('How it’s calculated')(page);
    },
  ],
  [
    'chain',
    '/app',
    async (page) => {
      await cards(page);
      await press(/^Solana /)(page);
    },
  ],
];
const ON_SCREEN: ReadonlySet<string> = new Set([
  'all-coins',
  'settings',
  'sign-in',
  'sign-up',
  'moment',
  'birth-certificate',
]);

test.beforeEach(async ({ product }) => {
  await untilPictured(product);
});

for (const width of [1440, 390]) {
  for (const colorScheme of ['dark', 'light'] as const) {
    test.describe(`${width} ${colorScheme}`, () => {
      test.use({ colorScheme, viewport: { width, height: width > 800 ? 900 : 844 } });

      for (const [name, path, prepare] of STATES) {
        test(name, async ({ page, product }) => {
          if (name === 'earlier') await untilStored(product, then);
          await page.goto(path);
          if (path.startsWith('/app')) await hydrated(page);
          await prepare?.(page);
          await page.waitForTimeout(2000);
          await page.screenshot({
            path: `artifacts/shots/${name}-${width}-${colorScheme}.png`,
            fullPage: !ON_SCREEN.has(name),
          });
        });
      }
    });
  }
}
