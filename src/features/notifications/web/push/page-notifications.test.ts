// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { countReloads } from '#app/web/testing/acts.ts';

import { fakeBrowser, oldBrowser } from './fixtures.ts';
import { createPushHelper } from './push-helper.ts';

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => {
  oldBrowser();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const TEST = {
  body: 'Test notification',
  icon: '/favicon.ico',
  tag: 'test-notification',
  requireInteraction: false,
  silent: false,
};

describe('a local notification', () => {
  test('is shown by the worker, with the defaults of a test', async () => {
    const { showNotification } = fakeBrowser();
    const helper = createPushHelper();
    await helper.initialize();
    expect(await helper.showLocalNotification('Hello')).toEqual({ success: true });
    expect(showNotification).toHaveBeenCalledExactlyOnceWith('Hello', TEST);
    await helper.showLocalNotification('Hello', { body: 'Other', tag: 'mine' });
    expect(showNotification).toHaveBeenLastCalledWith('Hello', { ...TEST, body: 'Other', tag: 'mine' });
  });

  test('without a worker it closes automatically after 5000 ms', async () => {
    vi.useFakeTimers();
    const { shown, closed } = fakeBrowser();
    await createPushHelper().showLocalNotification('Hello');
    expect(shown).toHaveBeenCalledExactlyOnceWith('Hello', TEST);
    vi.advanceTimersByTime(4999);
    expect(closed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(closed).toHaveBeenCalledTimes(1);
  });

  test('requires permission, and a browser with notifications', async () => {
    const { shown } = fakeBrowser({ permission: 'default' });
    const helper = createPushHelper();
    expect(await helper.showLocalNotification('Hello')).toEqual({
      success: false,
      error: 'Notification permission not granted',
    });
    expect(shown).not.toHaveBeenCalled();
    Reflect.deleteProperty(globalThis, 'Notification');
    expect((await helper.showLocalNotification('Hello')).error).toBe('Notifications not supported');
  });
});

const UPDATE = [
  'Update Available',
  {
    body: 'A new version is ready.',
    icon: '/favicon.ico',
    tag: 'update-notification',
    requireInteraction: true,
    actions: [
      { action: 'update-now', title: 'Update Now' },
      { action: 'later', title: 'Later' },
    ],
  },
];

describe('a newer worker', () => {
  test('already waiting is offered when the page loads', async () => {
    const { showNotification } = fakeBrowser({ controlled: true, waiting: true });
    await createPushHelper().initialize();
    expect(showNotification).toHaveBeenCalledExactlyOnceWith(...UPDATE);
  });

  test('taking over reloads the page; the first one does not', async () => {
    const reload = countReloads();
    const controlled = fakeBrowser({ controlled: true });
    await createPushHelper().initialize();
    controlled.container.dispatchEvent(new Event('controllerchange'));
    expect(reload).toHaveBeenCalledTimes(1);
    const fresh = fakeBrowser();
    await createPushHelper().initialize();
    fresh.container.dispatchEvent(new Event('controllerchange'));
    expect(reload).toHaveBeenCalledTimes(1);
  });
});

test('the worker requests the token with GET_AUTH_TOKEN, and nothing else', async () => {
  const { container } = fakeBrowser();
  localStorage.setItem('authToken', 'ann-token');
  await createPushHelper().initialize();
  const ask = (data: unknown) => {
    const port = { postMessage: vi.fn() };
    container.dispatchEvent(Object.assign(new Event('message'), { data, ports: [port] }));
    return port.postMessage;
  };
  expect(ask({ type: 'GET_AUTH_TOKEN' })).toHaveBeenCalledExactlyOnceWith({ token: 'ann-token' });
  expect(ask({ type: 'SOMETHING_ELSE' })).not.toHaveBeenCalled();
  expect(ask(null)).not.toHaveBeenCalled();
});
