import type { CDPSession } from '@playwright/test';

import { type Benchmark, type Context, median } from './benchmark.ts';
import { openPage, sleep, startBrowser } from './support/browser.ts';
import { startFilledDatabase, startProduct } from './support/product.ts';

const ROWS = 250;
const UPDATES_PER_SECOND = 10;
const SETTLE_MS = 3000;

type Sample = { threadS: number; scriptS: number; layoutS: number; styleS: number };

/**
 * ThreadTime is the CPU time of the renderer's main thread as measured by the operating system. The usual TaskDuration
 * is wall-clock time, which grows when other processes use the core.
 */
async function sample(session: CDPSession): Promise<Sample> {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return {
    threadS: of('ThreadTime'),
    scriptS: of('ScriptDuration'),
    layoutS: of('LayoutDuration'),
    styleS: of('RecalcStyleDuration'),
  };
}

async function measure(session: CDPSession, ms: number): Promise<Sample> {
  const before = await sample(session);
  const began = performance.now();
  await sleep(ms);
  const after = await sample(session);
  const seconds = (performance.now() - began) / 1000;
  const share = (key: keyof Sample) => ((after[key] - before[key]) / seconds) * 100;
  return { threadS: share('threadS'), scriptS: share('scriptS'), layoutS: share('layoutS'), styleS: share('styleS') };
}

async function run(context: Context): Promise<void> {
  const product = await startProduct(context, await startFilledDatabase(context));
  const browser = await startBrowser(context);
  const page = await openPage(browser, { width: 1440, height: 900 });
  await page.goto(`http://127.0.0.1:${product.port}/app`);
  await page.getByRole('button', { name: `Show all ${ROWS}` }).click();
  await page
    .locator('tr[data-coin]')
    .nth(ROWS - 1)
    .waitFor();

  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const [rounds, ms] = context.ci ? [3, 5000] : [5, 10_000];
  const still: Sample[] = [];
  const live: Sample[] = [];
  await sleep(SETTLE_MS);
  for (let round = 0; round < rounds; round++) {
    still.push(await measure(session, ms / 2));
    await product.call('startTicks', UPDATES_PER_SECOND);
    await sleep(1000);
    const before = await page.locator('tr[data-coin="bitcoin"] [data-live=price]').innerText();
    live.push(await measure(session, ms));
    const after = await page.locator('tr[data-coin="bitcoin"] [data-live=price]').innerText();
    if (before === after) throw new Error('The board stood still');
    await product.call('stopTicks');
    await sleep(500);
  }
  const of = (samples: Sample[], key: keyof Sample) => median(samples.map((each) => each[key]));
  const share = of(live, 'threadS');
  context.emit({
    name: 'web.board',
    n: ROWS,
    unit: '% of main thread',
    subject: share,
    baseline: of(still, 'threadS'),
    ratio: share,
    goal: { atMost: 15 },
  });
  const text = (key: keyof Sample) => `${of(live, key).toFixed(1)}%`;
  context.note(
    `web.board: by the wall clock script ${text('scriptS')}, styles ${text('styleS')}, layout ${text('layoutS')}; the baseline is the same page without updates`,
  );
}

export const webBoard: Benchmark = { names: ['web.board'], run };
