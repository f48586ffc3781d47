import { request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { BrowserContext, Page } from '@playwright/test';

import { DEMO_PASSWORD } from './dialog.ts';
import { enter } from './people.ts';
import { expect, test } from './product.ts';

type Shown = { title: string; body: string; tag: string; url: string; icon: string; actions: string[] };

/** The notifications currently displayed. */
const shown = (page: Page): Promise<Shown[]> =>
  page.evaluate(async () => {
    const { origin } = location;
    type Detail = Notification & { data: { url?: string } | null; actions?: { title: string }[] };
    const all = (await (await navigator.serviceWorker.ready).getNotifications()) as Detail[];
    return all.map(({ title, body, tag, icon, data, actions = [] }) => ({
      title,
      body,
      tag,
      icon: icon.replace(origin, ''),
      url: data?.url ?? '',
      actions: actions.map((each) => each.title),
    }));
  });

/** Signed in, with permission for notifications, once the worker controls the page. */
async function open(page: Page, context: BrowserContext, url: string): Promise<void> {
  await context.grantPermissions(['notifications'], { origin: url });
  await enter(page, 'pro@meridian.example', DEMO_PASSWORD, `${url}/app/sources`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined);
}

/**
 * Counts, in a page or the worker, the notifications that are displayed. Chromium drops one that is looked up while it
 * is being displayed, so a story waits for this count before it calls `shown`.
 */
function countDisplays(): void {
  const { prototype } = ServiceWorkerRegistration;
  const display = Reflect.get(prototype, 'showNotification') as (this: unknown, ...given: unknown[]) => Promise<void>;
  Object.assign(globalThis, { displays: 0 });
  prototype.showNotification = async function (...given) {
    await display.apply(this, given);
    (globalThis as unknown as { displays: number }).displays += 1;
  };
}
const displaysOf = (where?: { evaluate: (look: () => number) => Promise<number> }) =>
  where?.evaluate(() => (globalThis as unknown as { displays: number }).displays);

/** Decrypted push messages, handed to the worker by the browser; each resolves once it is displayed. */
async function pushService(page: Page, context: BrowserContext): Promise<(data: string) => Promise<void>> {
  const devtools = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  // A message for a worker that is still activating is lost.
  const found = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const own = versions.find(({ scriptURL, status }) => scriptURL.startsWith(origin) && status === 'activated');
      if (own) resolve(own.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await found;
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(countDisplays);
  let displays = 0;
  return async (data) => {
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: `${origin}/`, registrationId, data });
    displays += 1;
    await expect.poll(() => displaysOf(worker)).toBe(displays);
  };
}

/** A click on the notification with this tag, or on one of its actions. */
async function click(context: BrowserContext, tag: string, action = ''): Promise<void> {
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(
    async ([tag, action]) => {
      type Worker = { registration: ServiceWorkerRegistration };
      const { registration } = self as unknown as Worker;
      const [notification] = await registration.getNotifications({ tag });
      const Click = (self as unknown as Record<string, new (type: string, given: object) => Event>)[
        'NotificationEvent'
      ];
      if (Click) self.dispatchEvent(new Click('notificationclick', { notification, action }));
    },
    [tag, action] as const,
  );
}

const message = (change: Record<string, unknown> = {}) =>
  JSON.stringify({
    title: 'BTC above 100,000 USD',
    body: 'Bitcoin has reached 100,120 USD.',
    tag: 'rule-17',
    url: '/app/track-record',
    severity: 'medium',
    icon: '/icon-192.png',
    at: '2026-11-20T12:00:00.000Z',
    ...change,
  });

test.describe('the worker', () => {
  test('is served for the whole site, never cached, and registers only for signed-in users', async ({
    page,
    context,
    product,
  }) => {
    const { headers } = await fetch(`${product.url}/sw.js`);
    expect([headers.get('cache-control'), headers.get('service-worker-allowed')]).toEqual(['no-cache', '/']);
    expect(headers.get('content-type')).toMatch(/javascript/);
    await page.goto('/app/sources');
    await page.waitForTimeout(4000);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
    await open(page, context, product.url);
    const scopes = await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    );
    expect(scopes).toEqual([`${product.url}/`]);
  });

  test('shows a message; a later one with its tag replaces it; non-JSON content is shown too', {
    tag: '@core',
  }, async ({ page, context, product }) => {
    await open(page, context, product.url);
    const deliver = await pushService(page, context);
    await deliver(message());
    const first = {
      title: 'BTC above 100,000 USD',
      body: 'Bitcoin has reached 100,120 USD.',
      tag: 'rule-17',
      url: '/app/track-record',
      icon: '/icon-192.png',
      actions: [],
    };
    expect(await shown(page)).toEqual([first]);
    await deliver(message({ body: 'Bitcoin has reached 101,000 USD.' }));
    expect(await shown(page)).toEqual([{ ...first, body: 'Bitcoin has reached 101,000 USD.' }]);
    await deliver('plain words');
    const news = async () => (await shown(page)).find(({ tag }) => tag === 'news');
    expect(await news()).toMatchObject({ title: 'Meridian', body: 'plain words', url: '/app' });
    await deliver('');
    expect((await news())?.body).toBe('You have a new notification.');
    expect(await shown(page)).toHaveLength(2);
  });

  test('a click opens the related page, never another site', async ({ page, context, product }) => {
    await open(page, context, product.url);
    const deliver = await pushService(page, context);
    await deliver(message());
    expect(await shown(page)).toHaveLength(1);
    await click(context, 'rule-17');
    await expect(page).toHaveURL(`${product.url}/app/track-record`);
    expect(await shown(page)).toEqual([]);
    await deliver(message({ url: 'https://elsewhere.example/app' }));
    expect(await shown(page)).toHaveLength(1);
    await click(context, 'rule-17');
    await expect(page).toHaveURL(`${product.url}/app`);
  });
});

type Call = { path: string; authorization: string | undefined; body: unknown };
type Elsewhere = { url: string; release: () => void; calls: Call[]; close: () => void };

/** The same product at a separate address, where the worker can get a newer version and push calls are recorded. */
async function elsewhere(url: string): Promise<Elsewhere> {
  let isReleased = false;
  const calls: Call[] = [];
  const server: Server = createServer((from, to) => {
    const { 'accept-encoding': _, 'if-none-match': _etag, 'if-modified-since': _since, ...headers } = from.headers;
    const path = from.url ?? '';
    if (path.startsWith('/api/push/') && from.method === 'POST') {
      void text(from).then((body) =>
        calls.push({ path, authorization: headers.authorization, body: JSON.parse(body) }),
      );
      to.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}');
      return;
    }
    const onward = ask(`${url}${path}`, { method: from.method, headers }, (answer) => {
      const isNewer = isReleased && path === '/sw.js';
      const { 'content-length': length, ...kept } = answer.headers;
      to.writeHead(answer.statusCode ?? 500, isNewer || !length ? kept : answer.headers);
      answer.pipe(to, { end: !isNewer });
      if (isNewer) answer.on('end', () => to.end('\n// A newer version.'));
    });
    onward.on('error', () => to.destroy());
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    release: () => void (isReleased = true),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a newer worker is offered; Later leaves it waiting, Update Now reloads the page with it', {
  tag: '@core',
}, async ({ browser, product }) => {
  const { url, release, close } = await elsewhere(product.url);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(countDisplays);
  await open(page, context, url);
  release();
  const update = () => page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  await update();
  await expect.poll(() => displaysOf(page)).toBe(1);
  expect(await shown(page)).toMatchObject([
    { title: 'Update Available', tag: 'update-notification', actions: ['Update Now', 'Later'] },
  ]);
  await page.evaluate(() => Object.assign(globalThis, { before: true }));
  const isWaiting = () => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);
  // A page that is loading cannot be evaluated.
  const isBefore = () => page.evaluate(() => 'before' in globalThis).catch(() => true);
  await click(context, 'update-notification', 'later');
  await expect.poll(() => shown(page)).toEqual([]);
  expect([await isWaiting(), await isBefore()]).toEqual([true, true]);

  await page.reload();
  await page.evaluate(() => Object.assign(globalThis, { before: true }));
  await expect.poll(() => displaysOf(page)).toBe(1);
  expect(await shown(page)).toMatchObject([{ title: 'Update Available' }]);
  await click(context, 'update-notification', 'update-now');
  await expect.poll(isBefore).toBe(false);
  expect(await isWaiting()).toBe(false);
  await context.close();
  close();
});

test('a browser with a changed subscription reports it to the server as the signed-in user', async ({
  browser,
  product,
}) => {
  const { url, calls, close } = await elsewhere(product.url);
  const context = await browser.newContext();
  const page = await context.newPage();
  await open(page, context, url);
  const token = await page.evaluate(() => localStorage.getItem('authToken'));
  const change = () =>
    context.serviceWorkers()[0]?.evaluate(() => {
      const Change = (self as unknown as Record<string, new (type: string) => Event>)['ExtendableEvent'];
      const keys = { p256dh: 'BA', auth: 'AA' };
      const newSubscription = { toJSON: () => ({ endpoint: 'https://new.example/b', keys }) };
      const oldSubscription = { endpoint: 'https://old.example/a', options: {} };
      if (Change)
        self.dispatchEvent(Object.assign(new Change('pushsubscriptionchange'), { oldSubscription, newSubscription }));
    });
  await change();
  const authorization = `Bearer ${token}`;
  await expect
    .poll(() => calls)
    .toEqual([
      { path: '/api/push/unsubscribe', authorization, body: { endpoint: 'https://old.example/a' } },
      {
        path: '/api/push/subscribe',
        authorization,
        body: { endpoint: 'https://new.example/b', keys: { p256dh: 'BA', auth: 'AA' } },
      },
    ]);
  await page.evaluate(() => localStorage.clear());
  await change();
  await page.waitForTimeout(1000);
  expect(calls).toHaveLength(2);
  await context.close();
  close();
});

test('the app is installable: manifest, icons of each size, colors', async ({ page, context }) => {
  await page.goto('/app');
  const devtools = await context.newCDPSession(page);
  const { url, errors, data } = await devtools.send('Page.getAppManifest');
  expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []]);
  const manifest = JSON.parse(data ?? '') as { icons: { src: string; sizes: string; purpose?: string }[] };
  expect(manifest).toMatchObject({ name: 'Meridian', id: '/app', start_url: '/app', display: 'standalone' });
  const drawn = manifest.icons.filter(({ src }) => src.endsWith('.png'));
  expect(drawn.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes } of drawn) {
    const png = await (await page.request.get(src)).body();
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
  }
  const colours = await page
    .locator('meta[name=theme-color]')
    .evaluateAll((all) => all.map((each) => (each as HTMLMetaElement).media));
  expect(colours).toEqual(['(prefers-color-scheme: dark)', '(prefers-color-scheme: light)']);
});
