import type { Browser } from '@playwright/test';

import type { Benchmark, Context } from './benchmark.ts';
import { openPage, type Size, sleep, startBrowser } from './support/browser.ts';
import { startFilledDatabase, startProduct } from './support/product.ts';

const UPDATES_PER_SECOND = 10;
const WATCHED_MS = 5000;
const SIZES: Size[] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const PAGES: [name: string, path: string][] = [
  ['landing', '/'],
  ['app', '/app'],
];

type Shift = { value: number; atMs: number; moved: string[] };

/** Runs in the page before anything else of it; text, because it knows the browser and this program does not. */
const COLLECT = `
  window.shifts = [];
  const nameOf = (node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    return element ? (element.tagName.toLowerCase() + '.' + (element.getAttribute('class') ?? '')).slice(0, 60) : 'gone';
  };
  new PerformanceObserver((list) => {
    for (const { value, startTime, sources } of list.getEntries())
      window.shifts.push({ value, atMs: Math.round(startTime), moved: (sources ?? []).map(({ node }) => nameOf(node)) });
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** The sum of all shifts of a first visit, an upper bound of CLS, which takes the worst five seconds. */
async function shiftsOf(browser: Browser, url: string, size: Size): Promise<Shift[]> {
  const page = await openPage(browser, size);
  await page.addInitScript(COLLECT);
  await page.goto(url, { waitUntil: 'load' });
  await sleep(WATCHED_MS);
  const shifts = await page.evaluate<Shift[]>('window.shifts');
  await page.context().close();
  return shifts;
}

async function run(context: Context): Promise<void> {
  const product = await startProduct(context, await startFilledDatabase(context));
  const browser = await startBrowser(context);
  await product.call('startTicks', UPDATES_PER_SECOND);
  for (const [name, path] of PAGES) {
    for (const size of SIZES) {
      const shifts = await shiftsOf(browser, `http://127.0.0.1:${product.port}${path}`, size);
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      for (const { value, atMs, moved } of shifts)
        context.note(`${path} ${size.width}: ${value.toFixed(5)} at ${atMs} ms: ${moved.join(', ')}`);
      context.emit({
        name: `web.cls.${name}`,
        n: size.width,
        unit: 'CLS',
        subject: sum,
        ratio: sum,
        goal: { atMost: 0.001 },
        slack: 0,
      });
    }
  }
}

export const webCls: Benchmark = { names: ['web.cls'], run };
