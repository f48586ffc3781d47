import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { ann, root, signedInAs } from '#features/accounts/web/auth/fixtures.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { clearSession, startSession } from '#ui/session.ts';
import { answer } from '#ui/testing/answers.ts';
import { address, countReloads, LATE } from '../testing/acts.ts';
import { openApp } from '../testing/open-app.tsx';
import { enter, openDialog } from '../testing/signed-in.tsx';

const dialogNow = () => screen.queryByRole('dialog', { name: /^(Sign in to Meridian|Create your account)$/ });
const gone = () => waitFor(() => expect(dialogNow()).toBeNull());

describe('the auth parameter', () => {
  test.each([
    ['login', 'Sign In', 'Sign in to Meridian'],
    ['register', 'Sign Up', 'Create your account'],
  ] as const)('%s opens the dialog as %s, with that toggle selected', async (mode, toggle, title) => {
    const { dialog, form } = await openDialog(mode);
    expect(form.getByRole('heading', { name: title })).toBeDefined();
    const radio = form.getByRole('radio', { name: toggle, checked: true });
    await waitFor(() => expect(document.activeElement).toBe(radio));
    expect(dialog.querySelector('input, button, a')?.getAttribute('type')).toBe('radio');
  });

  test('any other value opens nothing', async () => {
    openApp({ at: '/app?auth=other' });
    await screen.findByRole('rowheader', { name: /BTC/ });
    expect(dialogNow()).toBeNull();
  });

  test('reopens when closed and requested again in the same tick', async () => {
    const { dialog } = await openDialog('register');
    const link = screen.getByRole('link', { name: 'Sign In', hidden: true });
    act(() => {
      (dialog as HTMLDialogElement).close();
      link.click();
    });
    await waitFor(() => expect(screen.getByRole<HTMLDialogElement>('dialog').open).toBe(true));
    expect(screen.getByRole('dialog')).not.toBe(dialog);
    await waitFor(() => expect(address()).toBe('/app?auth=register'));
  });

  test('closing keeps the other parameters', async () => {
    openApp({ at: '/app?coin=bitcoin&auth=login' });
    await userEvent.click(await screen.findByRole('button', { name: 'Close' }, LATE));
    await gone();
    await waitFor(() => expect(address()).toBe('/app?coin=bitcoin'));
  });

  test('is removed for users already signed in', async () => {
    startSession('token-of-7', ann);
    openApp({ at: '/app?auth=register', calls: { '/api/subscription': answer(subscriptionOf('free')) } });
    await waitFor(() => expect(address()).toBe('/app'));
    expect(dialogNow()).toBeNull();
  });

  test('a token unknown to the server counts as signed out', async () => {
    startSession('old', ann);
    const refused = () => Response.json({ error: 'Authentication required', code: 'unauthenticated' }, { status: 401 });
    openApp({ at: '/app?auth=login', calls: { '/api/subscription': refused } });
    expect(await screen.findByRole('dialog', {}, LATE)).toBeDefined();
    expect(localStorage.getItem('authToken')).toBeNull();
  });

  test('signing in on another tab closes the dialog', async () => {
    await openDialog('login');
    localStorage.setItem('authToken', 'from-another-tab');
    dispatchEvent(new StorageEvent('storage', { key: 'authToken' }));
    await gone();
    await waitFor(() => expect(address()).toBe('/app'));
    clearSession();
  });
});

describe('login completion', () => {
  test('stores token and user, refetches the dashboard, scrolls to the top', async () => {
    const reload = countReloads();
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
    const { asked, fetch } = await openDialog('login', { '/api/auth/login': answer(signedInAs(ann)) });
    await screen.findByRole('rowheader', { name: /BTC/, hidden: true });
    const reads = () => fetch.mock.calls.filter(([url]) => url.startsWith('/api/dashboard')).length;
    const before = reads();
    await enter();
    await gone();
    expect(asked('/api/auth/login')).toEqual([{ email: 'ann@example.com', password: 'correct horse' }]);
    expect(localStorage.getItem('authToken')).toBe('token-of-7');
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(ann);
    await waitFor(() => expect(address()).toBe('/app'));
    expect(scroll).toHaveBeenCalledWith(0, 0);
    await waitFor(() => expect(reads()).toBeGreaterThan(before));
    const [, init] = fetch.mock.calls.findLast(([url]) => url.startsWith('/api/dashboard')) ?? [];
    expect(init?.headers).toMatchObject({ authorization: 'Bearer token-of-7' });
    expect(reload).not.toHaveBeenCalled();
  });

  test('an admin gets a full page reload without the parameter', async () => {
    const reload = countReloads();
    await openDialog('login', { '/api/auth/login': answer(signedInAs(root)) });
    await enter('root@example.com');
    await gone();
    expect(reload).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(address()).toBe('/app'));
  });
});

describe('sign-in gate', () => {
  const at = (query: string) => `/app/auth-required${query}`;
  const gate = (name: string) => screen.findByRole('region', { name });

  const LINKS = [
    ['Back to Dashboard', '/app/'],
    ['Contact', '/app/contact'],
    ['Privacy Policy', '/app/privacy'],
    ['Terms & Conditions', '/app/terms'],
  ] as const;

  test.each([
    [
      '?feature=Profile&type=auth',
      'Sign in required',
      'Profile requires an account.',
      [
        ['Sign In', '/app?auth=login'],
        ['Create Account', '/app?auth=register'],
      ],
    ],
    [
      '?feature=Data+Export&type=upgrade',
      'Pro plan required',
      'Data Export is part of Pro, $29.99/month',
      [['Upgrade to Pro', '/app/subscription']],
    ],
    [
      '?feature=Webhooks&type=premium',
      'Premium+ plan required',
      'Webhooks is part of Premium+, $99/month',
      [['View Premium+ Plans', '/app/subscription']],
    ],
  ])('%s: message, feature, buttons and links', async (query, title, words, buttons) => {
    openApp({ at: at(query) });
    const region = await gate(title);
    // The price loads first.
    await waitFor(() => expect(region.textContent).toContain(words), LATE);
    expect(within(region).getAllByRole('listitem').length).toBeGreaterThan(LINKS.length);
    const links = within(region).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([...buttons, ...LINKS]);
  });

  test.each(['', '?type=toString'])('an unknown type counts as auth: %o', async (query) => {
    openApp({ at: at(query) });
    expect((await gate('Sign in required')).textContent).toContain('This page requires an account.');
  });

  test('the feature is text, never markup, and its length is limited', async () => {
    const markup = `<img src=x onerror=alert(1)>${'long '.repeat(100)}`;
    openApp({ at: at(`?type=auth&feature=${encodeURIComponent(markup)}`) });
    const region = await gate('Sign in required');
    expect(region.querySelector('img')).toBeNull();
    expect(region.textContent).toContain('<img src=x onerror=alert(1)>long');
    expect(region.textContent?.match(/long/g)?.length).toBeLessThan(15);
  });

  test.each([
    ['auth', 'free'],
    ['upgrade', 'pro'],
    ['premium', 'premium'],
  ] as const)('%s: a user who already has it (%s) is redirected to the dashboard', async (type, as) => {
    openApp({ at: at(`?type=${type}`), as });
    await waitFor(() => expect(address()).toBe('/app/'));
  });

  test.each([
    ['upgrade', 'free', 'Pro plan required'],
    ['premium', 'pro', 'Premium+ plan required'],
  ] as const)('%s remains for users on %s', async (type, as, title) => {
    openApp({ at: at(`?type=${type}`), as });
    await waitFor(async () => expect((await gate(title)).getAttribute('aria-busy')).toBe('false'));
    expect(address()).toBe(at(`?type=${type}`));
  });
});
