import type { Page } from '@playwright/test';

import { ACCOUNT_PAGES, APP_PAGES, DEMO_PAGES } from '#server/pages/page-names.ts';
import { MOVED } from '#shared/moved.ts';

import { enterDemo } from './people.ts';
import { expect, hydrated, test } from './product.ts';

const PUBLIC = ['/', '/about', '/status'];
const APP = ['/app', ...Object.keys(APP_PAGES), ...Object.keys(DEMO_PAGES)];
const ACCOUNT = Object.keys(ACCOUNT_PAGES);
const MISSING = ['/no/such/page', '/app/no-such-page'];

/** What is wrong with a page as it stands; empty when all is well. */
async function faultsOf(page: Page, path: string, status: number): Promise<string[]> {
  const response = await page.goto(path, { waitUntil: 'load' });
  if (await page.locator('#root').count()) await hydrated(page);
  // A page that comes late has its heading with its text.
  await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeAttached({ timeout: 30_000 });
  const [headings, title, over] = await page.evaluate(() => [
    document.querySelectorAll('h1').length,
    document.title,
    document.documentElement.scrollWidth - document.documentElement.clientWidth,
  ]);
  const faults: [boolean, string][] = [
    [response?.status() !== status, `${path} answers ${response?.status()}`],
    [headings !== 1, `${path} has ${headings} main headings`],
    [!/\S.* · Meridian$|^Meridian: \S/.test(title), `${path} is called ${title}`],
    [over > 0, `${path} is ${over} pixels wider than the screen`],
  ];
  return faults.flatMap(([wrong, what]) => (wrong ? [what] : []));
}

async function walk(page: Page, problems: string[], paths: readonly string[], status = 200): Promise<string[]> {
  const faults: string[] = [];
  for (const path of paths) {
    faults.push(...(await faultsOf(page, path, status)));
    faults.push(...problems.splice(0).map((what) => `${path}: ${what}`));
  }
  return faults;
}

test.describe('every route, on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, contextOptions: { reducedMotion: 'reduce' } });

  test('stands without an error for a visitor, then for an administrator', async ({ page, problems }) => {
    test.setTimeout(300_000);
    expect(await walk(page, problems, [...PUBLIC, ...APP, ...ACCOUNT])).toEqual([]);
    expect(await walk(page, problems, MISSING, 404)).toEqual([]);
    for (const [from, to] of MOVED) {
      const answer = await page.request.get(from, { maxRedirects: 0 });
      expect([answer.status(), answer.headers()['location']]).toEqual([302, to]);
    }
    await enterDemo(page, 'admin', '/app');
    expect(await walk(page, problems, APP)).toEqual([]);
  });
});
