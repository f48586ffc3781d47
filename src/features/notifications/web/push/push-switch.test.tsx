// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type Answer, answer, refuse } from '#ui/testing/answers.ts';

import { ENDPOINT, fakeBrowser, oldBrowser, PUBLIC_KEY } from './fixtures.ts';

const UNSUPPORTED = 'Push notifications not supported in this browser';
const DENIED = 'Notification permission denied. Please enable in browser settings.';
const HERE = { id: 1, endpoint: ENDPOINT, device: 'Chrome on Linux', createdAt: '2026-11-21T12:00:00.000Z' };
const OTHER = { ...HERE, id: 2, endpoint: `${ENDPOINT}b` };

let toasts: string[];
beforeEach(() => {
  localStorage.setItem('authToken', 'ann-token');
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  toasts = [];
  vi.resetModules();
});
afterEach(() => {
  cleanup();
  oldBrowser();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Given = {
  isOn?: boolean;
  disabled?: boolean;
  known?: unknown[];
  calls?: Record<string, Answer>;
  simulated?: boolean;
};

/** The switch as placed on a page. Known browsers follow the server calls. */
async function open({ isOn = false, disabled = false, known = [], calls = {}, simulated = false }: Given) {
  let browsers = known;
  const all: Record<string, Answer> = {
    '/api/push/browsers': () => Response.json({ browsers, simulated }),
    '/api/push/vapid-public-key': answer({ publicKey: PUBLIC_KEY }),
    '/api/push/subscribe': () => {
      browsers = [HERE, ...browsers];
      return Response.json({ success: true });
    },
    '/api/push/unsubscribe': answer({ success: true }),
    '/api/push/test': answer({ success: true, browsers: 1 }),
    ...calls,
  };
  const fetch = vi.fn(async (url: string, init?: RequestInit) => all[url]?.(url, init));
  vi.stubGlobal('fetch', fetch);
  // The helper lives as long as its page: each test loads its own.
  const { PushSwitch } = await import('./push-switch.tsx');
  const toaster = await import('#ui/toast.ts');
  toaster.attachToasts(({ kind, message }) => toasts.push(`${kind}: ${message}`));
  const onChange = vi.fn();
  const show = (on: boolean) => (
    <QueryClientProvider client={client}>
      <PushSwitch isOn={on} disabled={disabled} onChange={onChange} />
    </QueryClientProvider>
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { rerender } = render(show(isOn));
  onChange.mockImplementation((on: boolean) => rerender(show(on)));
  const control = screen.getByRole<HTMLButtonElement>('switch', { name: 'Push notifications' });
  if (!disabled) await vi.waitFor(() => expect(control.disabled).toBe(false));
  return { onChange, control, fetch };
}

const press = (control: Element) => userEvent.click(control);
const button = (name: string) => screen.findByRole('button', { name });

describe('toggling on', () => {
  test('requests permission, subscribes and notifies the page', async () => {
    const { subscribe, requestPermission } = fakeBrowser({ permission: 'default' });
    const { onChange, control } = await open({});
    expect(screen.getByText('Browser notifications, even when the app is closed.')).toBeDefined();
    await press(control);
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledExactlyOnceWith(true));
    expect(requestPermission).toHaveBeenCalledTimes(1);
    expect(subscribe).toHaveBeenCalledTimes(1);
    expect(toasts).toEqual(['success: Successfully subscribed to push notifications!']);
    expect(await screen.findByText('This browser is subscribed.')).toBeDefined();
    expect(control.getAttribute('aria-checked')).toBe('true');
  });

  test('denied: the status shows it, nothing changes, a message explains why', async () => {
    const { subscribe } = fakeBrowser({ permission: 'denied', answers: 'denied' });
    const { onChange, control } = await open({});
    expect(screen.getByText(DENIED)).toBeDefined();
    await press(control);
    await vi.waitFor(() => expect(toasts).toEqual([`error: ${DENIED}`]));
    expect([onChange.mock.calls, subscribe.mock.calls]).toEqual([[], []]);
  });

  test('unsupported: the status shows it, and so does the switch', async () => {
    oldBrowser();
    const { onChange, control } = await open({});
    expect(screen.getByText(UNSUPPORTED)).toBeDefined();
    await press(control);
    await vi.waitFor(() => expect(toasts).toEqual([`error: ${UNSUPPORTED}`]));
    expect(onChange).not.toHaveBeenCalled();
  });

  test("a failure shows 'Error updating push notifications'", async () => {
    fakeBrowser();
    const { onChange, control } = await open({ calls: { '/api/push/subscribe': refuse(400, 'No', 'bad_request') } });
    await press(control);
    await vi.waitFor(() => expect(toasts).toEqual(['error: Error updating push notifications']));
    expect(onChange).not.toHaveBeenCalled();
  });
});

describe('toggling off', () => {
  test('unsubscribes this browser and notifies the page', async () => {
    const { unsubscribe } = fakeBrowser({ subscribed: true });
    const { onChange, control } = await open({ isOn: true, known: [HERE] });
    await press(control);
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledExactlyOnceWith(false));
    expect(unsubscribe).toHaveBeenCalledTimes(1);
    expect(toasts).toEqual(['success: Successfully unsubscribed from push notifications']);
  });

  test('works if this browser was never subscribed', async () => {
    fakeBrowser();
    const { onChange, control } = await open({ isOn: true });
    await press(control);
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledExactlyOnceWith(false));
  });

  test('stays on if the browser fails', async () => {
    const { unsubscribe } = fakeBrowser({ subscribed: true });
    unsubscribe.mockRejectedValue(new Error('Not now'));
    const { onChange, control } = await open({ isOn: true, known: [HERE] });
    await press(control);
    await vi.waitFor(() => expect(toasts).toEqual(['error: Error updating push notifications']));
    expect(onChange).not.toHaveBeenCalled();
  });
});

describe('this browser', () => {
  test('unknown to the server can be subscribed while the account is on', async () => {
    fakeBrowser({ subscribed: true });
    const { onChange } = await open({ isOn: true, known: [OTHER] });
    const words = 'This browser is not subscribed. 1 other browser is.';
    expect(await screen.findByText(words)).toBeDefined();
    await press(await button('Subscribe this browser'));
    expect(await button('Send test notification')).toBeDefined();
    expect(onChange).not.toHaveBeenCalled();
  });

  test('once subscribed is tested with a test notification', async () => {
    fakeBrowser({ subscribed: true });
    const { fetch } = await open({ isOn: true, known: [HERE] });
    await press(await button('Send test notification'));
    await vi.waitFor(() => expect(toasts).toEqual(['success: Test notification sent successfully!']));
    const sent = fetch.mock.calls.find(([url]) => url === '/api/push/test')?.[1];
    expect(JSON.parse(sent?.body as string)).toEqual({
      title: 'Test Notification',
      body: 'Push notifications work in this browser.',
      icon: '/favicon.ico',
    });
  });

  test("a failed test shows 'Failed to send test notification'", async () => {
    fakeBrowser({ subscribed: true });
    await open({ isOn: true, known: [HERE], calls: { '/api/push/test': refuse(503, 'No', 'unavailable') } });
    await press(await button('Send test notification'));
    await vi.waitFor(() => expect(toasts).toEqual(['error: Failed to send test notification']));
  });
});

test('works when the list of browsers cannot be loaded', async () => {
  fakeBrowser();
  const { onChange, control } = await open({ calls: { '/api/push/browsers': refuse(503, 'No', 'unavailable') } });
  await press(control);
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledExactlyOnceWith(true));
});

test('disabled by the page', async () => {
  fakeBrowser();
  const { control } = await open({ disabled: true });
  await screen.findByText('Browser notifications, even when the app is closed.');
  expect(control.disabled).toBe(true);
});

describe('in the demo', () => {
  test('a simulated browser subscribes without permission, and its received messages are shown', async () => {
    oldBrowser();
    let browsers: unknown[] = [];
    const message = { title: 'BTC up', body: 'By 2%.', tag: 'a', url: '/app', severity: 'low', icon: '/i.png' };
    const { onChange, control, fetch } = await open({
      simulated: true,
      calls: {
        '/api/push/browsers': () => Response.json({ browsers, simulated: true }),
        '/api/push/simulated': (_url, init) => {
          if (init?.method !== 'POST')
            return Response.json({ messages: [{ ...message, at: '2026-11-21T12:00:00.000Z' }] });
          browsers = [HERE, OTHER];
          return Response.json({ success: true });
        },
      },
    });
    expect(screen.getByText('Demo: messages go to a simulated browser and never leave this machine.')).toBeDefined();
    await press(control);
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledExactlyOnceWith(true));
    expect(await screen.findByText('BTC up')).toBeDefined();
    expect(screen.getByText('By 2%.')).toBeDefined();
    expect(await button('Send test notification')).toBeDefined();
    await press(control);
    await vi.waitFor(() => expect(onChange).toHaveBeenLastCalledWith(false));
    const ended = fetch.mock.calls.filter(([url]) => url === '/api/push/unsubscribe');
    expect(ended.map(([, init]) => JSON.parse(init?.body as string))).toEqual([
      { endpoint: ENDPOINT },
      { endpoint: `${ENDPOINT}b` },
    ]);
  });

  test('a push service that does not respond', async () => {
    fakeBrowser();
    const { onChange, control } = await open({
      simulated: true,
      calls: { '/api/push/simulated': refuse(503, 'No', 'unavailable') },
    });
    await press(control);
    await vi.waitFor(() => expect(toasts).toEqual(['error: Error updating push notifications']));
    expect(onChange).not.toHaveBeenCalled();
  });
});
