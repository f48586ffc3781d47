// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearSession, runSignOutHandlers } from '#ui/session.ts';
import { type Answer, answer, refuse, unreachable } from '#ui/testing/answers.ts';

import { ENDPOINT, fakeBrowser, KEYS, oldBrowser, PUBLIC_KEY } from './fixtures.ts';
import { createPushHelper } from './push-helper.ts';

const LOG_IN = 'Authentication required. Please log in to enable push notifications.';
const KEY = '/api/push/vapid-public-key';
const SUBSCRIBE = '/api/push/subscribe';
const UNSUBSCRIBE = '/api/push/unsubscribe';

let warned: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  localStorage.setItem('authToken', 'ann-token');
  warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  oldBrowser();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function serve(calls: Record<string, Answer> = {}) {
  const all: Record<string, Answer> = {
    [KEY]: answer({ publicKey: PUBLIC_KEY }),
    [SUBSCRIBE]: answer({ success: true }),
    [UNSUBSCRIBE]: answer({ success: true }),
    ...calls,
  };
  const fetch = vi.fn(async (url: string, init?: RequestInit) => all[url]?.(url, init));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

const bodyOf = (fetch: ReturnType<typeof serve>, path: string): unknown =>
  JSON.parse(fetch.mock.calls.find(([url]) => url === path)?.[1]?.body as string);

async function initialized() {
  const helper = createPushHelper();
  await helper.initialize();
  return helper;
}

describe('initialize', () => {
  test('unsupported: no worker, or no push', async () => {
    oldBrowser();
    const helper = createPushHelper();
    expect(await helper.initialize()).toEqual({ success: false, error: 'Push notifications not supported' });
    expect(helper.state()).toBe('unsupported');
    expect(helper.getStatus()).toEqual({
      supported: false,
      isSubscribed: false,
      permission: 'denied',
      subscription: null,
    });
    fakeBrowser();
    vi.unstubAllGlobals();
    expect((await createPushHelper().initialize()).error).toBe('Push notifications not supported');
    expect(warned).toHaveBeenCalledWith('Push notifications: Push notifications not supported');
  });

  test('initialized: the worker of /sw.js is registered, once', async () => {
    const { container } = fakeBrowser({ permission: 'default' });
    const helper = createPushHelper();
    const [first] = await Promise.all([helper.initialize(), helper.initialize()]);
    expect(first).toEqual({ success: true, permission: 'default', isSubscribed: false, subscription: null });
    expect(container.register).toHaveBeenCalledExactlyOnceWith('/sw.js', { scope: '/' });
    expect(helper.state()).toBe('initialized');
    expect(helper.getStatus()).toMatchObject({ supported: true, isSubscribed: false, permission: 'default' });
  });

  test('subscribed: an existing subscription is found', async () => {
    fakeBrowser({ subscribed: true });
    const helper = createPushHelper();
    expect(await helper.initialize()).toMatchObject({ isSubscribed: true, subscription: { endpoint: ENDPOINT } });
    expect(helper.state()).toBe('subscribed');
  });

  test('a failed registration returns the caught message and can be retried', async () => {
    const { container } = fakeBrowser();
    container.register.mockRejectedValueOnce(new TypeError('Failed to register'));
    const helper = createPushHelper();
    expect(await helper.initialize()).toEqual({ success: false, error: 'Failed to register' });
    expect((await helper.initialize()).success).toBe(true);
  });
});

describe('subscribe', () => {
  test('subscribed: with the server key, visible only, reported to the server', async () => {
    const { subscribe } = fakeBrowser();
    const fetch = serve();
    const helper = await initialized();
    expect(await helper.subscribe()).toMatchObject({
      success: true,
      permission: 'granted',
      isSubscribed: true,
      subscription: { endpoint: ENDPOINT },
    });
    expect(helper.state()).toBe('subscribed');
    expect(subscribe).toHaveBeenCalledExactlyOnceWith({
      userVisibleOnly: true,
      applicationServerKey: Uint8Array.from([0x04, 0xff, 0xff, 0xfa]),
    });
    expect(fetch.mock.calls[0]?.[1]?.headers).toEqual({ authorization: 'Bearer ann-token' });
    expect(bodyOf(fetch, SUBSCRIBE)).toEqual({ endpoint: ENDPOINT, keys: KEYS });
  });

  test('before it is initialized, or unsupported', async () => {
    fakeBrowser();
    const error = 'Push notifications not supported or not initialized';
    expect(await createPushHelper().subscribe()).toEqual({ success: false, error });
    oldBrowser();
    expect(await createPushHelper().subscribe()).toEqual({ success: false, error });
  });

  test('no token: nothing is requested; the key "token" counts, "authToken" comes first', async () => {
    fakeBrowser();
    const fetch = serve();
    const helper = await initialized();
    localStorage.clear();
    expect(await helper.subscribe()).toEqual({ success: false, error: LOG_IN });
    expect(fetch).not.toHaveBeenCalled();
    const bearer = () =>
      (fetch.mock.calls.at(-1)?.[1]?.headers as Record<string, string> | undefined)?.['authorization'];
    localStorage.setItem('token', 'older');
    expect((await helper.subscribe()).success).toBe(true);
    expect(bearer()).toBe('Bearer older');
    localStorage.setItem('authToken', 'newer');
    await helper.subscribe();
    expect(bearer()).toBe('Bearer newer');
  });

  test.each([
    ['a 401 on the key', KEY, refuse(401, 'Authentication required', 'unauthenticated'), LOG_IN],
    ['another refusal of the key', KEY, refuse(503, 'Later', 'unavailable'), 'Failed to get VAPID public key'],
    ['no server', KEY, unreachable, 'The server is unreachable'],
    ['a refused subscription', SUBSCRIBE, refuse(400, 'No', 'bad_request'), 'Failed to subscribe on server'],
    ['a 401 on the subscription', SUBSCRIBE, refuse(401, 'No', 'unauthenticated'), 'Failed to subscribe on server'],
  ])('%s', async (_what, path, reply, error) => {
    const { registration } = fakeBrowser();
    serve({ [path]: reply });
    const helper = await initialized();
    expect(await helper.subscribe()).toEqual({ success: false, error });
    expect(warned).toHaveBeenCalledWith(`Push notifications: ${error}`);
    expect(helper.getStatus().isSubscribed).toBe(false);
    expect(await registration.pushManager.getSubscription()).toBeNull();
  });

  test('the browser’s error message on refusal', async () => {
    fakeBrowser({ subscribe: () => Promise.reject(new Error('Registration failed - permission denied')) });
    serve();
    const helper = await initialized();
    expect((await helper.subscribe()).error).toBe('Registration failed - permission denied');
  });

  test('a browser that never responds times out after ten seconds', async () => {
    fakeBrowser({ subscribe: () => new Promise(() => {}) });
    serve();
    const helper = await initialized();
    vi.useFakeTimers();
    const result = helper.subscribe();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await result).error).toBe('The browser’s push service did not respond');
  });

  test.each([
    ['of other keys is ended first', 'BAAA', 1],
    ['of the same key stays', PUBLIC_KEY, 0],
  ])('an older subscription %s', async (_what, keyBefore, ended) => {
    const { unsubscribe } = fakeBrowser({ subscribed: true, keyBefore });
    serve();
    const helper = await initialized();
    expect((await helper.subscribe()).success).toBe(true);
    expect(unsubscribe).toHaveBeenCalledTimes(ended);
  });
});

describe('unsubscribe', () => {
  test('unsubscribed: the browser first, then the server', async () => {
    const { unsubscribe } = fakeBrowser({ subscribed: true });
    const fetch = serve();
    const helper = await initialized();
    expect(await helper.unsubscribe()).toEqual({
      success: true,
      permission: 'granted',
      isSubscribed: false,
      subscription: null,
    });
    expect(helper.state()).toBe('unsubscribed');
    expect(unsubscribe).toHaveBeenCalledTimes(1);
    expect(bodyOf(fetch, UNSUBSCRIBE)).toEqual({ endpoint: ENDPOINT });
  });

  test('without a token the server is not called; a 401 is only logged', async () => {
    fakeBrowser({ subscribed: true });
    const fetch = serve({ [UNSUBSCRIBE]: refuse(401, 'Authentication required', 'unauthenticated') });
    const helper = await initialized();
    expect((await helper.unsubscribe()).success).toBe(true);
    expect(warned).toHaveBeenCalledWith('Push notifications: Authentication required');
    fakeBrowser({ subscribed: true });
    const other = await initialized();
    localStorage.clear();
    fetch.mockClear();
    expect((await other.unsubscribe()).success).toBe(true);
    expect(fetch).not.toHaveBeenCalled();
  });

  test('not subscribed', async () => {
    fakeBrowser();
    const helper = await initialized();
    expect(await helper.unsubscribe()).toMatchObject({ success: false, error: 'Not subscribed to push notifications' });
  });

  test('a browser error: it stays subscribed, the server is not called', async () => {
    const { unsubscribe } = fakeBrowser({ subscribed: true });
    const fetch = serve();
    unsubscribe.mockRejectedValueOnce(new Error('Not now'));
    const helper = await initialized();
    expect((await helper.unsubscribe()).error).toBe('Not now');
    expect(helper.getStatus().isSubscribed).toBe(true);
    expect(fetch).not.toHaveBeenCalled();
  });

  test('signing out unsubscribes while the token is still valid', async () => {
    const { unsubscribe } = fakeBrowser({ subscribed: true });
    const fetch = serve();
    await initialized();
    await runSignOutHandlers();
    clearSession();
    expect(unsubscribe).toHaveBeenCalledTimes(1);
    expect(fetch.mock.calls[0]?.[1]?.headers).toMatchObject({ authorization: 'Bearer ann-token' });
  });
});

describe('requestPermission', () => {
  test.each([
    ['granted', { success: true, permission: 'granted' }],
    ['denied', { success: false, error: 'Permission denied', permission: 'denied' }],
    ['default', { success: false, error: 'Permission dismissed', permission: 'default' }],
  ] as const)('%s', async (answers, result) => {
    fakeBrowser({ permission: 'default', answers });
    expect(await createPushHelper().requestPermission()).toEqual(result);
  });

  test('without notifications', async () => {
    vi.stubGlobal('Notification', undefined);
    Reflect.deleteProperty(globalThis, 'Notification');
    expect(await createPushHelper().requestPermission()).toEqual({
      success: false,
      error: 'Notifications not supported',
    });
  });
});
