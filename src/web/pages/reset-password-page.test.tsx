// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import { address, fill, LATE } from '../testing/acts.ts';
import { answer, refuse, unreachable } from '../testing/answers.ts';
import { eachWithItsApp, openApp } from '../testing/open-app.tsx';

eachWithItsApp();

const title = (name: string) => screen.findByRole('heading', { level: 1, name }, LATE);
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Reset/ });
const rules = () =>
  within(screen.getByRole('list', { name: 'Password requirements' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

async function open(reset: () => Response | Promise<Response> = answer({ success: true, message: 'Done' })) {
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
  expect(
    screen.getByText('This password reset link is invalid or has expired. Please request a new one.'),
  ).toBeDefined();
  expect(screen.getByRole('link', { name: 'Go to Homepage' }).getAttribute('href')).toBe('/');
});

describe('a reset link', () => {
  test('its token leaves the address bar at once, and the form stays', async () => {
    await open();
    await waitFor(() => expect(address()).toBe('/reset-password'));
    expect(screen.getByLabelText('New password')).toBeDefined();
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  test('the checklist follows what is typed', async () => {
    await open();
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
  });

  test('each field has its own toggle', async () => {
    await open();
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
  ])('%s cannot be sent and says why', async (_, first, again, words) => {
    const sent = await open();
    await choose(first, again);
    await userEvent.tab();
    expect((await screen.findByRole('alert')).textContent).toBe(words);
    expect(button().disabled).toBe(true);
    await userEvent.type(screen.getByLabelText('Confirm password'), '{Enter}');
    expect(sent()).toEqual([]);
  });

  test('while it is sent the button is disabled and says so', async () => {
    await open(() => new Promise<Response>(() => {}));
    await choose('Horse-77?');
    expect(button().disabled).toBe(false);
    await userEvent.click(button());
    await waitFor(() => expect(button().textContent).toBe('Resetting Password...'));
    expect(button().disabled).toBe(true);
  });

  test('success leads to signing in on the homepage', async () => {
    const sent = await open();
    await choose('Horse-77?');
    await userEvent.click(button());
    await title('Password Reset Successful');
    expect(sent()).toEqual([JSON.stringify({ token: 'r-123', newPassword: 'Horse-77?' })]);
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/');
  });

  test.each([
    ['in its words', refuse(400, 'Invalid or expired reset token', 'bad_request'), 'Invalid or expired reset token'],
    ['without words', () => new Response('', { status: 500 }), 'Failed to reset passwordThe server answered 500'],
    ['by silence', unreachable, 'Failed to reset passwordThe server cannot be reached'],
  ])('a server that refuses %s', async (_, answer, words) => {
    await open(answer);
    await choose('Horse-77?');
    await userEvent.click(button());
    expect((await screen.findByRole('alert')).textContent).toBe(words);
    expect(button().disabled).toBe(false);
  });
});
