import { inflateSync } from 'node:zlib';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { openBackgroundThread } from '#kernel/background-thread.ts';
import type { Letters } from '#shared/picture/letters.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { loadWebBuild } from './build.ts';
import { buildShareCard, createShare } from './share-card.ts';

const s = fileProduct({ mode: 'demo' });

const MINUTE_MS = 60_000;

/** The pixel colors of the image, row by row. */
function pixelsOf(file: Buffer): Buffer {
  const bytes = inflateSync(file.subarray(file.indexOf('IDAT') + 4));
  expect(bytes.length).toBe(630 * (1200 * 3 + 1));
  return bytes;
}
const inked = (pixels: Buffer, [x0, y0, x1, y1]: readonly [number, number, number, number]) => {
  let count = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) if ((pixels[y * 3601 + 1 + x * 3] ?? 0) > 100) count++;
  return count;
};
const CARDS = [60, 282, 1140, 526] as const;
const MARK = [980, 50, 1140, 110] as const;
const FOOT = [700, 555, 1140, 590] as const;

describe('/og.png', () => {
  test('shows the brand before the first prices, then current prices', async () => {
    const first = await s.get('/og.png');
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'image/png']);
    expect(first.rawPayload.readUInt32BE(16)).toBe(1200);
    expect(first.rawPayload.readUInt32BE(20)).toBe(630);
    expect(first.headers['cache-control']).toBe(
      'public, max-age=600, s-maxage=600, stale-while-revalidate=600, stale-if-error=86400',
    );
    await s.job('market.collect');
    await s.product.rebuild();
    const second = await s.get('/og.png');
    const pixels = pixelsOf(second.rawPayload);
    for (const part of [CARDS, MARK, FOOT]) expect(inked(pixels, part)).toBeGreaterThan(100);
  });

  test('the rendered image is cached for ten minutes, with an ETag', async () => {
    const etag = String((await s.get('/og.png')).headers['etag']);
    expect((await s.get('/og.png', { 'if-none-match': etag })).statusCode).toBe(304);
    s.advance(9 * MINUTE_MS);
    await s.job('market.collect');
    await s.product.rebuild();
    expect((await s.get('/og.png')).headers['etag']).toBe(etag);
    s.advance(MINUTE_MS);
    expect((await s.get('/og.png')).headers['etag']).not.toBe(etag);
  });

  test('concurrent requests share one rendering', async () => {
    s.advance(11 * MINUTE_MS);
    const answers = await Promise.all(Array.from({ length: 10 }, () => s.get('/og.png')));
    expect(new Set(answers.map(({ headers }) => headers['etag'])).size).toBe(1);
  });

  test('a failed rendering falls back to the static build image and is reported', async () => {
    const failures: unknown[] = [];
    const thread = openBackgroundThread({ onError: () => undefined });
    const share = createShare({
      thread,
      letters: { unitsPerEm: 1000, weights: null as never },
      now: () => new Date('2026-11-20T12:00:00Z'),
      onError: (error) => failures.push(error),
    });
    const app = Fastify();
    share.mount(app);
    const { statusCode, rawPayload } = await app.inject('/og.png');
    expect(statusCode).toBe(200);
    expect(inked(pixelsOf(rawPayload), [60, 280, 1140, 400])).toBeGreaterThan(1000);
    expect(failures).toHaveLength(1);
    await app.close();
    await thread.stop();
  });
});

describe('contents', () => {
  test('shows the tracked five with price, change, week and time, marked as demo data', async () => {
    const dashboard = (await s.get('/api/dashboard')).json();
    const series = (await s.get('/api/prices/sparklines')).json().series;
    const tracked = dashboard.cryptoPrices.slice(0, 5);
    const card = buildShareCard({ dashboard: { ...dashboard, cryptoPrices: tracked }, series });
    expect(card.demo).toBe(true);
    expect(card.prices).toHaveLength(5);
    expect(card.prices[0]?.price).toMatch(/^\$[\d,]+\.\d\d$/);
    expect(card.prices[0]?.change).toMatch(/^[+−]?\d+\.\d\d% 24h$/);
    expect(card.prices[0]?.points.length).toBeGreaterThan(40);
    expect(card.seen).toMatch(/^\d+ Nov 2026, \d\d:\d\d UTC$/);
  });

  test('shows the record with its range from a hundred graded calls', async () => {
    const dashboard = (await s.get('/api/dashboard')).json();
    const recordOf = (n: number) => {
      const headline = { n, hit_rate: 0.444, hit_interval: { low: 0.391, high: 0.498 } };
      return buildShareCard({ dashboard: { ...dashboard, backtestResults: { headline } }, series: {} }).record;
    };
    expect(recordOf(99)).toBe('');
    expect(recordOf(1240)).toBe('44% of 1,240 graded calls correct (95% interval 39% to 50%)');
  });
});

test('the build includes every glyph the texts need, with wider bold ones', () => {
  const thread = openBackgroundThread({ onError: () => undefined });
  const weights: Letters['weights'] = loadWebBuild(thread)?.letters.weights ?? {};
  for (const sign of 'Azqj09$%+,.:;()−–·…’ ') expect(weights[400]?.[sign]?.[0], sign).toBeGreaterThan(0);
  expect(weights[600]?.['A']?.[0]).toBeGreaterThan(weights[400]?.['A']?.[0] ?? 0);
  expect(new Set(Array.from('0123456789', (sign) => weights[600]?.[sign]?.[0])).size).toBe(1);
});
