import { beforeAll, describe, expect, test } from 'vitest';

import { BRAND } from '#shared/brand.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { recordingChannel } from '#tests/support/recording-channel.ts';

import {
  ABOUT,
  ACCOUNT_PAGES,
  APP_PAGES,
  DASHBOARD,
  DEMO_PAGES,
  LANDING,
  LISTED_PAGES,
  NAME_PAGES,
  NOT_FOUND,
} from './page-names.ts';

const ORIGIN = 'https://meridian.example';
const ALL = {
  '/': LANDING,
  '/about': ABOUT,
  '/404': NOT_FOUND,
  '/app': DASHBOARD,
  ...APP_PAGES,
  ...NAME_PAGES,
  ...DEMO_PAGES,
  ...ACCOUNT_PAGES,
};

const s = fileProduct({ env: { PUBLIC_URL: `${ORIGIN}/`, PRO_PRICE_USD: '19.50' }, channels: [recordingChannel()] });
const ann = member(s, 'ann', 'pro');
beforeAll(async () => {
  await s.job('market.collect');
  await s.product.rebuild();
});

const meta = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
const canonical = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
const structured = (html: string): { '@type': string; [field: string]: unknown }[] => {
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
  return text ? JSON.parse(text)['@graph'] : [];
};
const read = async (path: string) => (await s.get(path)).body;

test('titles fit into 60 and descriptions into 155 characters, each unique to its page', () => {
  for (const [path, { title, description }] of Object.entries(ALL)) {
    expect(title.length, path).toBeLessThanOrEqual(60);
    expect(description.length, path).toBeLessThanOrEqual(155);
    expect(description.length, path).toBeGreaterThan(15);
  }
  const own = Object.values(ALL).filter(({ canonical: other }) => other === undefined);
  expect(new Set(own.map(({ title }) => title)).size).toBe(own.length);
  expect(new Set(own.map(({ description }) => description)).size).toBe(own.length);
});

describe('first view, before any script runs', () => {
  const heading = (html: string) => /<main[^>]*>.*?<h1[^>]*>([^<]+)/s.exec(html)?.[1];

  test.each(Object.keys(APP_PAGES))('%s has its heading', async (path) => {
    const found = heading(await read(path));
    expect(found).toBeDefined();
    expect(found).not.toBe('Page not found');
  });

  test.each(Object.keys(ACCOUNT_PAGES))('%s has its heading and echoes no token from a link', async (path) => {
    const html = await read(`${path}?token=secret-of-the-link&error=x`);
    expect(heading(html)).toBeDefined();
    expect(heading(html)).not.toMatch(/^Invalid|^Missing/);
    expect(html).not.toContain('secret-of-the-link');
  });

  test('the plans page shows prices', async () => {
    expect(await read('/app/subscription')).toContain('$19.50');
  });
});

describe('link previews', () => {
  test.each(Object.keys(LISTED_PAGES))('%s identifies itself with absolute URLs and an image', async (path) => {
    const html = await read(`${path}?utm_source=x`);
    const name = LISTED_PAGES[path];
    const title = name?.title.replaceAll('&', '&amp;');
    expect(canonical(html)).toBe(ORIGIN + path);
    expect(meta(html, 'robots')).toBeUndefined();
    expect([meta(html, 'og:url'), meta(html, 'og:image'), meta(html, 'og:type')]).toEqual([
      ORIGIN + path,
      `${ORIGIN}/og.png`,
      'website',
    ]);
    expect([meta(html, 'og:title'), meta(html, 'twitter:title')]).toEqual([title, title]);
    expect([meta(html, 'og:description'), meta(html, 'twitter:description')]).toEqual([
      name?.description.replaceAll('&', '&amp;'),
      name?.description.replaceAll('&', '&amp;'),
    ]);
    expect([meta(html, 'og:image:width'), meta(html, 'og:image:height')]).toEqual(['1200', '630']);
    expect([meta(html, 'twitter:card'), meta(html, 'twitter:image')]).toEqual([
      'summary_large_image',
      `${ORIGIN}/og.png`,
    ]);
  });

  test('the in-app About shows the text of /about, which is the indexed page', async () => {
    expect(canonical(await read('/app/about'))).toBe(`${ORIGIN}/about`);
  });
});

describe('excluded from search engines', () => {
  test.each([
    '/app/profile',
    '/app/admin',
    '/app/auth-required?type=upgrade',
    '/app/track-record/league/any-name',
    ...Object.keys(ACCOUNT_PAGES),
  ])('%s is excluded', async (path) => {
    const html = await read(path);
    expect(meta(html, 'robots')).toBe('noindex');
    expect(structured(html)).toEqual([]);
  });

  test.each(['/nothing-here', '/app/nothing-here'])('%s, which does not exist, has no canonical URL', async (path) => {
    const { statusCode, body } = await s.get(path);
    expect(statusCode).toBe(404);
    expect(meta(body, 'robots')).toBe('noindex');
    expect(canonical(body)).toBeUndefined();
  });
});

describe('structured data', () => {
  test('landing page: organization, site, and product at the prices charged', async () => {
    const nodes = structured(await read('/'));
    expect(nodes.map((node) => node['@type'])).toEqual(['Organization', 'WebSite', 'SoftwareApplication']);
    const offers = nodes[2]?.['offers'] as { name: string; price: string; priceCurrency: string }[];
    expect(offers.map(({ name, price, priceCurrency }) => [name, price, priceCurrency])).toEqual([
      ['Free', '0.00', 'USD'],
      ['Pro', '19.50', 'USD'],
      ['Premium+', '99.00', 'USD'],
    ]);
  });

  test('plans page: its questions in plain text', async () => {
    const nodes = structured(await read('/app/subscription'));
    expect(nodes.map((node) => node['@type'])).toEqual(['BreadcrumbList', 'FAQPage']);
    const questions = nodes[1]?.['mainEntity'] as { name: string; acceptedAnswer: { text: string } }[];
    expect(questions).toHaveLength(14);
    expect(questions[0]?.acceptedAnswer.text).toContain('try Pro once for 7 days');
    expect(JSON.stringify(questions)).not.toMatch(/\]\(|undefined/);
  });

  test('an app page has a breadcrumb trail', async () => {
    const [trail] = structured(await read('/app/events'));
    const steps = trail?.['itemListElement'] as { name: string; item: string }[];
    expect(steps.map(({ name, item }) => [name, item])).toEqual([
      ['Meridian', `${ORIGIN}/`],
      ['Market dashboard', `${ORIGIN}/app`],
      ['Upcoming Events', `${ORIGIN}/app/events`],
    ]);
  });
});

describe('machine-readable files', () => {
  test('robots.txt allows public pages and disallows API calls and account pages', async () => {
    const { body, headers } = await s.get('/robots.txt');
    expect(headers['content-type']).toContain('text/plain');
    const closed = [...body.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path);
    expect(closed).toEqual(expect.arrayContaining(['/api/', '/app/admin', '/app/profile', '/reset-password']));
    for (const path of Object.keys(LISTED_PAGES))
      expect(
        closed.some((prefix) => path.startsWith(prefix)),
        path,
      ).toBe(false);
    expect(body).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
  });

  test('security.txt gives the vulnerability contact and expires in less than a year', async () => {
    const { body, headers, statusCode } = await s.get('/.well-known/security.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const fields = body.trimEnd().split('\n');
    expect(fields).toEqual([
      `Contact: mailto:${BRAND.supportEmail}`,
      'Expires: 2027-05-01T00:00:00.000Z',
      'Preferred-Languages: en',
      `Canonical: ${ORIGIN}/.well-known/security.txt`,
    ]);
    const ahead = Date.parse(String(fields[1]).slice('Expires: '.length)) - s.clock.now().getTime();
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(365 * 86_400_000);
  });

  test('sitemap.xml lists every page once, market pages as of the last collection', async () => {
    const { body, headers } = await s.get('/sitemap.xml');
    expect(headers['content-type']).toContain('application/xml');
    const at = Object.fromEntries(
      [...body.matchAll(/<url><loc>([^<]+)<\/loc>(?:<lastmod>([^<]+)<\/lastmod>)?<\/url>/g)].map(([, loc, mod]) => [
        loc,
        mod,
      ]),
    );
    expect(Object.keys(at)).toEqual(Object.keys(LISTED_PAGES).map((path) => ORIGIN + path));
    const { lastCollectionTime } = (await s.get('/api/dashboard')).json();
    expect(lastCollectionTime).not.toBeNull();
    expect(at[`${ORIGIN}/app`]).toBe(lastCollectionTime);
    expect(at[`${ORIGIN}/app/terms`]).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(at[`${ORIGIN}/app/api`]).toBeUndefined();
    for (const address of Object.keys(at)) expect((await s.get(address.slice(ORIGIN.length))).statusCode).toBe(200);
  });
});

const MINUTE_MS = 60_000;
async function deliverAfter(ms: number): Promise<void> {
  await raise(s, [createDraft(`about-${ms}`, { own: { userId: ann.id, ruleId: 1 } })]);
  s.advance(ms);
  await s.product.notifications.deliver();
}
/** 'Email | 1.5 s | 1.5 s | 1.5 s | 1', from the current page. */
async function emailRow(): Promise<string | undefined> {
  await s.product.rebuild();
  const { body } = await s.get('/about');
  expect(body).toContain('Alert Delivery Speed');
  const row = /<tr[^>]*>(<th[^>]*>Email.*?)<\/tr>/.exec(body)?.[1];
  return row?.match(/(?<=>)[^<]+(?=<)/g)?.join(' | ');
}

test('/about shows alert delivery latency, updated every ten minutes', async () => {
  await deliverAfter(1500);
  expect(await emailRow()).toBe('Email | not measured yet | 0');
  s.advance(10 * MINUTE_MS);
  expect(await emailRow()).toBe('Email | 1.5 s | 1.5 s | 1.5 s | 1');
  await deliverAfter(300);
  s.advance(9 * MINUTE_MS);
  expect(await emailRow()).toBe('Email | 1.5 s | 1.5 s | 1.5 s | 1');
  s.advance(MINUTE_MS);
  expect(await emailRow()).toBe('Email | 900 ms | 1.4 s | 1.5 s | 2');
});

test.each(['/', '/about', '/status', '/no/such/page'])(
  'every class in %s has a rule in its stylesheet',
  async (path) => {
    const { body } = await s.get(path);
    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1]?.replaceAll('\\', '') ?? '';
    const drawn = body.replaceAll(/<(script|style)\b.*?<\/\1>/gs, '').replaceAll('&amp;', '&');
    const classes = [...drawn.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '));
    expect(classes.filter((name) => name && !style.includes(`.${name}`))).toEqual([]);
  },
);
