// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { press } from '#app/web/testing/acts.ts';
import { eachWithItsApp } from '#app/web/testing/open-app.tsx';
import { openSignedIn } from '#app/web/testing/signed-in.tsx';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { type Answer, afterProof, answer, refuse } from '#ui/testing/answers.ts';

const bytes = new Uint8Array([1, 2, 3]).buffer;
/** A browser's response with a passkey. */
const ASSERTION = {
  id: 'AQID',
  rawId: bytes,
  type: 'public-key',
  getClientExtensionResults: () => ({}),
  response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes },
};
const LAPTOP = { id: 4, name: 'Laptop', createdAt: '2026-11-01T12:00:00.000Z', lastUsedAt: null };
const USER = { id: 7, email: 'free@meridian.example', role: 'user', isAdmin: false, plan: 'free' };
const signedIn = (token: string) => answer({ token, user: USER });

eachWithItsApp();
beforeEach(() => vi.stubGlobal('PublicKeyCredential', vi.fn()));

const browserAnswers = (get: () => Promise<unknown>) =>
  vi.spyOn(navigator, 'credentials', 'get').mockReturnValue({ get } as never);

/** The dialog, triggered by a change of the profile. */
async function ask(calls: Record<string, Answer>) {
  const { act, prove } = afterProof(answer(subscriptionOf('free')));
  const opened = openSignedIn({
    at: '/app/profile',
    calls: {
      '/api/profile': act,
      '/api/auth/reauthenticate': prove,
      '/api/auth/passkeys': answer({ passkeys: [LAPTOP] }),
      '/api/auth/passkey/options': answer({ challenge: 'ours', options: { challenge: 'AAAA', rpId: 'localhost' } }),
      '/api/auth/passkey/login': (url) => {
        void prove(url, { body: JSON.stringify({ password: 'correct horse' }) });
        return signedIn('ann-token')();
      },
      ...calls,
    },
  });
  await press('Edit');
  await press('Save Changes');
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }, { timeout: 20_000 }));
  return { ...opened, dialog };
}
const usePasskey = async () => userEvent.click(await screen.findByRole('button', { name: 'Use a passkey' }));

describe('proof with a passkey', () => {
  test('the browser returns none', async () => {
    browserAnswers(() => Promise.reject(Object.assign(new Error('no'), { name: 'NotAllowedError' })));
    const { dialog } = await ask({});
    await usePasskey();
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'No passkey was used. Try again, or use the field above.',
    );
  });

  test('the server rejects it', async () => {
    browserAnswers(() => Promise.resolve(ASSERTION));
    const { dialog } = await ask({
      '/api/auth/passkey/login': refuse(401, 'Unknown passkey', 'unauthenticated'),
    });
    await usePasskey();
    expect((await dialog.findByRole('alert')).textContent).toBe('Unknown passkey');
  });

  test('it belongs to another account', async () => {
    browserAnswers(() => Promise.resolve(ASSERTION));
    const { dialog } = await ask({ '/api/auth/passkey/login': signedIn('another-token') });
    await usePasskey();
    expect((await dialog.findByRole('alert')).textContent).toBe('This passkey belongs to another account.');
    expect(localStorage.getItem('authToken')).toBe('ann-token');
  });

  test.each([
    ['the account has none', { '/api/auth/passkeys': answer({ passkeys: [] }) }, true],
    ['the browser knows none', {}, false],
  ])('is not offered if %s', async (_, calls, supported) => {
    if (!supported) vi.stubGlobal('PublicKeyCredential', undefined);
    const { fetch } = await ask(calls);
    if (supported) await waitFor(() => expect(fetch.mock.calls.map(([url]) => url)).toContain('/api/auth/passkeys'));
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  });
});

test('with two-factor enabled, a code is requested and the password is not', async () => {
  let proved = false;
  const { dialog, sent } = await ask({
    '/api/auth/two-factor': answer({ enabled: true, backupCodesLeft: 10 }),
    '/api/auth/two-factor/prove': () => {
      proved = true;
      return Response.json({ until: '2026-11-21T12:15:00.000Z' });
    },
    '/api/profile': () =>
      proved
        ? Response.json(subscriptionOf('free'))
        : refuse(403, 'Please confirm it’s you to continue.', 'reauthentication_required')(),
  });
  await userEvent.type(await dialog.findByLabelText(/^Code from your authenticator app/), '123 456{Enter}');
  expect(await screen.findByText('Profile updated successfully!')).toBeDefined();
  expect(sent('/api/auth/two-factor/prove', 'POST')).toEqual([{ code: '123456' }]);
  expect(sent('/api/auth/reauthenticate', 'POST')).toEqual([]);
});

test('too many wrong passwords show a message', async () => {
  const { dialog } = await ask({
    '/api/auth/reauthenticate': refuse(429, 'Too many attempts. Please try again later.', 'rate_limited'),
  });
  await userEvent.type(dialog.getByLabelText('Password', { selector: 'input' }), 'again{Enter}');
  expect((await dialog.findByRole('alert')).textContent).toBe('Too many attempts. Please try again later.');
});
