// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { address, LATE } from '../testing/acts.ts';
import { closeApp, freezeTime, openApp } from '../testing/open-app.tsx';

const assign = vi.fn<(url: string) => void>();
beforeEach(async () => {
  // Its code is here before the clock of a test stands still.
  await import('./account-pages.tsx');
  freezeTime();
  assign.mockClear();
  vi.spyOn(location, 'assign').mockImplementation((url) => assign(String(url)));
});
afterEach(() => {
  closeApp();
  vi.restoreAllMocks();
});

const open = (search: string) => openApp({ at: `/unsubscribe-success${search}` });
const title = () => screen.findByRole('heading', { level: 1, name: "You're unsubscribed" }, LATE);
const said = () => screen.getByRole('main').textContent;

const stopTimers = () =>
  vi.useFakeTimers({
    toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'],
    shouldAdvanceTime: false,
  });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('/unsubscribe-success', () => {
  test('says whose mails have ended and how to get them back', async () => {
    open('?email=ann%2Bx%40example.com');
    await title();
    expect(said()).toContain('ann+x@example.com will no longer receive');
    expect(screen.getByRole('link', { name: 'your notification settings' }).getAttribute('href')).toBe('/settings');
    expect(document.title).toMatch(/^Unsubscribed/);
  });

  test('an address that is markup is shown as it is written', async () => {
    open(`?email=${encodeURIComponent('<img src=x onerror=alert(1)>"@example.com')}`);
    await title();
    expect(said()).toContain('<img src=x onerror=alert(1)>"@example.com');
    expect(document.querySelector('main img')).toBeNull();
  });

  test.each(['', '?email=', '?other=1', '?email=%E0%A4%A'])('works with %j, without an address', async (search) => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    open(search);
    await title();
    expect(said()).toMatch(/(You|\S+) will no longer receive/);
    expect(errors).not.toHaveBeenCalled();
  });

  test('leads home after 10 seconds, not before, and counts them', async () => {
    stopTimers();
    open('?email=ann%40example.com');
    await pass(0);
    expect(screen.getByText('Redirecting to the homepage in 10 s')).toBeDefined();
    await pass(9_999);
    expect(assign).not.toHaveBeenCalled();
    expect(address()).toBe('/unsubscribe-success?email=ann%40example.com');
    await pass(1);
    expect(assign.mock.calls).toEqual([['/']]);
  });

  test('Go to Homepage leads there at once', async () => {
    open('');
    await title();
    await userEvent.click(screen.getByRole('button', { name: 'Go to Homepage' }));
    expect(assign.mock.calls).toEqual([['/']]);
  });

  test('the wait is announced once and politely', async () => {
    open('');
    await title();
    const polite = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(polite).toContain('You are taken to the homepage in 10 seconds.');
  });
});
