// @vitest-environment happy-dom
import { cleanup, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fill } from '#app/web/testing/acts.ts';
import { enter, showDialog } from '#app/web/testing/signed-in.tsx';
import type { Plan } from '#shared/contract.ts';
import { answer, refuse } from '#ui/testing/answers.ts';

import { ann, signedInAs } from './fixtures.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('demo accounts', () => {
  const PLANS: readonly (readonly [Plan, string])[] = [
    ['free', 'Free'],
    ['pro', 'Pro'],
    ['premium', 'Premium+'],
    ['admin', 'Admin'],
  ];
  const demoAccounts = PLANS.map(([plan, planName]) => ({
    plan,
    planName,
    email: `${plan}@meridian.example`,
    password: 'Meridian-demo-1',
  }));
  const OPTIONS = { '/api/auth/options': answer({ confirmationRequired: true, signUpsOpen: true, demoAccounts }) };

  test.each(['login', 'register'] as const)('one click signs in, also in the mode %s', async (mode) => {
    const { form, asked, onSignedIn } = showDialog(mode, {
      ...OPTIONS,
      '/api/auth/login': answer(signedInAs(ann)),
    });
    const panel = within(await form.findByRole('region', { name: 'Demo accounts' }));
    expect(panel.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Freefree@meridian.example',
      'Propro@meridian.example',
      'Premium+premium@meridian.example',
      'Adminadmin@meridian.example',
    ]);
    expect(panel.getByText('Meridian-demo-1')).toBeDefined();
    await userEvent.click(panel.getByRole('button', { name: /^Premium\+/ }));
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledExactlyOnceWith(ann));
    expect(asked('/api/auth/login')).toEqual([{ email: 'premium@meridian.example', password: 'Meridian-demo-1' }]);
  });

  test('are absent where the server names none', async () => {
    const { form } = showDialog('login');
    await enter();
    await form.findByRole('alert');
    expect(form.queryByRole('region')).toBeNull();
  });
});

test('closed sign-up is announced before any input, and existing users sign in', async () => {
  const closed = answer({ confirmationRequired: true, signUpsOpen: false, demoAccounts: [] });
  const { form } = showDialog('register', { '/api/auth/options': closed });
  await form.findByText(/^Sign-ups are currently closed\./);
  expect(form.queryByRole('button', { name: 'Sign Up' })).toBeNull();
  await userEvent.click(form.getByRole('radio', { name: 'Sign In' }));
  expect(form.queryByText(/^New accounts/)).toBeNull();
  expect(form.getByRole('button', { name: 'Sign In' })).toBeDefined();
});

describe('two-factor code', () => {
  const open = async (second: () => Response) => {
    const opened = showDialog('login', {
      '/api/auth/login': answer({ requiresTwoFactor: true, challenge: 'challenge-1' }),
      '/api/auth/two-factor': second,
    });
    await enter();
    await opened.form.findByRole('heading', { name: 'Two-factor code' });
    return opened;
  };

  test('six digits complete the sign-in', async () => {
    const { form, asked, onSignedIn } = await open(answer(signedInAs(ann)));
    const code = form.getByLabelText<HTMLInputElement>('Code');
    expect([code.autocomplete, code.inputMode, code.required]).toEqual(['one-time-code', 'numeric', true]);
    await fill('Code', '123 456');
    await userEvent.click(form.getByRole('button', { name: 'Verify' }));
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledExactlyOnceWith(ann));
    expect(asked('/api/auth/two-factor')).toEqual([{ challenge: 'challenge-1', code: '123456' }]);
    expect(localStorage.getItem('authToken')).toBe('token-of-7');
  });

  test('anything but six digits is not sent', async () => {
    const { form, asked } = await open(answer(signedInAs(ann)));
    await fill('Code', '12345');
    await userEvent.click(form.getByRole('button', { name: 'Verify' }));
    expect(form.getByLabelText<HTMLInputElement>('Code').checkValidity()).toBe(false);
    expect(asked('/api/auth/two-factor')).toEqual([]);
  });

  test('a backup code works too', async () => {
    const { form, asked, onSignedIn } = await open(answer(signedInAs(ann)));
    await userEvent.click(form.getByRole('button', { name: 'Use a backup code instead' }));
    await fill('Backup code', 'k3m9-x7pq');
    await userEvent.click(form.getByRole('button', { name: 'Verify' }));
    await waitFor(() => expect(onSignedIn).toHaveBeenCalled());
    expect(asked('/api/auth/two-factor')).toEqual([{ challenge: 'challenge-1', code: 'k3m9-x7pq' }]);
  });

  test('Back to Sign In cancels', async () => {
    const { form } = await open(answer(signedInAs(ann)));
    await userEvent.click(form.getByRole('button', { name: 'Back to Sign In' }));
    expect(await form.findByRole('heading', { name: 'Sign in to Meridian' })).toBeDefined();
  });
});

describe('a passkey', () => {
  const START = {
    '/api/auth/passkey/options': answer({
      challenge: 'challenge-2',
      options: { challenge: 'AAAA', rpId: 'localhost' },
    }),
  };
  const bytes = (text: string) => new TextEncoder().encode(text).buffer;
  const chosen = {
    id: 'key-1',
    rawId: bytes('key-1'),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
    response: { authenticatorData: bytes('a'), clientDataJSON: bytes('c'), signature: bytes('s'), userHandle: null },
  };
  /** A browser with passkey support; `get` handles its requests. */
  function browser(get: (options: { mediation?: string }) => Promise<unknown>, suggests = false) {
    const Credential = Object.assign(function PublicKeyCredential() {}, {
      isConditionalMediationAvailable: async () => suggests,
    });
    vi.stubGlobal('PublicKeyCredential', Credential);
    const spy = vi.fn(get);
    Object.defineProperty(navigator, 'credentials', { value: { get: spy }, configurable: true });
    return spy;
  }
  const failing = (error: string) => async () => {
    throw new DOMException('No', error);
  };
  const name = 'Sign in with a passkey';

  beforeEach(() => vi.stubGlobal('location', { hostname: 'localhost' }));

  test('the button is hidden in unsupported browsers and at a bare address', async () => {
    const first = showDialog('login');
    expect(first.form.queryByRole('button', { name })).toBeNull();
    cleanup();
    browser(async () => chosen);
    vi.stubGlobal('location', { hostname: '127.0.0.1' });
    expect(showDialog('login').form.queryByRole('button', { name })).toBeNull();
  });

  test.each([
    ['NotAllowedError', 'No passkey was used. Try again, or sign in with your password.'],
    ['SecurityError', 'Passkeys do not work at this address. Sign in with your password.'],
  ])('%s is shown', async (error, words) => {
    vi.stubGlobal('location', { hostname: 'other.example' });
    browser(failing(error));
    const { form } = showDialog('login', START);
    await userEvent.click(form.getByRole('button', { name }));
    expect((await form.findByRole('alert')).textContent).toBe(words);
  });

  test('a server error is shown with its message', async () => {
    browser(async () => chosen);
    const words = 'This passkey is not known';
    const { form } = showDialog('login', {
      ...START,
      '/api/auth/passkey/login': refuse(401, words, 'unauthenticated'),
    });
    await userEvent.click(form.getByRole('button', { name }));
    expect((await form.findByRole('alert')).textContent).toBe(words);
  });

  test('failed suggestions stay silent', async () => {
    const get = browser(failing('NotAllowedError'), true);
    const { form } = showDialog('login', START);
    await userEvent.click(form.getByLabelText('Email'));
    await waitFor(() => expect(get).toHaveBeenCalled());
    expect(form.queryByRole('alert')).toBeNull();
  });
});
