import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { answer, refuse, unreachable } from '#ui/testing/answers.ts';
import { address, fill, LATE, pass, stopTimers, texts } from '../testing/acts.ts';
import { freezeTime, openApp } from '../testing/open-app.tsx';

const title = (name: string) => screen.findByRole('heading', { level: 1, name }, LATE);
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Reset/ });
const rules = () => texts(within(screen.getByRole('list', { name: 'Password requirements' })).getAllByRole('listitem'));

const LEFT = [
  { kind: 'api_key', name: 'Bot (mk_live_Y53X…6c1a)' },
  { kind: 'telegram', name: 'Connected chat' },
];

async function open(
  reset: () => Response | Promise<Response> = answer({ success: true, message: 'Done', remaining: [], endToken: null }),
) {
  const { fetch } = openApp({ at: '/reset-password?token=r-123', calls: { '/api/auth/reset-password': reset } });
  await title('Reset Your Password');
  return () => fetch.mock.calls.filter(([url]) => url === '/api/auth/reset-password').map(([, init]) => init?.body);
}

async function choose(password = 'Horse-77', again = password) {
  await fill('New password', password);
  await fill('Confirm password', again);
}

test.each(['/reset-password', '/reset-password?token='])('%s is an invalid link', async (at) => {
  openApp({ at });
  await title('Invalid Reset Link');
  screen.getByText('This password reset link is invalid or has expired. Please request a new one.');
  expect(screen.getByRole('link', { name: 'Go to Homepage' }).getAttribute('href')).toBe('/');
});

test('an invalid link leads to requesting one', async () => {
  const { fetch } = openApp({
    at: '/reset-password',
    calls: { '/api/auth/forgot-password': () => Response.json({ message: 'Sent' }) },
  });
  await title('Invalid Reset Link');
  await fill('Email', 'ann@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Request a new link' }));
  const words = 'If an account with that email exists, a password reset link has been sent.';
  expect(await screen.findByText(words)).toBeDefined();
  expect(fetch).toHaveBeenCalledWith('/api/auth/forgot-password', expect.objectContaining({ method: 'POST' }));
});

describe('reset link', () => {
  test('its token is removed from the address bar immediately, and the form remains; the checklist follows the input; each field has its own toggle', async () => {
    await open();
    await waitFor(() => expect(address()).toBe('/reset-password'));
    expect(screen.getByLabelText('New password')).toBeDefined();
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(rules()).toEqual([
      'At least 8 characters, not met',
      'One uppercase letter, not met',
      'One lowercase letter, not met',
      'One number, not met',
      'One special character (!@#$%^&*(),.?":{}|<>), not met',
    ]);
    await fill('New password', 'Horse7');
    expect(rules().map((text) => text?.endsWith(', met'))).toEqual([false, true, true, true, false]);
    await fill('New password', 'Horse-77?');
    expect(rules().every((text) => text?.endsWith(', met'))).toBe(true);
    const types = () =>
      ['New password', 'Confirm password'].map((name) => screen.getByLabelText<HTMLInputElement>(name).type);
    await userEvent.click(screen.getByRole('button', { name: 'Show confirm password' }));
    expect(types()).toEqual(['password', 'text']);
    await userEvent.click(screen.getByRole('button', { name: 'Show new password' }));
    await userEvent.click(screen.getByRole('button', { name: 'Hide confirm password' }));
    expect(types()).toEqual(['text', 'password']);
  });

  test.each([
    ['a weak password', 'horse', 'horse', 'Password does not meet requirements'],
    ['two entries that differ', 'Horse-77?', 'Horse-77!', 'Passwords do not match'],
  ])('%s cannot be submitted and explains why', async (_, first, again, words) => {
    const sent = await open();
    await choose(first, again);
    await userEvent.tab();
    expect((await screen.findByRole('alert')).textContent).toBe(words);
    expect(button().disabled).toBe(true);
    await userEvent.type(screen.getByLabelText('Confirm password'), '{Enter}');
    expect(sent()).toEqual([]);
  });

  test('while sending, the button is disabled and shows it; success leads to sign-in on the homepage', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const sent = await open(() => promise);
    await choose('Horse-77?');
    expect(button().disabled).toBe(false);
    await userEvent.click(button());
    await waitFor(() => expect(button().textContent).toBe('Resetting Password...'));
    expect(button().disabled).toBe(true);
    resolve(Response.json({ success: true, message: 'Done', remaining: [], endToken: null }));
    await title('Password Reset Successful');
    expect(sent()).toEqual([JSON.stringify({ token: 'r-123', newPassword: 'Horse-77?' })]);
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/?auth=login');
  });

  test('lists what still uses the account, with one button that revokes it all', async () => {
    const { fetch } = openApp({
      at: '/reset-password?token=r-123',
      calls: {
        '/api/auth/reset-password': answer({ success: true, message: 'Done', remaining: LEFT, endToken: 'en_1' }),
        '/api/auth/access/end': answer({ success: true }),
      },
    });
    await title('Reset Your Password');
    await choose('Horse-77?');
    await userEvent.click(button());
    await title('Password Reset Successful');
    expect(texts(screen.getAllByRole('listitem'))).toEqual([
      'API keyBot (mk_live_Y53X…6c1a)',
      'TelegramConnected chat',
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Revoke all access' }));
    expect(await screen.findByText('All other access has been revoked.')).toBeDefined();
    const [, init] = fetch.mock.calls.find(([url]) => url === '/api/auth/access/end') ?? [];
    expect(init?.body).toBe('{"token":"en_1"}');
  });

  test.each([
    ['in its words', refuse(400, 'Invalid or expired reset token', 'bad_request'), 'Invalid or expired reset token'],
    ['without words', () => new Response('', { status: 500 }), 'Failed to reset passwordThe server returned 500'],
    ['by silence', unreachable, 'Failed to reset passwordThe server is unreachable'],
  ])('a server that refuses %s', async (_, answer, words) => {
    await open(answer);
    await choose('Horse-77?');
    await userEvent.click(button());
    expect((await screen.findByRole('alert')).textContent).toBe(words);
    expect(button().disabled).toBe(false);
  });
});

describe('link in a reset email', () => {
  const open = (access: () => Response | Promise<Response>) =>
    openApp({
      at: '/auth/end-access?token=en_1',
      calls: { '/api/auth/access': access, '/api/auth/access/end': answer({ success: true }) },
    });

  test('opening it revokes nothing; the button does', async () => {
    const { fetch } = open(answer({ remaining: LEFT }));
    await title('Access to Your Account');
    const end = await screen.findByRole('button', { name: 'Revoke all access' });
    expect(address()).toBe('/auth/end-access');
    expect(fetch.mock.calls.map(([url]) => url)).not.toContain('/api/auth/access/end');
    await userEvent.click(end);
    expect(await screen.findByText('All other access has been revoked.')).toBeDefined();
  });

  test('reports when nothing remains', async () => {
    open(answer({ remaining: [] }));
    expect(await screen.findByText('Nothing else uses your account.', {}, LATE)).toBeDefined();
  });

  test('reports a link that no longer works', async () => {
    open(refuse(400, 'This link is invalid or has expired. Sign in and check your profile instead.', 'bad_request'));
    expect((await screen.findByRole('alert', {}, LATE)).textContent).toContain('This link is invalid or has expired.');
  });
});

describe('/unsubscribe-success', () => {
  const assign = vi.fn<(url: string) => void>();
  beforeEach(async () => {
    // Its code is loaded before the clock of a test is frozen.
    await import('./account-pages.tsx');
    freezeTime();
    assign.mockClear();
    vi.spyOn(location, 'assign').mockImplementation((url) => assign(String(url)));
  });
  const open = (search: string) => openApp({ at: `/unsubscribe-success${search}` });
  const title = () => screen.findByRole('heading', { level: 1, name: 'You’re unsubscribed' }, LATE);
  const said = () => screen.getByRole('main').textContent;

  test('shows whose emails have stopped and how to resume them', async () => {
    open('?email=ann%2Bx%40example.com');
    await title();
    expect(said()).toContain('ann+x@example.com will no longer receive');
    expect(screen.getByRole('link', { name: 'your notification settings' }).getAttribute('href')).toBe('/settings');
    expect(document.title).toMatch(/^Unsubscribed/);
  });

  test('an address containing markup is shown literally', async () => {
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

  test('redirects home after 10 seconds, not before, with a countdown', async () => {
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

  test('Go to Homepage navigates immediately', async () => {
    open('');
    await title();
    await userEvent.click(screen.getByRole('button', { name: 'Go to Homepage' }));
    expect(assign.mock.calls).toEqual([['/']]);
  });
});
