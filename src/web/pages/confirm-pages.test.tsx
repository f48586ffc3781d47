// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { ann } from '#features/auth/web/fixtures.ts';
import { subscriptionOf } from '#features/subscriptions/web/fixtures.ts';
import { startSession } from '#web/session.ts';

import { address, fill, LATE } from '../testing/acts.ts';
import { answer, refuse, unreachable } from '../testing/answers.ts';
import { closeApp, freezeTime, openApp, payload } from '../testing/open-app.tsx';

beforeEach(async () => {
  // Its code is here before the clock of a test stands still.
  await import('./account-pages.tsx');
  freezeTime();
});
afterEach(closeApp);

type Answer = () => Response | Promise<Response>;
const title = (name: string) => screen.findByRole('heading', { level: 1, name }, LATE);
const kept = () => ['authToken', 'user'].map((key) => localStorage.getItem(key));

/** From here on time passes only as a test lets it. */
const stopTimers = () =>
  vi.useFakeTimers({
    toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'],
    shouldAdvanceTime: false,
  });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('/auth/confirm-success', () => {
  const open = (user: Answer = answer(ann), at = '/auth/confirm-success?token=t-123&email=ann%40example.com') =>
    openApp({ at, calls: { '/api/auth/user': user, '/api/subscription': answer(subscriptionOf('free')) } });

  test('keeps the token, takes it out of the address bar and says who is logged in', async () => {
    const { fetch } = open();
    await title('Email Confirmed!');
    expect(await screen.findByText('You are logged in.')).toBeDefined();
    expect(screen.getByRole('main').textContent).toContain('ann@example.com is confirmed.');
    await waitFor(() => expect(address()).toBe('/auth/confirm-success'));
    expect(kept()).toEqual(['t-123', JSON.stringify(ann)]);
    const [, init] = fetch.mock.calls.find(([url]) => url === '/api/auth/user') ?? [];
    expect(init?.headers).toEqual({ authorization: 'Bearer t-123' });
  });

  test('the token is kept and out of the address before the server has answered', async () => {
    open(() => new Promise<Response>(() => {}));
    await title('Email Confirmed!');
    await waitFor(() => expect(address()).toBe('/auth/confirm-success'));
    expect(kept()).toEqual(['t-123', null]);
    expect(screen.getByText('Logging you in…')).toBeDefined();
  });

  test('leads to the app after 5 seconds, not before', async () => {
    stopTimers();
    open();
    await pass(0);
    await pass(4_999);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Email Confirmed!');
    expect(screen.getByText('Redirecting to the app in 1 s')).toBeDefined();
    await pass(1);
    expect(address()).toBe('/app');
  });

  test('the wait is announced once and politely', async () => {
    open();
    await title('Email Confirmed!');
    const polite = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(polite).toContain('You are taken to the app in 5 seconds.');
    expect(screen.getByText(/^Redirecting to the app in/).getAttribute('aria-hidden')).toBe('true');
  });

  test('Go to App leads there at once', async () => {
    open();
    await userEvent.click(await screen.findByRole('link', { name: 'Go to App' }, LATE));
    await waitFor(() => expect(address()).toBe('/app'));
  });

  test('a token that the server refuses leaves the browser again, and confirms nothing', async () => {
    open(refuse(401, 'Authentication required', 'unauthenticated'));
    await title('Invalid Link');
    expect(kept()).toEqual([null, null]);
    expect(screen.getByRole('main').textContent).not.toContain('ann@example.com');
    expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/login');
  });

  test('a server that cannot be reached costs the greeting only', async () => {
    open(unreachable);
    expect(await screen.findByText('Your account could not be read just now.', {}, LATE)).toBeDefined();
    expect(kept()).toEqual(['t-123', null]);
    expect(screen.getByRole('link', { name: 'Go to App' })).toBeDefined();
  });

  test('a link opened twice brings no token: it is confirmed, and signing in comes next', async () => {
    open(answer(ann), '/auth/confirm-success?email=ann%40example.com');
    await title('Email Confirmed!');
    expect(screen.getByText('Please sign in to go on.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Sign In' })).toBeDefined();
  });

  test('a reload of the page stays logged in', async () => {
    startSession('t-123', ann);
    open(answer(ann), '/auth/confirm-success');
    expect(await screen.findByText('You are logged in.', {}, LATE)).toBeDefined();
  });

  test('an address that says nothing is a missing token', async () => {
    open(answer(ann), '/auth/confirm-success');
    await title('Missing Token');
  });
});

describe('/auth/confirm-error', () => {
  test.each([
    ['?error=Confirmation%20token%20has%20expired', 'Link Expired'],
    ['?error=INVALID+confirmation+token', 'Invalid Link'],
    ['?error=confirmation%20token%20is%20required', 'Missing Token'],
    ['?error=Something+else', 'Confirmation Failed'],
    ['?error=constructor', 'Confirmation Failed'],
    ['', 'Confirmation Failed'],
  ])('%s is told as %s', async (search, name) => {
    openApp({ at: `/auth/confirm-error${search}` });
    await title(name);
    expect(screen.getByRole('main').textContent).not.toContain('Something else');
    const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links.slice(1)).toEqual([
      ['Resend Confirmation Email', '/resend-confirmation'],
      ['Back to Login', '/login'],
    ]);
  });

  test('counts down and leads to the login after 10 seconds, not before', async () => {
    stopTimers();
    openApp({ at: '/auth/confirm-error' });
    await pass(0);
    expect(screen.getByText('Redirecting to the login in 10 s')).toBeDefined();
    await pass(3_000);
    expect(screen.getByText('Redirecting to the login in 7 s')).toBeDefined();
    await pass(6_999);
    expect(address()).toBe('/auth/confirm-error');
    await pass(1);
    expect(address()).toBe('/app?auth=login');
  });
});

test('/login opens the dialog', async () => {
  openApp({ at: '/login' });
  expect(await screen.findByRole('dialog', {}, LATE)).toBeDefined();
  expect(address()).toBe('/app?auth=login');
});

describe('/resend-confirmation', () => {
  const open = async (resend: Answer) => {
    const { fetch } = openApp({ at: '/resend-confirmation', calls: { '/api/auth/resend-confirmation': resend } });
    await title('Resend Confirmation Email');
    await fill('Email', 'ann@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Resend Confirmation Email' }));
    return fetch;
  };

  test('sends a new link and says so', async () => {
    const fetch = await open(answer({ message: 'Sent', demoMail: '/demo-mail/abc' }));
    expect(await screen.findByText('Confirmation email resent! Please check your inbox.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Open the demo mail' }).getAttribute('href')).toBe('/demo-mail/abc');
    const [, init] = fetch.mock.calls.find(([url]) => url === '/api/auth/resend-confirmation') ?? [];
    expect(init?.body).toBe('{"email":"ann@example.com"}');
  });

  test('a failure has its words', async () => {
    await open(unreachable);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('Failed to resend confirmation emailThe server cannot be reached');
  });
});

test('an installation in demo mode says so on these pages too', async () => {
  openApp({
    at: '/resend-confirmation',
    calls: { '/api/dashboard': () => Response.json(payload({ dataMode: 'demo' })) },
  });
  expect(await screen.findByText('Demo data', {}, LATE)).toBeDefined();
});
