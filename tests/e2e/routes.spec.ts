import type { Page } from '@playwright/test';

import { ACCOUNT_PAGES, APP_PAGES, DEMO_PAGES } from '#app/server/pages/page-names.ts';
import { MOVED } from '#shared/moved.ts';

import { violationsOf } from './axe.ts';
import { enterDemo } from './people.ts';
import { expect, hydrated, test } from './product.ts';

const PUBLIC = ['/', '/about', '/status'];
const FIGURES = ['/app/figures/price:bitcoin', '/app/figures/addresses.btc.new'];
const APP = ['/app', ...Object.keys(APP_PAGES), ...Object.keys(DEMO_PAGES), ...FIGURES];
const ACCOUNT = Object.keys(ACCOUNT_PAGES);
const MISSING = ['/no/such/page', '/app/no-such-page'];
const tabs = (path: string, ids: string) => ids.split(' ').map((id) => `${path}?tab=${id}`);
const TABS = [
  ...tabs('/app/admin', 'collections ai events users telegram sources jobs payments messages mail deliveries'),
  ...tabs('/app/admin', 'status audit settings'),
  ...tabs('/app/profile', 'subscription notifications api-keys security'),
  ...tabs('/app/api', 'assistants widgets'),
];
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

/** Accessibility and layout faults of the current page in both themes; SHOTS=1 saves screenshots for review. */
async function faultsOfSight(page: Page, name: string): Promise<string[]> {
  // Content not loaded by then is checked as it is.
  await expect(page.locator('main .skel'))
    .toHaveCount(0, { timeout: 5_000 })
    .catch(() => undefined);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const faults = await violationsOf(page);
  if (over > 0) faults.push(`${over} pixels wider than the screen`);
  if (process.env['SHOTS'])
    for (const theme of ['light', 'dark']) {
      await page.evaluate((chosen) => void (document.documentElement.dataset['theme'] = chosen), theme);
      await page.screenshot({ path: `artifacts/routes/${name}-${theme}.jpeg`, fullPage: true, quality: 60 });
    }
  return faults;
}

/** Faults of a page; empty when it is correct. */
async function faultsOf(page: Page, path: string, status: number): Promise<string[]> {
  const response = await page.goto(path, { waitUntil: 'load' });
  if (await page.locator('#root').count()) await hydrated(page);
  // A page loaded late gets its heading with its content.
  await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeAttached();
  // A redirecting page has none for a moment: check it once the same heading has been stable for a while.
  const settled = () => {
    const state = window as { stood?: string };
    const heads = [...document.querySelectorAll('h1')].map(({ textContent }) => textContent);
    const now = `${location.pathname} ${heads.join('|')}`;
    const same = state.stood === now && heads.length === 1;
    state.stood = now;
    return same;
  };
  await page.waitForFunction(settled, undefined, { timeout: 20_000, polling: 150 }).catch(() => undefined);
  const [headings, title] = await page.evaluate(() => [document.querySelectorAll('h1').length, document.title]);
  const faults: [boolean, string][] = [
    [response?.status() !== status, `${path} answers ${response?.status()}`],
    [headings !== 1, `${path} has ${headings} main headings`],
    [!/\S.* · Meridian$|^Meridian: \S/.test(title), `${path} is called ${title}`],
  ];
  return faults.flatMap(([wrong, what]) => (wrong ? [what] : []));
}

/** Above this sum of layout shifts a page does not count as stable (Core Web Vitals). */
const MAX_SHIFT = 0.1;

/** Records the layout shifts of each page opened from now on: their sum, and what moved most. */
const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts = { sum: 0, most: 0, moved: '' };
    Object.assign(window, { shifts });
    const nameOf = (node: Node | null) => (node instanceof Element ? `${node.tagName} ${node.className}` : 'text');
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as { value: number; sources: { node: Node | null }[] };
        shifts.sum += value;
        if (value <= shifts.most) continue;
        shifts.most = value;
        shifts.moved = sources.map(({ node }) => nameOf(node).slice(0, 60)).join(', ');
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

const shiftsOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { shifts: { sum: number; moved: string } }).shifts);

type Walk = { who?: string; status?: number };

/** With `who`, the visual checks run as well. */
async function walk(page: Page, problems: string[], paths: readonly string[], { who, status = 200 }: Walk) {
  const faults: string[] = [];
  await recordShifts(page);
  for (const path of paths) {
    faults.push(...(await faultsOf(page, path, status)));
    const sight = who === undefined ? [] : await faultsOfSight(page, who + path.replaceAll(/\W+/g, '-'));
    const { sum, moved } = await shiftsOf(page);
    if (sum > MAX_SHIFT) sight.push(`content moves by ${sum.toFixed(3)}: ${moved}`);
    faults.push(...[...sight, ...problems.splice(0)].map((what) => `${path}: ${what}`));
  }
  return faults;
}

test('every page of the app loads without an error for an administrator', { tag: '@core' }, async ({
  page,
  problems,
}) => {
  await page.setViewportSize(PHONE);
  await enterDemo(page, 'admin', '/app');
  expect(await walk(page, problems, APP, {})).toEqual([]);
});

/** The accessibility matrix: pages and tabs, widths, themes, as a visitor and as an administrator. */
for (const viewport of [PHONE, DESKTOP]) {
  const { width } = viewport;
  test.describe(`every route at ${width}`, () => {
    test.describe.configure({ mode: 'parallel' });
    test.use({ viewport, contextOptions: { reducedMotion: 'reduce' } });
    test.beforeEach(() => test.setTimeout(600_000));

    const tag = width === PHONE.width ? ['@core'] : [];
    test('loads without an error for a visitor, and redirects moved pages', { tag }, async ({ page, problems }) => {
      for (const [from, to] of MOVED) {
        const answer = await page.request.get(from, { maxRedirects: 0 });
        expect([answer.status(), answer.headers()['location']]).toEqual([302, to]);
      }
      const who = `visitor-${width}`;
      expect(await walk(page, problems, [...PUBLIC, ...ACCOUNT], { who })).toEqual([]);
      expect(await walk(page, problems, MISSING, { who, status: 404 })).toEqual([]);
    });

    test('every page of the app loads without an error for a visitor', async ({ page, problems }) => {
      expect(await walk(page, problems, APP, { who: `visitor-${width}` })).toEqual([]);
    });

    for (const [what, paths] of [
      ['page', APP],
      ['tab', TABS],
    ] as const)
      test(`every ${what} stands without an error for an administrator`, async ({ page, problems }) => {
        await enterDemo(page, 'admin', '/app');
        expect(await walk(page, problems, paths, { who: `admin-${width}` })).toEqual([]);
      });
  });
}
