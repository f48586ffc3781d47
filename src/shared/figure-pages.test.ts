import { expect, test } from 'vitest';

import { figurePath, figureText, PAGED_FIGURES } from './figure-pages.ts';

test('every figure with a page has a unique name and a glossary term', () => {
  const pages = [...PAGED_FIGURES.values()];
  expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
  expect(pages.filter(({ term }) => term === undefined)).toEqual([]);
  expect(PAGED_FIGURES.get('inflation.core_cpi_yoy')?.name).toBe('Core CPI, year over year');
});

test('figures of any coin or narrative have an address, a figure without a page has none', () => {
  expect(figurePath('price:bitcoin')).toBe('/app/figures/price:bitcoin');
  expect(figurePath('oi.total')).toBe('/app/figures/oi.total');
  for (const key of ['cap:bitcoin', 'volume:bitcoin', 'narrative.real-world-assets_2.change'])
    expect(figurePath(key)).toBe(`/app/figures/${key}`);
  for (const key of [
    'narrative.volume',
    'narrative.defi.risk',
    'cap:',
    'coin.price',
    'l1.tps',
    'market.turnover',
    'toString',
  ])
    expect(figurePath(key)).toBeUndefined();
});

test.each([
  ['price:bitcoin', 94_123.4, '$94,123.40'],
  ['price:pepe', 0.0000123, '$0.000012'],
  ['narrative.defi.relevance', 0.468, '47%', '0–1, shown as percent'],
  ['macro.us10y', 4.12, '4.12%'],
  ['macro.oil_wti', 59.4, '$59.40 per barrel'],
  ['oi.total', 34_550_000_000, '$34.55B'],
  ['dominance.btc', 57.314, '57.31%'],
  ['funding.btc', -0.0083, '−0.0083% per 8h'],
  ['flow.btc.net', -1234.6, '−1,235 BTC'],
  ['fear_greed', 46, '46 of 100'],
  ['ssr', 5.389, '5.39'],
  ['difficulty', 1.557e14, '155.70T'],
  ['hash_rate', 1.149e21, '1.15 ZH/s'],
  ['whales.count', 1204, '1,204 transfers'],
  ['addresses.btc.active', 712_345, '712,345 per day'],
  ['l1.bitcoin.tps', 7.25, '7.3 tx/s'],
  ['inflation.cpi_mom', 0.3, '+0.3%'],
  ['inflation.cpi_yoy', -0.1, '−0.1%'],
] as const)('%s: %d is %s', (key, value, text, unit?: string) => {
  expect(figureText(key, PAGED_FIGURES.get(key)?.term.unit ?? unit ?? 'USD', value)).toBe(text);
});
