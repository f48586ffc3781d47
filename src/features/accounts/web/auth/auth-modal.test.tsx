// @vitest-environment happy-dom
import { cleanup, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { fill } from '#app/web/testing/acts.ts';
import { enter, showDialog } from '#app/web/testing/signed-in.tsx';
import { answer, refuse, unreachable } from '#ui/testing/answers.ts';

import { ann, signedInAs } from './fixtures.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const toConfirm = answer({ requiresConfirmation: true, email: 'ann@example.com', demoMail: '/demo-mail/abc' });

describe('signing in', () => {
  test('the fields are required and named for password managers', async () => {
    const { form } = showDialog('login');
    const email = form.getByLabelText<HTMLInputElement>('Email');
    const password = form.getByLabelText<HTMLInputElement>('Password');
    expect([email.type, email.required, email.autocomplete]).toEqual(['email', true, 'username webauthn']);
    expect([password.type, password.required, password.autocomplete]).toEqual(['password', true, 'current-password']);
  });

  test('the password can be shown and hidden again', async () => {
    const { form } = showDialog('login');
    await userEvent.click(form.getByRole('button', { name: 'Show password' }));
    expect(form.getByLabelText<HTMLInputElement>('Password').type).toBe('text');
    await userEvent.click(form.getByRole('button', { name: 'Hide password' }));
    expect(form.getByLabelText<HTMLInputElement>('Password').type).toBe('password');
  });

  test('while pending, the button shows it and a second press sends nothing', async () => {
    const { form, asked } = showDialog('login', { '/api/auth/login': () => new Promise<Response>(() => {}) });
    await enter();
    const button = await form.findByRole('button', { name: 'Signing in…' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(button);
    expect(asked('/api/auth/login')).toHaveLength(1);
  });

  test.each([
    ["the server's words", refuse(401, 'Invalid email or password', 'unauthenticated'), 'Invalid email or password'],
    ['no words', () => new Response('<html>', { status: 502 }), 'Authentication failedThe server returned 502'],
    ['no answer', unreachable, 'Authentication failedThe server is unreachable'],
  ])('fails with %s', async (_, answer, words) => {
    const { form } = showDialog('login', { '/api/auth/login': answer });
    await enter();
    expect((await form.findByRole('alert')).textContent).toBe(words);
    expect(form.getByRole('button', { name: 'Sign In' }).getAttribute('aria-disabled')).toBe('false');
    expect(localStorage.getItem('authToken')).toBeNull();
  });

  test('an unconfirmed address leads to Check Your Email', async () => {
    const { form } = showDialog('login', { '/api/auth/login': toConfirm });
    await enter();
    expect(await form.findByRole('heading', { name: 'Check Your Email' })).toBeDefined();
  });
});

describe('signing up', () => {
  test('both documents are linked and open in a new tab', async () => {
    const { form } = showDialog('register');
    for (const [name, href] of [
      ['Terms & Conditions', '/app/terms'],
      ['Privacy Policy', '/app/privacy'],
    ] as const) {
      const link = form.getByRole('link', { name });
      expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([href, '_blank']);
    }
    expect(form.getByRole('checkbox', { name: 'I agree to the Terms & Conditions and Privacy Policy' })).toBeDefined();
  });

  test('switching the mode clears error and checkbox and keeps the input', async () => {
    const { form } = showDialog('register');
    await enter();
    await form.findByRole('alert');
    await userEvent.click(form.getByRole('checkbox'));
    await userEvent.click(form.getByRole('radio', { name: 'Sign In' }));
    await form.findByRole('heading', { name: 'Sign in to Meridian' });
    expect(form.queryByRole('alert')).toBeNull();
    await userEvent.click(form.getByRole('radio', { name: 'Sign Up' }));
    expect((await form.findByRole<HTMLInputElement>('checkbox')).checked).toBe(false);
    expect(form.queryByRole('alert')).toBeNull();
    expect(form.getByLabelText<HTMLInputElement>('Email').value).toBe('ann@example.com');
    expect(form.getByLabelText<HTMLInputElement>('Password').autocomplete).toBe('new-password');
  });

  test('the strength meter only advises; without confirmation the user is signed in', async () => {
    const { form, asked, onSignedIn } = showDialog('register', { '/api/auth/register': answer(signedInAs(ann)) });
    await userEvent.click(form.getByRole('checkbox'));
    await enter('ann@example.com', 'abc');
    expect(await form.findByText('Guessed in seconds. Use three or four words.')).toBeDefined();
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledExactlyOnceWith(ann));
    expect(asked('/api/auth/register')).toEqual([{ email: 'ann@example.com', password: 'abc' }]);
    expect(localStorage.getItem('authToken')).toBe('token-of-7');
  });
});

describe('Check Your Email', () => {
  const open = async (resend: () => Response | Promise<Response>) => {
    const opened = showDialog('register', {
      '/api/auth/register': toConfirm,
      '/api/auth/resend-confirmation': resend,
    });
    await userEvent.click(opened.form.getByRole('checkbox'));
    await enter();
    await opened.form.findByRole('heading', { name: 'Check Your Email' });
    return opened;
  };

  test('shows the address, receives focus, and in demo mode links the email', async () => {
    const { form, dialog } = await open(answer({ message: 'Sent' }));
    expect(dialog.textContent).toContain('We sent a message to ann@example.com.');
    expect(document.activeElement).toBe(form.getByRole('heading', { name: 'Check Your Email' }));
    const link = form.getByRole('link', { name: 'Open the demo email' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/demo-mail/abc', '_blank']);
  });

  test('resends, confirms it, and links the newer email', async () => {
    const { form, asked } = await open(answer({ message: 'Sent', demoMail: '/demo-mail/newer' }));
    await userEvent.click(form.getByRole('button', { name: 'Resend Confirmation Email' }));
    expect(await form.findByText('Confirmation email resent! Please check your inbox.')).toBeDefined();
    expect(asked('/api/auth/resend-confirmation')).toEqual([{ email: 'ann@example.com' }]);
    expect(form.getByRole('link', { name: 'Open the demo email' }).getAttribute('href')).toBe('/demo-mail/newer');
  });

  test('a failure shows its message', async () => {
    const { form } = await open(() => new Response('', { status: 500 }));
    await userEvent.click(form.getByRole('button', { name: 'Resend Confirmation Email' }));
    expect((await form.findByRole('alert')).textContent).toContain('Failed to resend confirmation email');
  });

  test('Back to Sign In returns to signing in', async () => {
    const { form } = await open(answer({ message: 'Sent' }));
    await userEvent.click(form.getByRole('button', { name: 'Back to Sign In' }));
    expect(await form.findByRole('heading', { name: 'Sign in to Meridian' })).toBeDefined();
    expect(form.getByRole('radio', { name: 'Sign In', checked: true })).toBeDefined();
  });
});

describe('forgot password', () => {
  const ask = async (forgot: () => Response | Promise<Response>) => {
    const opened = showDialog('login', { '/api/auth/forgot-password': forgot });
    await userEvent.click(opened.form.getByRole('button', { name: 'Forgot password?' }));
    await fill('Email', 'ann@example.com');
    await userEvent.click(opened.form.getByRole('button', { name: 'Send Reset Link' }));
    return opened;
  };

  test('a failure shows its message', async () => {
    const { form } = await ask(unreachable);
    const alert = await form.findByRole('alert');
    expect(alert.textContent).toBe('Failed to send password reset emailThe server is unreachable');
  });
});
