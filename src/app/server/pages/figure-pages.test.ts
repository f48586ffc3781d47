import { describe, expect, test } from 'vitest';
import type { FigurePage } from '#features/site/contract/figures.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { buildFigureCard, figureHead } from './figure-pages.ts';

const ORIGIN = 'https://meridian.example';
const s = fileProduct({ env: { PUBLIC_URL: ORIGIN, COIN_LIMIT: '40' } }, 'market.listing', 'metrics.listing');

const PATH = '/app/figures/price:bitcoin';
const meta = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

describe('figure page', () => {
  test('is titled with value, source and time and has its own image', async () => {
    const { value } = (await s.get('/api/figures/price:bitcoin')).json();
    const res = await s.get(`${PATH}?utm_source=x`);
    expect(res.statusCode).toBe(200);
    const title = meta(res.body, 'og:title') ?? '';
    expect(title).toMatch(/^Bitcoin price: \$[\d,]+\.\d\d · Meridian$/);
    expect(Number(title.replaceAll(/[^\d.]/g, ''))).toBeCloseTo(value, 1);
    expect(res.body).toContain(`<title>${title}</title>`);
    expect(res.body).toMatch(/<main.*<h1[^>]*>Bitcoin price<\/h1>/s);
    expect(meta(res.body, 'og:description')).toMatch(
      /^As of 20 Nov 2026, 12:00 UTC from \w+, measured\. The latest observation/,
    );
    expect([meta(res.body, 'og:url'), meta(res.body, 'og:image'), meta(res.body, 'og:image:alt')]).toEqual([
      ORIGIN + PATH,
      `${ORIGIN}${PATH}/card.png`,
      title,
    ]);
    expect(meta(res.body, 'robots')).toBeUndefined();
    expect(res.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test.each(['/app/figures/price:nothing', '/app/figures/nothing', '/app/figures/nothing/card.png'])(
    '%s is not found',
    async (path) => {
      const { statusCode, body } = await s.get(path);
      expect([statusCode, meta(body, 'robots')]).toEqual([404, 'noindex']);
    },
  );

  test('the image is 1200 × 630, cached for ten minutes and unique per figure', async () => {
    const first = await s.get(`${PATH}/card.png`);
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'image/png']);
    expect([first.rawPayload.readUInt32BE(16), first.rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
    const etag = String(first.headers['etag']);
    expect((await s.get(`${PATH}/card.png`, { 'if-none-match': etag })).statusCode).toBe(304);
    expect((await s.get('/app/figures/market.cap/card.png')).headers['etag']).not.toBe(etag);
    s.advance(600_000);
    expect((await s.get(`${PATH}/card.png`)).headers['etag']).not.toBe(etag);
  });
});

const NOW = new Date('2026-11-20T12:00:00Z');
const history: FigurePage['history'] = {
  state: 'complete',
  source: null,
  days: 30,
  points: [15, 16, 18].map((day) => ({ at: `2026-11-${day}T00:00:00Z`, value: day })),
  series: null,
};
const born = {
  source: 'CoinGecko',
  observedAt: '2026-11-20T11:57:00.000Z',
  fetchedAt: '2026-11-20T11:57:01.000Z',
  method: 'measured' as const,
  staleAfter: '2026-11-20T12:17:00.000Z',
};
const figure = {
  metric: 'dominance.btc',
  name: 'Bitcoin dominance',
  unit: 'percent',
  meaning: 'The share of Bitcoin in the worth of the whole market. '.repeat(4),
  formula: '',
  note: null,
  value: 57.31,
  change_24h: -0.42,
  meta: { value: { ...born, metric: 'dominance.btc' }, change_24h: { ...born, metric: 'dominance.btc' } },
  comparison: 'points' as const,
  sources: [],
};
const lost = {
  ...figure,
  value: null,
  change_24h: null,
  meta: {
    value: { metric: 'dominance.btc', reason: 'No source has given this figure yet' },
    change_24h: figure.meta.value,
  },
};

describe('image contents', () => {
  test('shows value, change, source, method, time and age at render time', () => {
    expect(buildFigureCard(figure, { history, mode: 'live', now: NOW })).toMatchObject({
      demo: false,
      title: 'Bitcoin dominance',
      value: '57.31%',
      change: { text: '−0.42 points 24h', direction: 'down' },
      isStale: false,
      origin: ['Source: CoinGecko', 'Measured: as reported by the source'],
      seen: ['Observed 20 Nov 2026, 11:57 UTC', 'Age at render time: 3m'],
      points: [15, 16, null, 18],
      span: 'Last 30 days',
    });
  });

  test('marks a value past its contract as stale and explains a missing one', () => {
    const late = new Date('2026-11-20T14:57:00Z');
    expect(buildFigureCard(figure, { history, mode: 'demo', now: late })).toMatchObject({
      demo: true,
      isStale: true,
      seen: ['Observed 20 Nov 2026, 11:57 UTC', 'Stale, age at render time: 3h'],
    });
    expect(buildFigureCard(lost, { history, mode: 'live', now: NOW })).toMatchObject({
      value: 'Not available',
      change: null,
      origin: ['No source has given this figure yet'],
      seen: [],
    });
  });

  test('fits the description into 155 characters', () => {
    expect(figureHead(figure).description).toMatch(/^As of .{100,}…$/);
    expect(figureHead(figure).description.length).toBeLessThanOrEqual(155);
    expect(figureHead(lost)).toMatchObject({
      title: 'Bitcoin dominance · Meridian',
      description: expect.stringMatching(/^Not available: No source has given this figure yet\. The share/),
    });
  });
});
