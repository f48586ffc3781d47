import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';

import { ann } from '#features/accounts/web/auth/fixtures.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { startSession } from '#ui/session.ts';
import { answer, refuse, unreachable } from '#ui/testing/answers.ts';
import { address, fill, LATE, pass, stopTimers, texts } from '../testing/acts.ts';
import { freezeTime, openApp, payload } from '../testing/open-app.tsx';

beforeEach(async () => {
  // Its code is loaded before the clock of a test is frozen.
  await import('./account-pages.tsx');
  freezeTime();
});

type Answer = () => Response | Promise<Response>;
const title = (name: string) => screen.findByRole('heading', { level: 1, name }, LATE);
const kept = () => ['authToken', 'user'].map((key) => localStorage.getItem(key));

const LINK = '/auth/confirm-success?token=t-123&email=ann%40example.com';
const bob = { ...ann, id: 8, email: 'bob@example.com' };
const FRESH = { token: 'fresh-1', user: ann };
const free = { '/api/subscription': answer(subscriptionOf('free')) };
const never = () => new Promise<Response>(() => {});
const postsTo = (fetch: ReturnType<typeof openApp>['fetch'], path: string) =>
  fetch.mock.calls.filter(([url, init]) => url === path && init?.method === 'POST').map(([, init]) => init);

describe('/auth/confirm', () => {
  const open = (confirm: Answer, at = '/auth/confirm?token=co_1') =>
    openApp({
      at,
      calls: {
        '/api/auth/confirm': confirm,
        '/api/auth/exchange': answer(FRESH),
        '/api/auth/user': answer(ann),
        ...free,
      },
    });

  test('confirms by a single automatic POST and continues to the success page', async () => {
    const { fetch } = open(answer({ email: ann.email, token: 't-123' }));
    await title('Email Confirmed!');
    expect(postsTo(fetch, '/api/auth/confirm').map((init) => init?.body)).toEqual(['{"token":"co_1"}']);
    expect(postsTo(fetch, '/api/auth/exchange').map((init) => init?.body)).toEqual(['{"token":"t-123"}']);
    expect(kept()).toEqual(['fresh-1', JSON.stringify(ann)]);
  });

  test('removes the token from the address bar during the request', async () => {
    open(never);
    expect(await screen.findByText('Confirming your email address…', {}, LATE)).toBeDefined();
    await waitFor(() => expect(address()).toBe('/auth/confirm'));
  });

  test.each([
    ['Confirmation token has expired', 'Link Expired'],
    ['Invalid confirmation token', 'Invalid Link'],
  ])('a refusal with "%s" redirects to %s', async (words, name) => {
    open(refuse(400, words, 'bad_request'));
    await title(name);
  });

  test('treats an absent token as missing', async () => {
    open(answer({}), '/auth/confirm');
    await title('Missing Token');
  });

  test('retries an unreachable server on Retry', async () => {
    let tries = 0;
    open(() => (++tries === 1 ? unreachable() : Response.json({ email: ann.email, token: 't-123' })));
    await userEvent.click(await screen.findByRole('button', { name: 'Retry' }, LATE));
    await title('Email Confirmed!');
  });
});

describe('/auth/confirm-success', () => {
  const open = (exchange: Answer = answer(FRESH), at = LINK, user: Answer = answer(ann)) =>
    openApp({ at, calls: { '/api/auth/exchange': exchange, '/api/auth/user': user, ...free } });

  test('exchanges the token, stores the fresh one and shows who is logged in; the wait is announced once and politely; Go to App goes there immediately', async () => {
    const { fetch } = open();
    await title('Email Confirmed!');
    expect(await screen.findByText('You are logged in.')).toBeDefined();
    expect(screen.getByRole('main').textContent).toContain('ann@example.com is confirmed.');
    await waitFor(() => expect(address()).toBe('/auth/confirm-success'));
    expect(kept()).toEqual(['fresh-1', JSON.stringify(ann)]);
    expect(postsTo(fetch, '/api/auth/exchange').map((init) => init?.body)).toEqual(['{"token":"t-123"}']);
    const polite = texts(screen.getAllByRole('status'));
    expect(polite).toContain('You will be redirected to the app in 5 seconds.');
    expect(screen.getByText(/^Redirecting to the app in/).getAttribute('aria-hidden')).toBe('true');
    await userEvent.click(await screen.findByRole('link', { name: 'Go to App' }, LATE));
    await waitFor(() => expect(address()).toBe('/app'));
  });

  test('stores and shows nothing before the server has accepted the token', async () => {
    open(never);
    expect(await screen.findByText('Logging you in…', {}, LATE)).toBeDefined();
    await waitFor(() => expect(address()).toBe('/auth/confirm-success'));
    expect(kept()).toEqual([null, null]);
    expect(screen.getByRole('main').textContent).not.toContain('ann@example.com');
  });

  test('shows the email from the server, not from the URL', async () => {
    open(answer(FRESH), '/auth/confirm-success?token=t-123&email=someone%40else.example');
    await title('Email Confirmed!');
    expect(screen.getByRole('main').textContent).toContain('ann@example.com is confirmed.');
    expect(screen.getByRole('main').textContent).not.toContain('someone@else.example');
  });

  test('a token rejected by the server changes nothing in the browser', async () => {
    startSession('bobs', bob);
    open(refuse(401, 'Invalid confirmation token', 'unauthenticated'), LINK, answer(bob));
    await title('Invalid Link');
    expect(kept()).toEqual(['bobs', JSON.stringify(bob)]);
    expect(screen.getByRole('main').textContent).not.toContain('ann@example.com');
  });

  test('asks first when another account is signed in', async () => {
    startSession('bobs', bob);
    open(answer(FRESH), LINK, answer(bob));
    await title('Email Confirmed!');
    expect(screen.getByText(/You are signed in as/).textContent).toContain('bob@example.com');
    expect(kept()).toEqual(['bobs', JSON.stringify(bob)]);
    await userEvent.click(screen.getByRole('button', { name: 'Use the confirmed account' }));
    expect(await screen.findByText('You are logged in.')).toBeDefined();
    expect(kept()).toEqual(['fresh-1', JSON.stringify(ann)]);
  });

  test('staying keeps the session, and the other one ends', async () => {
    startSession('bobs', bob);
    const { fetch } = open(answer(FRESH), LINK, answer(bob));
    await userEvent.click(await screen.findByRole('button', { name: 'Stay signed in' }, LATE));
    await waitFor(() => expect(address()).toBe('/app'));
    expect(kept()).toEqual(['bobs', JSON.stringify(bob)]);
    expect(postsTo(fetch, '/api/auth/logout').map((init) => init?.headers)).toEqual([
      { authorization: 'Bearer fresh-1' },
    ]);
  });

  test('replaces an expired session without asking', async () => {
    startSession('bobs', bob);
    open(answer(FRESH), LINK, refuse(401, 'Authentication required', 'unauthenticated'));
    expect(await screen.findByText('You are logged in.', {}, LATE)).toBeDefined();
    expect(kept()).toEqual(['fresh-1', JSON.stringify(ann)]);
  });

  test('redirects to the app after 5 seconds, not before', async () => {
    stopTimers();
    open();
    await pass(0);
    await pass(4_999);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Email Confirmed!');
    expect(screen.getByText('Redirecting to the app in 1 s')).toBeDefined();
    await pass(1);
    expect(address()).toBe('/app');
  });

  test('retries an unreachable server on Retry', async () => {
    let tries = 0;
    open(() => (++tries === 1 ? unreachable() : Response.json(FRESH)));
    await userEvent.click(await screen.findByRole('button', { name: 'Retry' }, LATE));
    expect(await screen.findByText('You are logged in.')).toBeDefined();
  });

  test.each(['/auth/confirm-success', '/auth/confirm-success?email=ann%40example.com'])(
    '%s confirms nothing and counts as a missing token',
    async (at) => {
      startSession('t-123', ann);
      open(answer(FRESH), at);
      await title('Missing Token');
      expect(kept()).toEqual(['t-123', JSON.stringify(ann)]);
    },
  );
});

describe('/auth/confirm-error', () => {
  test.each([
    ['?error=Confirmation%20token%20has%20expired', 'Link Expired'],
    ['?error=INVALID+confirmation+token', 'Invalid Link'],
    ['?error=confirmation%20token%20is%20required', 'Missing Token'],
    ['?error=Something+else', 'Confirmation Failed'],
    ['?error=constructor', 'Confirmation Failed'],
    ['', 'Confirmation Failed'],
  ])('%s is shown as %s', async (search, name) => {
    openApp({ at: `/auth/confirm-error${search}` });
    await title(name);
    expect(screen.getByRole('main').textContent).not.toContain('Something else');
    const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links.slice(1)).toEqual([
      ['Resend Confirmation Email', '/resend-confirmation'],
      ['Back to Login', '/login'],
    ]);
  });

  test('counts down and redirects to the login after 10 seconds, not before', async () => {
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

  test('sends a new link and confirms it', async () => {
    const fetch = await open(answer({ message: 'Sent', demoMail: '/demo-mail/abc' }));
    expect(await screen.findByText('Confirmation email resent! Please check your inbox.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Open the demo email' }).getAttribute('href')).toBe('/demo-mail/abc');
    const [, init] = fetch.mock.calls.find(([url]) => url === '/api/auth/resend-confirmation') ?? [];
    expect(init?.body).toBe('{"email":"ann@example.com"}');
  });

  test('shows a message on failure', async () => {
    await open(unreachable);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('Failed to resend confirmation emailThe server is unreachable');
  });
});

test('an installation in demo mode is labeled on these pages too', async () => {
  openApp({
    at: '/resend-confirmation',
    calls: { '/api/dashboard': () => Response.json(payload({ dataMode: 'demo' })) },
  });
  expect(await screen.findByText('Demo data', {}, LATE)).toBeDefined();
});
