import { describe, expect, test } from 'vitest';
import { getFigure } from '#features/site/contract/figures.ts';
import { PAGED_FIGURES } from '#shared/figure-pages.ts';
import { hasOrigin } from '#shared/figures.ts';
import { fileProduct } from '#tests/support/for-file.ts';

const DAY_MS = 86_400_000;

const s = fileProduct({ mode: 'demo', env: { COIN_LIMIT: '40' } }, 'market.listing', 'metrics.slow', 'metrics.listing');

const read = async (metric: string) => {
  const res = await s.get(`/api/figures/${metric}`);
  expect([res.statusCode, res.statusCode === 200 ? '' : res.body], metric).toEqual([200, '']);
  return getFigure.reply.parse(res.json());
};

describe('GET /api/figures/:metric', () => {
  test('200: every figure with a page has a value with its origin, or the reason it is missing', async () => {
    const born: string[] = [];
    for (const [metric, { name }] of PAGED_FIGURES) {
      const page = await read(metric);
      expect([page.metric, page.name], metric).toEqual([metric, name]);
      expect(page.meaning.length, metric).toBeGreaterThan(10);
      if (hasOrigin(page.meta['value'])) born.push(metric);
    }
    expect(born).toEqual(expect.arrayContaining(['market.cap', 'hash_rate', 'funding.btc', 'inflation.core_cpi_yoy']));
    expect((await read('addresses.btc.new')).meta['value']).toEqual({
      metric: 'addresses.btc.new',
      reason: 'No free source provides new addresses',
    });
  });

  test('200: a price is that of the list, next to each source’s quote and its distance', async () => {
    const { coin, quotes } = (await s.get('/api/coins/ethereum')).json();
    const page = await read('price:ethereum');
    expect(page).toMatchObject({ name: 'Ethereum price', unit: 'USD', value: coin.price, change_24h: coin.change_24h });
    expect(page.meta['value']).toEqual({ ...coin.meta, metric: 'price:ethereum' });
    expect(page.sources.map(({ source }) => source)).toEqual(quotes.map(({ source }: { source: string }) => source));
    expect(page.sources.filter(({ isShown }) => isShown)).toEqual([
      expect.objectContaining({ source: coin.meta.source, value: coin.price, difference: 0 }),
    ]);
    expect(page.history.series).toEqual({ type: 'CRYPTO_PRICE', symbol: 'ETH' });
  });

  test('200: a tick newer than its source’s stored quote replaces it', async () => {
    const at = s.clock.now().getTime();
    const { board } = s.product.market.ctx;
    board.apply([board.priceOf('ethereum')?.source ?? ''], [['ethereum', 4321, 1, null, 0, at + 1]], at + 1);
    const page = await read('price:ethereum');
    expect(page.value).toBe(4321);
    expect(page.sources.filter(({ isShown }) => isShown)).toEqual([
      expect.objectContaining({ value: 4321, difference: 0 }),
    ]);
  });

  test('200: coin history is fetched on first read, up to the 30 days of Free', async () => {
    expect((await read('price:bitcoin')).history).toMatchObject({ state: 'loading' });
    await s.job('market.backfill', { coinId: 'bitcoin' });
    const { history } = await read('price:bitcoin');
    expect(history).toMatchObject({ state: 'complete', days: 30 });
    expect(history.points.length).toBeGreaterThan(150);
    const [first] = history.points;
    // The candle in which the 30 days begin is included whole.
    expect(Date.parse(first?.at ?? '')).toBeGreaterThan(s.clock.now().getTime() - 31 * DAY_MS);
  });

  test('200: rates have the last 24 months and state which part of a demo is simulated', async () => {
    const { history, note } = await read('inflation.core_pce_mom');
    expect(history.days).toBeNull();
    expect(history.points.length).toBeGreaterThan(12);
    expect(note).toContain('official figures');
  });

  test('200: market cap and volume of a coin are those of the list, with one value per day', async () => {
    const { coin } = (await s.get('/api/coins/ethereum')).json();
    const [cap, volume] = [await read('cap:ethereum'), await read('volume:ethereum')];
    expect([cap.name, cap.value, cap.unit]).toEqual(['Ethereum market cap', coin.market_cap, 'USD']);
    expect(cap.meta['value']).toEqual({ ...coin.listing, metric: 'cap:ethereum' });
    expect([volume.name, volume.value]).toEqual(['Ethereum 24h volume', coin.volume_24h]);
    expect(volume.sources).toEqual([expect.objectContaining({ source: coin.listing.source, isShown: true })]);
    for (const { history } of [cap, volume]) {
      expect(history).toMatchObject({ state: 'complete', days: 30, source: coin.listing.source });
      expect(history.points.at(-1)?.at).toBe('2026-11-20T00:00:00.000Z');
    }
    expect(volume.history.points.at(-1)?.value).toBe(coin.volume_24h);
  });

  test('200: narrative figures; volume and change have history, ranks are not stored', async () => {
    const [first] = (await s.get('/api/trending-narratives')).json().narratives;
    const pages = await Promise.all(
      ['volume', 'change', 'relevance', 'opportunity'].map((each) => read(`narrative.${first.id}.${each}`)),
    );
    expect(pages.map(({ name, value }) => [name, value])).toEqual([
      [`${first.narrative}, volume, 24h`, first.total_volume_24h],
      [`${first.narrative}, change, 24h`, first.avg_change_24h],
      [`${first.narrative}, relevance`, first.relevance_score],
      [`${first.narrative}, opportunity score`, first.market_insights.opportunity_score],
    ]);
    expect(pages.map(({ history }) => [history.state, history.points.length > 0])).toEqual([
      ['complete', true],
      ['complete', true],
      ['not_stored', false],
      ['not_stored', false],
    ]);
  });

  test('200: macro series, daily and monthly; a restricted one is marked as such', async () => {
    const yields = await read('macro.us10y');
    expect(yields).toMatchObject({ name: 'US Treasury yield, 10 years', unit: 'percent' });
    expect(yields.history).toMatchObject({
      source: 'FRED',
      days: 30,
      series: { type: 'TREASURY_YIELD', symbol: 'US10Y' },
    });
    expect(yields.history.points.length).toBeGreaterThan(10);
    const funds = await read('macro.fed_funds');
    expect([funds.history.days, funds.value === funds.history.points.at(-1)?.value]).toEqual([null, true]);
    expect((await read('macro.vix')).meta['value']).toMatchObject({ reason: expect.stringContaining('Copyrighted') });
  });

  test.each([
    ['price:nothing', 404, 'not_found'],
    ['cap:nothing', 404, 'not_found'],
    ['narrative.nothing.volume', 404, 'not_found'],
    ['reserve.btc', 404, 'not_found'],
    ['constructor', 404, 'not_found'],
    ['Market%20Cap', 400, 'bad_request'],
    [`price:${'x'.repeat(90)}`, 400, 'bad_request'],
  ])('%s: %d', async (metric, status, code) => {
    const res = await s.get(`/api/figures/${metric}`);
    expect([res.statusCode, res.json()]).toEqual([status, { error: 'Unknown figure', code }]);
  });
});
