import { brotliCompressSync, gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, test } from 'vitest';
import { WIDGETS } from '#features/api/contract/widgets-names.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { start } from '#tests/support/start.ts';

const s = fileProduct({ env: { PUBLIC_URL: 'https://meridian.example' } });

const ADDRESSES = WIDGETS.map((kind) => `/widgets/${kind}`);
const REFUSED = 'This widget is unavailable';

describe('GET /widgets/… before the first collection', () => {
  test.each(['/widgets/ticker', '/widgets/price'])('503 from %s: a page that reloads automatically', async (url) => {
    const res = await s.get(url);
    expect([res.statusCode, res.headers['retry-after'], res.headers['cache-control']]).toEqual([503, '10', 'no-store']);
    expect(res.body).toContain('Initial data is still being collected');
    expect(res.body).toContain('<meta http-equiv="refresh" content="10">');
  });

  test('200: the reason is shown in place of a value', async () => {
    expect((await s.get('/widgets/fear-greed')).body).toContain('Not available');
  });
});

describe('GET /widgets/…', () => {
  beforeAll(async () => {
    for (const name of ['market.listing', 'metrics.listing', 'metrics.slow', 'events.collect']) await s.job(name);
    s.advance(12_000);
  });

  test.each(ADDRESSES)('200 from %s: any page may frame it, and it runs and loads nothing', async (url) => {
    const res = await s.get(url);
    expect(res.statusCode).toBe(200);
    expect(String(res.headers['content-security-policy'])).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; frame-ancestors \*; base-uri 'none'; form-action 'none'$/,
    );
    expect(res.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=15, s-maxage=15, stale-while-revalidate=60, stale-if-error=300',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      vary: 'accept-encoding',
    });
    expect(res.headers['x-frame-options']).toBeUndefined();
    expect(res.headers['set-cookie']).toBeUndefined();
    expect(res.body).not.toMatch(/<script|style=|<img|<link|src=|\son\w+=/);
    expect(res.body).toContain('<meta name="robots" content="noindex">');
    expect(res.body).toContain('<meta http-equiv="refresh" content="60">');
    expect(res.body).toMatch(
      /<a href="https:\/\/meridian\.example\/app[^"]*" target="_blank" rel="noopener">Meridian<\/a>/,
    );
  });

  test.each([...ADDRESSES, '/widgets/ticker?coins=BTC,ETH,SOL,SUI,XRP,BNB,DOGE,ADA,TRX,AVAX'])(
    '%s is at most 5 kB over the wire',
    async (url) => {
      const { body } = await s.get(url);
      expect(gzipSync(body).length).toBeLessThan(5000);
      expect(brotliCompressSync(body).length).toBeLessThan(5000);
    },
  );

  test('each ticker price has its source and age', async () => {
    const { body } = await s.get('/widgets/ticker?coins=BTC,ethereum');
    const items = body.split('<li>').slice(1);
    expect(items).toHaveLength(2);
    for (const item of items)
      expect(item).toMatch(
        /<span class="fig">\$[\d,]+\.\d\d<\/span>.*<small>CoinGecko · 12s ago · <time datetime="[^"]+">12:00 UTC<\/time><\/small>/,
      );
  });

  test('fear and greed shows its class, source and age', async () => {
    const { body } = await s.get('/widgets/fear-greed');
    expect(body).toMatch(/<span class="big">\d+<\/span><span>of 100 · [A-Z]/);
    expect(body).toMatch(/<small>(<span class="warn">Stale<\/span> · )?Alternative\.me · [^<]+ · <time/);
  });

  test('the next event shows its day, impact, source and fetch time', async () => {
    const { body } = await s.get('/widgets/next-event?impact=high');
    expect(body).toMatch(/<h1>Next high-impact event<\/h1><p class="fig">[^<]+<\/p><p><time/);
    expect(body).toMatch(/<p>High impact<\/p><small>Checked: [^<]+ · 12s ago · <time/);
  });

  test('options apply: theme, short prices, compact', async () => {
    const { body } = await s.get('/widgets/price?coin=BTC&theme=dark&format=short&compact=1');
    expect(body).toContain('<html lang="en" data-theme="dark" class="compact">');
    expect(body).toMatch(/<span class="big">\$\d+(\.\d+)?K<\/span>/);
  });

  test('304 when already cached, br and gzip when accepted, one render for all', async () => {
    const first = await s.get('/widgets/price');
    const again = await s.get('/widgets/price', { 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([
      304,
      '',
      first.headers['cache-control'],
    ]);
    for (const encoding of ['br', 'gzip'])
      expect((await s.get('/widgets/price', { 'accept-encoding': encoding })).headers['content-encoding']).toBe(
        encoding,
      );
    expect((await s.get('/widgets/price?coin=bitcoin')).headers.etag).toBe(first.headers.etag);
    s.advance(11_000);
    expect((await s.get('/widgets/price')).headers.etag).not.toBe(first.headers.etag);
  });

  test('an old price is marked as stale', async () => {
    s.advance(3_600_000);
    expect((await s.get('/widgets/price?coin=ETH')).body).toContain('<span class="warn">Stale</span>');
  });
});

describe('GET /widgets/… with invalid options', () => {
  test.each([
    ['/widgets/price?coin=NOPE', 'Unknown coin NOPE'],
    ['/widgets/price?coin=BTC&coin=ETH', 'coin: once only'],
    ['/widgets/price?coin=%3Cscript%3E', 'coin: a coin symbol or ID, such as BTC'],
    ['/widgets/price?%3Cscript%3E=1', 'Unknown option &lt;script&gt;'],
    ['/widgets/price?theme=pink', 'theme: auto, light or dark'],
    ['/widgets/price?format=long', 'format: full or short'],
    ['/widgets/fear-greed?coin=BTC', 'Unknown option coin'],
    ['/widgets/next-event?impact=huge', 'impact: all, high, medium or low'],
    ['/widgets/ticker?compact=yes', 'compact: 0 or 1'],
    [`/widgets/ticker?coins=${'BTC,'.repeat(10)}ETH`, 'coins: 1 to 10 comma-separated symbols or IDs'],
    [`/widgets/ticker?coins=${'x'.repeat(4000)}`, 'coins: 1 to 10 comma-separated symbols or IDs'],
    ['/widgets/ticker?coins=__proto__', 'Unknown coin __proto__'],
  ])('400 from %.60s', async (url, words) => {
    const res = await s.get(url);
    expect([res.statusCode, res.headers['cache-control']]).toEqual([400, 'no-store']);
    expect(res.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(res.headers['content-security-policy']).toContain('frame-ancestors *');
    expect(res.body).toContain(`<h1>${REFUSED}</h1>`);
    expect(res.body).toContain(words);
    expect(res.body).not.toContain('<script');
  });
});

describe('GET /widgets/… in demo mode', () => {
  test('states it', async () => {
    const demo = await start({ mode: 'demo' });
    await demo.job('market.listing');
    const [ticker, badge] = [await demo.get('/widgets/ticker'), await demo.get('/widgets/track-record.svg')];
    await demo.stop();
    expect(ticker.body).toContain('<span class="warn">Demo data</span>');
    expect(badge.body).toContain('<tspan class="warn"> · Demo data</tspan>');
  });
});
