import { describe, expect, test } from 'vitest';
import { cellOf } from '#features/analysis/web/predictions/fixtures.ts';
import { sources } from '#features/market/web/market/fixtures.ts';
import { latencyOf } from '#features/notifications/web/notifications/fixtures.ts';
import type { LandingFacts } from '#features/site/contract/landing.ts';
import { renderLanding } from '../entry-server.tsx';
import { landingOf, noFacts, someFacts } from './fixtures.ts';

const drawn = (...change: Parameters<typeof landingOf>) =>
  new DOMParser().parseFromString(renderLanding(landingOf(...change)), 'text/html').body;
const withFacts = (change: Partial<LandingFacts> = {}) => drawn({ facts: { ...someFacts, ...change } });
const section = (body: HTMLElement, id: string): string =>
  body.querySelector(`section[aria-labelledby="${id}"]`)?.textContent ?? '';
const strip = (body: HTMLElement) => body.querySelector('[aria-label*="graded calls, oldest first"]');

describe('hero record strip', () => {
  test('the latest calls with model, window, n, interval and verdict', () => {
    const body = withFacts();
    expect(strip(body)?.getAttribute('aria-label')).toBe('Latest 3 graded calls, oldest first: 1 correct, 2 wrong');
    const caption = strip(body)?.parentElement?.textContent;
    expect(caption).toContain('The latest 3 of 1,284 graded calls, all analysts and horizons');
    expect(caption).toContain('issued from 14 Nov 2026, settled by 21 Nov 2026');
    expect(caption).toContain('Venice, 24 hours: no evidence.');
    expect(caption).toContain('41.3% of 600 calls correct, 95% interval 32.9% to 50.3%; random guessing gives 33.3%.');
    expect(caption).not.toContain('demo');
  });

  test('is hidden below 100 graded calls, and labeled in demo mode', () => {
    const graded = (n: number) => ({ ...someFacts, record: { ...someFacts.record, graded: n } });
    expect(strip(drawn({ facts: graded(99) }))).toBeNull();
    expect(strip(drawn({ facts: graded(100) }))).not.toBeNull();
    const demo = strip(drawn({ facts: graded(100), dataMode: 'demo' }));
    expect(demo?.parentElement?.textContent).toContain('on the simulated market (demo)');
  });
});

test('get started, about, and the final call to action', () => {
  const places = (name: string) =>
    [...drawn().querySelectorAll('main a')].filter((a) => a.textContent === name).map((a) => a.getAttribute('href'));
  expect(places('Get Started')).toEqual(['/app']);
  expect(places('About')).toEqual(['/about']);
  expect(places('Launch App')).toEqual(['/app']);
  expect(places('View Plans')).toEqual(['/app/subscription']);
});

test('before the first prices: shows the sources read, and pages that already have content', () => {
  const hero = drawn({ sources }).querySelector('main section');
  expect(hero?.textContent).toContain('Collecting the first prices.Reading ');
  expect(hero?.querySelector('a[href="/app/events"]')).not.toBeNull();
});

describe('statistics strips', () => {
  test('coverage and activity of the instance', () => {
    const body = drawn({
      facts: someFacts,
      latency: latencyOf([{ channel: 'push', n: 1204, p50Ms: 340, p95Ms: 2_140, p99Ms: 80_000 }]),
    });
    const [covers, done] = [...body.querySelectorAll('section[aria-label="Coverage"] dl')].map((dl) => dl.textContent);
    expect(covers).toContain('24/7');
    expect(done).toContain('observations stored (approx.)1.2M');
    expect(done).toContain('predictions graded1,284');
    expect(done).toContain('alerts delivered in 30 days, median push hand-off 340 ms1,204');
    expect(done).toContain('upcoming events12');
  });

  test('omits counts of zero', () => {
    expect(drawn().querySelectorAll('section[aria-label="Coverage"] dl')).toHaveLength(1);
  });
});

describe('the six sections', () => {
  test('prices: how far a coin’s sources disagree', () => {
    const text = section(withFacts(), 'prices');
    expect(text).toContain('BTC0.50%okx, 2s ago · coingecko, 1m ago');
    expect(text).toContain('XRPone');
  });

  test('record: each current outlook and its track record, with n, interval and verdict', () => {
    const body = withFacts();
    const text = section(body, 'record');
    expect(text).toContain('Venice600 calls41.3%, 32.9% to 50.3%No evidence');
    expect(text).toContain('Built-in analyst90 calls41.3%, 32.9% to 50.3%Behind');
    const ahead = cellOf({ provider: 'groq', verdict: 'ahead' });
    const proven = withFacts({ record: { ...someFacts.record, cells: [...someFacts.record.cells, ahead] } });
    expect(section(proven, 'record')).toMatch(/Groq.*Ahead.*Venice.*Built-in analyst.*Behind/);
    const scales = [...body.querySelectorAll('section[aria-labelledby="record"] svg[role="img"]')];
    expect(scales.map((scale) => scale.getAttribute('aria-label'))).toContain(
      'Short term: together bullish. Venice bullish, Built-in analyst neutral.',
    );
  });

  test('alert: as it appears on a screen, with its delivery times', () => {
    const text = section(withFacts(), 'alerts');
    expect(text).toContain('Price downBTC fell 8.4% in 24 hours');
    expect(text).toContain('Received11:56:59 UTC+1.2 s');
    expect(text).toContain('Written11:57:00 UTC+7 ms');
    expect(text).toContain('High');
  });

  test('calendar: the next events in words, and the latest release against consensus', () => {
    const text = section(withFacts(), 'calendar');
    expect(text).toContain('US CPI, Novemberin 5 days');
    expect(text).toContain('Bureau of Labor Statistics · estimated date');
    expect(text).toContain('US consumer prices, Oct 2026released 10 Nov 2026');
    expect(text).toMatch(/Actual\+0\.3%Consensus\+0\.2%Nowcast\+0\.24%/);
  });

  test('calendar: a missing consensus shows its reason', () => {
    const { cpi } = someFacts;
    if (!cpi) throw new Error('no print');
    const headline = {
      ...cpi.headline,
      consensus: null,
      meta: { ...cpi.headline.meta, consensus: { metric: 'inflation.consensus', reason: 'No calendar had it' } },
    };
    const text = section(withFacts({ cpi: { ...cpi, headline } }), 'calendar');
    expect(text).toContain('Consensus–');
    expect(text).toContain('Dashed: the nowcast for the latest release. Consensus: No calendar had it.');
  });

  test('data: a call, the beginning of its response, and a file with its hash', () => {
    const text = section(withFacts(), 'data');
    expect(text).toContain("curl 'https://meridian.example/api/v1/crypto-prices?limit=5'");
    expect(text).toContain('"dataMode": "live"');
    expect(text).toContain(`bitcoin,100000\n`);
    expect(text).toContain('ab'.repeat(32));
  });

  test.each([
    ['prices', 'Collecting the first prices.'],
    ['record', 'The first analysis is being prepared.'],
    ['record', 'No calls graded yet. The first are graded after 24 hours.'],
    ['alerts', 'No alert yet. Alerts appear here with a one-hour delay; Pro gets them instantly.'],
    ['calendar', 'No upcoming events loaded yet.'],
    ['calendar', 'No CPI release loaded yet.'],
    ['data', 'Collecting the first prices.'],
    ['provenance', 'Collecting the first prices.'],
  ])('%s shows its empty state: %s', (id, sentence) => {
    expect(section(drawn({ facts: noFacts }), id)).toContain(sentence);
  });

  test('each links into the app', () => {
    const links = [...withFacts().querySelectorAll('main section[aria-labelledby] h2 + div a')];
    expect(links.map((link) => link.getAttribute('href')).join(', ')).toBe(
      '/app, /app/track-record, /app/alerts, /app/events, /app/api, /app/sources',
    );
  });

  test('third-party text is shown raw', () => {
    const alert = someFacts.alert && { ...someFacts.alert, message: '<img src=x onerror=alert(1)>' };
    const body = withFacts({ alert });
    expect(body.querySelector('img')).toBeNull();
    expect(section(body, 'alerts')).toContain('<img src=x onerror=alert(1)>');
  });
});
