import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { flowsOf } from '#sandbox/market/flows.ts';
import { DAY } from '#sandbox/market/time.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, now: NOW });
});
afterEach(() => sandbox.clock.set(NOW));
afterAll(() => sandbox.close());

describe('Coin Metrics', () => {
  type Page = { data: Record<string, string>[]; next_page_url?: string; error?: { type: string } };
  const METRICS = 'FlowInExUSD,FlowOutExUSD,FlowInExNtv,FlowOutExNtv';

  async function get(query: string, status = 200): Promise<Page> {
    const path = query.startsWith('http') ? query : `/v4/timeseries/asset-metrics?${query}`;
    const url = path.startsWith('http') ? path : `${sandbox.urls['COINMETRICS_BASE_URL']}${path}`;
    const response = await fetch(url);
    expect(response.status).toBe(status);
    return (await response.json()) as Page;
  }

  test('gives texts by asset and time, up to yesterday', async () => {
    const { data, next_page_url } = await get(
      `assets=btc,eth&metrics=${METRICS}&frequency=1d&start_time=2026-11-11&page_size=100`,
    );
    expect(data.map(({ asset }) => asset)).toEqual([
      ...Array<string>(10).fill('btc'),
      ...Array<string>(10).fill('eth'),
    ]);
    expect(next_page_url).toBeUndefined();
    expect(data[9]).toEqual({
      asset: 'btc',
      time: '2026-11-20T00:00:00.000000000Z',
      FlowInExUSD: expect.stringMatching(/^\d/),
      FlowOutExUSD: expect.stringMatching(/^\d/),
      FlowInExNtv: expect.stringMatching(/^\d/),
      FlowOutExNtv: expect.stringMatching(/^\d/),
    });
    const net = Number(data[9]?.['FlowInExNtv']) - Number(data[9]?.['FlowOutExNtv']);
    expect(net).toBeCloseTo(flowsOf(sandbox.market).netOn('bitcoin', Date.UTC(2026, 10, 20) / DAY), 4);
  });

  test('pages back from the end, with an address for the next page', async () => {
    const all = await get('assets=btc&metrics=FlowInExNtv&page_size=400');
    const pages: Page[] = [await get('assets=btc&metrics=FlowInExNtv&page_size=150')];
    while (pages.length < 3) pages.push(await get(pages.at(-1)?.next_page_url ?? ''));
    expect(
      pages
        .toReversed()
        .flatMap(({ data }) => data)
        .slice(-400),
    ).toEqual(all.data);
    const first = await get('assets=btc&metrics=FlowInExNtv&page_size=2&paging_from=start');
    expect(first.data[0]?.['time']).toBe('2019-01-01T00:00:00.000000000Z');
  });

  test.each([
    ['assets=btc&metrics=SecretMetric', 403, 'forbidden'],
    ['assets=doge&metrics=PriceUSD', 400, 'bad_parameter'],
    ['metrics=PriceUSD', 400, 'bad_parameter'],
    ['assets=btc&metrics=PriceUSD&page_size=0', 400, 'bad_parameter'],
    ['assets=btc&metrics=PriceUSD&start_time=soon', 400, 'bad_parameter'],
    ['assets=btc&metrics=PriceUSD&frequency=1h', 403, 'forbidden'],
  ])('%s is refused', async (query, status, type) => {
    expect((await get(query, status)).error?.type).toBe(type);
  });
});

describe('FRED', () => {
  async function csv(query: string): Promise<string[][]> {
    const response = await fetch(`${sandbox.urls['FRED_BASE_URL']}/graph/fredgraph.csv?${query}`);
    expect(response.headers.get('content-type')).toContain('csv');
    return (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
  }

  test.each([
    ['DGS10', '2026-11-19', 0.5, 9],
    ['DGS2', '2026-11-19', 0.3, 9],
    ['VIXCLS', '2026-11-19', 9, 90],
    ['SP500', '2026-11-20', 2000, 14_000],
    ['DTWEXBGS', '2026-11-13', 95, 150],
    ['DCOILWTICO', '2026-11-13', 20, 200],
    ['FEDFUNDS', '2026-10-01', 0.1, 9],
  ])('%s is there up to %s', async (id, last, least, most) => {
    const [head, ...rows] = await csv(`id=${id}`);
    expect(head).toEqual(['observation_date', id]);
    expect(rows.at(-1)?.[0]).toBe(last);
    for (const [, value = ''] of rows) {
      if (value === '') continue;
      expect(Number(value)).toBeGreaterThan(least);
      expect(Number(value)).toBeLessThan(most);
    }
    if (id !== 'FEDFUNDS') expect(rows.length).toBeGreaterThan(5 * 250);
  });

  test('has no weekends, and holidays without a value', async () => {
    const rows = await csv('id=DGS10&cosd=2025-11-20&coed=2025-12-26');
    const values = new Map(rows.slice(1).map(([at = '', value = '']) => [at, value]));
    expect([values.get('2025-11-27'), values.get('2025-12-25')]).toEqual(['', '']);
    expect(values.get('2025-11-28')).toMatch(/^\d+\.\d\d$/);
    expect([values.has('2025-11-22'), values.has('2025-11-23')]).toEqual([false, false]);
    expect(values.size).toBe(27);
  });

  test('puts several series side by side', async () => {
    const [head, ...rows] = await csv('id=VIXCLS,DCOILWTICO&cosd=2026-11-09');
    expect(head).toEqual(['observation_date', 'VIXCLS', 'DCOILWTICO']);
    expect(rows.at(-1)).toEqual(['2026-11-19', expect.stringMatching(/^\d/), '']);
  });

  test('comes out with a new day when the clock has moved', async () => {
    sandbox.clock.advance(4 * DAY);
    expect((await csv('id=DGS10')).at(-1)?.[0]).toBe('2026-11-23');
    expect((await fetch(`${sandbox.urls['FRED_BASE_URL']}/graph/fredgraph.csv?id=NOTHING`)).status).toBe(404);
  });
});
