import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { address } from '#app/web/testing/acts.ts';

import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { clearSession, startSession } from '#ui/session.ts';
import { closeApp, freezeTime, openApp, payload, pressOpener } from '../testing/open-app.tsx';

const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});

beforeEach(() => freezeTime());
afterEach(() => {
  closeApp();
  reload.mockClear();
});

/** A page without cards renders faster. */
const at = '/app/subscription';
/** The cards of a page have headers too. */
const header = () => screen.getAllByRole('banner')[0] as HTMLElement;
const account = () => within(header()).findByRole('button', { name: 'Your account' });
const bell = () => within(header()).queryByRole('button', { name: 'Market alerts, Pro' });
const never = () => new Promise<Response>(() => {});
const failing = () => Response.json({ error: 'Something went wrong on our side', code: 'internal' }, { status: 500 });

describe('header', () => {
  test('signed out: Home, Sign In, and a bell with its Pro tag, both leading to registration', async () => {
    openApp({ at });
    expect(within(header()).getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/');
    for (const name of ['Sign In', 'Market alerts, Pro'])
      expect(within(header()).getByRole('link', { name }).getAttribute('href')).toBe('/app?auth=register');
    expect(within(header()).getByText('Pro')).toBeDefined();
    expect(within(header()).queryByRole('button', { name: 'Refresh' })).toBeNull();
  });

  test.each([
    ['free', true],
    ['pro', false],
  ] as const)('%s: refresh and the profile, no Home and no Sign In; a bell with an upsell: %s', async (as, sells) => {
    openApp({ at, as });
    const menu = pressOpener(await account());
    expect(await within(menu).findByText(`Hello, ${as}@meridian.example`)).toBeDefined();
    expect(within(header()).getByRole('button', { name: 'Refresh' })).toBeDefined();
    for (const name of ['Home', 'Sign In']) expect(within(header()).queryByRole('link', { name })).toBeNull();
    if (sells) await waitFor(() => expect(bell()).not.toBeNull());
    else expect(bell()).toBeNull();
  });

  test('while the account loads the profile greets the User, and no upsell is shown', async () => {
    openApp({ at, as: 'pro', calls: { '/api/subscription': never } });
    expect(within(pressOpener(await account())).getByText('Hello, User')).toBeDefined();
    expect(within(header()).queryByRole('link', { name: 'Sign In' })).toBeNull();
    expect(bell()).toBeNull();
  });

  test('follows a sign-in and a sign-out, in other tabs too, and refetches what it shows', async () => {
    const { fetch, queries } = openApp({
      at,
      // A failing stream would refetch everything as well.
      calls: { '/api/subscription': () => Response.json(subscriptionOf('pro')), '/api/stream/ticket': never },
    });
    await within(header()).findByRole('link', { name: 'Sign In' });
    const reads = () => fetch.mock.calls.filter(([url]) => url === '/api/dashboard').length;
    await waitFor(() => expect([reads() > 0, queries.isFetching()]).toEqual([true, 0]));
    const before = reads();
    act(() => startSession('a token', subscriptionOf('pro')));
    await account();
    await waitFor(() => expect(reads()).toBeGreaterThan(before));
    localStorage.removeItem('authToken');
    act(() => void dispatchEvent(new StorageEvent('storage', { key: 'authToken' })));
    expect(await within(header()).findByRole('link', { name: 'Sign In' })).toBeDefined();
    act(clearSession);
  });
});

describe('refresh', () => {
  const press = async () => userEvent.click(await within(header()).findByRole('button', { name: 'Refresh' }));

  test('refetches every query and shows a busy state', async () => {
    let answer = () => {};
    let waiting = false;
    const { fetch } = openApp({
      at: '/app/sources',
      as: 'premium',
      calls: {
        '/api/sources': () =>
          waiting ? new Promise<Response>((resolve) => (answer = () => resolve(failing()))) : failing(),
      },
    });
    await screen.findByRole('alert');
    await within(header()).findByRole('button', { name: 'Market alerts' });
    waiting = true;
    fetch.mockClear();
    await press();
    const busy = within(header()).getByRole('button', { name: 'Refreshing' });
    expect(busy.getAttribute('aria-busy')).toBe('true');
    await userEvent.click(busy);
    await waitFor(() =>
      expect(
        fetch.mock.calls
          .map(([url]) => url)
          .toSorted()
          .join(', '),
      ).toBe('/api/alerts/counts?seen=0, /api/alerts?limit=20, /api/dashboard, /api/sources, /api/subscription'),
    );
    act(answer);
    expect(await within(header()).findByRole('button', { name: 'Refresh' })).toBeDefined();
  });

  test('reports a failed read', async () => {
    let broken = false;
    openApp({
      at,
      as: 'premium',
      calls: { '/api/subscription': () => (broken ? failing() : Response.json(subscriptionOf('premium'))) },
    });
    await screen.findByText('Your current plan');
    broken = true;
    await press();
    expect(await screen.findByText('Couldn’t refresh some data. Existing values show their age.')).toBeDefined();
  });
});

test('the bell on Free: opens a panel that lists the alerts, shows plan and price, and links to the plans', async () => {
  openApp({ at: '/app/sources', as: 'free' });
  const panel = pressOpener(await screen.findByRole('button', { name: 'Market alerts, Pro' }));
  expect(panel.getAttribute('popover')).toBe('auto');
  expect(within(panel).getByRole('heading', { name: 'Market Alerts' })).toBeDefined();
  expect(within(panel).getAllByRole('listitem')).toHaveLength(9);
  await waitFor(() => expect(panel.textContent).toContain('$29.99/month'));
  expect(panel.textContent).not.toContain('coming soon');
  pressOpener(within(panel).getByRole('button', { name: 'Close' }));
  expect(panel.dataset['popover']).toBe('closed');
  await userEvent.click(within(panel).getByRole('link', { name: 'Upgrade to Pro' }));
  expect(address()).toBe('/app/subscription');
});

describe('profile menu', () => {
  const open = async () => {
    openApp({ at, as: 'pro' });
    return { menu: pressOpener(await account()) };
  };
  const focused = () => document.activeElement?.textContent;

  test('the browser reports opening late: focus that has moved on in the meantime is not reset; View Profile opens the profile', async () => {
    const { menu } = await open();
    fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' });
    act(() => void menu.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' })));
    expect(focused()).toBe('What’s new');
    await userEvent.click(within(menu).getByRole('menuitem', { name: 'View Profile' }));
    expect(address()).toBe('/app/profile');
    expect(menu.dataset['popover']).toBe('closed');
  });

  test('Logout: clears all user data in the browser and reloads the page', async () => {
    const { fetch } = openApp({ at, as: 'pro', calls: { '/api/auth/logout': () => Response.json({ success: true }) } });
    for (const key of ['token', 'lastSeenAlertId']) localStorage.setItem(key, '1');
    const menu = pressOpener(await account());
    await userEvent.click(within(menu).getByRole('menuitem', { name: 'Logout' }));
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    const [, init] = fetch.mock.calls.find(([url]) => url === '/api/auth/logout') ?? [];
    expect(init).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer pro-token' } });
    for (const key of ['authToken', 'token', 'user', 'lastSeenAlertId']) expect(localStorage.getItem(key)).toBeNull();
  });
});

describe('while the server is unreachable', () => {
  const openThenFail = async (fail: () => Response | Promise<Response>) => {
    let broken = false;
    const { queries } = openApp({
      at,
      calls: { '/api/dashboard': () => (broken ? fail() : Response.json(payload())) },
    });
    await screen.findByText(/feeds? (is )?healthy/);
    broken = true;
    await act(() => queries.refetchQueries({ queryKey: ['dashboard'] }));
    return async () => {
      broken = false;
      await act(() => queries.refetchQueries({ queryKey: ['dashboard'] }));
    };
  };
  const sidebar = () => screen.getByRole('navigation', { name: 'Main' });

  test.each([
    ['Connection lost', () => Promise.reject(new TypeError('fetch failed'))],
    ['Updates failing', failing],
  ] as const)(
    '"%s" with the last update time is shown in header and sidebar, and no feed is labeled healthy',
    async (words, fail) => {
      const restore = await openThenFail(fail);
      const said = new RegExp(`^${words} · last update \\d\\d:\\d\\d UTC$`);
      expect(await within(header()).findByText(said)).toBeDefined();
      expect(within(sidebar()).getByText(said)).toBeDefined();
      expect(screen.queryByText(/healthy/)).toBeNull();
      expect(within(sidebar()).queryByText(/^Next collection/)).toBeNull();
      await restore();
      expect(await within(sidebar()).findByText(/feeds? (is )?healthy/)).toBeDefined();
      expect(screen.queryByText(said)).toBeNull();
    },
  );
});
