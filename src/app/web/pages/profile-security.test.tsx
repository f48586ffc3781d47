import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { sessions } from '#features/accounts/web/auth/security/fixtures.ts';
import { type Answer, answer, broken, refuse } from '#ui/testing/answers.ts';
import { address, fill, LATE, press } from '../testing/acts.ts';
import { openSecurity } from '../testing/signed-in.tsx';

const open = (calls: Record<string, Answer> = {}, plan: 'free' | 'pro' = 'free') =>
  openSecurity({ '/api/auth/sessions': answer({ sessions }), ...calls }, plan);
const card = (name: string) => screen.findByRole('region', { name }, LATE);

describe('password', () => {
  const change = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Chang(e|ing) Password/ });

  async function enter(current: string, next: string, again = next) {
    await card('Password');
    await fill('Current password', current);
    await fill('New password', next);
    await fill('Confirm new password', again);
  }

  test('the five rules are checked while typing; the button requires them and a matching repetition; changed: the fields are cleared and the sessions refetched', async () => {
    const { sent } = open({ '/api/auth/change-password': answer({ success: true }) });
    await screen.findByRole('button', { name: 'Sign out everywhere' }, LATE);
    const before = sent('/api/auth/sessions', 'GET').length;
    await enter('old password', 'abc');
    expect(screen.getByText(/^One lowercase letter/).closest('li')?.textContent).toMatch(/, met$/);
    expect(change().disabled).toBe(true);
    await enter('old password', 'Abcdefg1!', 'Abcdefg1?');
    expect(screen.getByText('Passwords do not match')).toBeDefined();
    expect(change().disabled).toBe(true);
    await fill('Confirm new password', 'Abcdefg1!');
    expect(change().disabled).toBe(false);
    expect(screen.queryByText('Passwords do not match')).toBeNull();
    await userEvent.click(change());
    expect(await screen.findByText('Password changed. Every other session was signed out.')).toBeDefined();
    expect(sent('/api/auth/change-password', 'POST')).toEqual([
      { currentPassword: 'old password', newPassword: 'Abcdefg1!' },
    ]);
    expect(screen.getByLabelText<HTMLInputElement>('Current password').value).toBe('');
    await waitFor(() => expect(sent('/api/auth/sessions', 'GET').length).toBeGreaterThan(before));
  });

  test.each([
    [403, 'Incorrect password', 'forbidden'],
    [400, 'This password is too common. Please choose another one.', 'bad_request'],
    [429, 'Too many attempts. Please try again later.', 'rate_limited'],
  ])('%i: %s', async (status, words, code) => {
    open({ '/api/auth/change-password': refuse(status, words, code) });
    await enter('old password', 'Abcdefg1!');
    await userEvent.click(change());
    expect(await screen.findByText(words)).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('Abcdefg1!');
  });
});

describe('sessions', () => {
  /** The card replaces its skeleton, which has the same name. */
  const rows = () =>
    waitFor(() => within(screen.getByRole('region', { name: 'Sessions' })).getAllByRole('listitem'), LATE);

  test('device, network, times, and the current one; another is signed out, and one that has already expired is reported and removed', async () => {
    let left = sessions;
    const without = (gone: string) => {
      left = left.filter(({ id }) => id !== gone);
    };
    const { sent } = open({
      '/api/auth/sessions': () => Response.json({ sessions: left }),
      '/api/auth/sessions/12': () => {
        without('12');
        return Response.json({ success: true });
      },
      '/api/auth/sessions/13': () => {
        without('13');
        return refuse(404, 'This session has already ended', 'not_found')();
      },
    });
    expect((await rows()).map((row) => row.querySelector('div')?.textContent)).toEqual([
      'Chrome on LinuxThis session203.0.113.0/24 · signed in 20 Nov 2026 · active now',
      'Safari on iPhone198.51.100.0/24 · signed in 1 Nov 2026 · last seen 3h ago',
      'Firefox on Windows192.0.2.0/24 · signed in 1 Oct 2026 · last seen 10d ago',
    ]);
    await press('Sign out of Safari on iPhone, 198.51.100.0/24');
    expect(await screen.findByText('Safari on iPhone was signed out')).toBeDefined();
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    expect(sent('/api/auth/sessions/12', 'DELETE')).toHaveLength(1);
    await press(/^Sign out of Firefox/);
    expect(await screen.findByText('This session has already ended')).toBeDefined();
    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });

  test('signs out all others', async () => {
    let left = sessions;
    const { sent } = open({
      '/api/auth/sessions': () => Response.json({ sessions: left }),
      '/api/auth/sessions/end': () => {
        left = sessions.slice(0, 1);
        return Response.json({ ended: 2 });
      },
    });
    await press('Sign out of all other sessions');
    expect(await screen.findByText('2 other sessions were signed out')).toBeDefined();
    expect(sent('/api/auth/sessions/end', 'POST')).toEqual([{ keepCurrent: true }]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Sign out of all other sessions' })).toBeNull());
  });

  test.each([['Sign out everywhere'], ['Sign out of this session']])('%s signs this browser out', async (name) => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
    open({ '/api/auth/sessions/end': answer({ ended: 3 }), '/api/auth/logout': answer({ success: true }) });
    await press(name);
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    await waitFor(() => expect([address(), localStorage.getItem('authToken')]).toEqual(['/app', null]));
  });

  test('not signed out: shows the server’s reason', async () => {
    open({ '/api/auth/sessions/end': broken });
    await press('Sign out everywhere');
    expect(await screen.findByText('Something went wrong on our side')).toBeDefined();
    expect(address()).toBe('/app/profile?tab=security');
  });
});

describe('delete account', () => {
  const dialog = () => screen.findByRole('dialog', { name: 'Delete your account?' }, LATE);
  const confirm = async () =>
    within(await dialog()).getByRole<HTMLButtonElement>('button', { name: /^Delet(e Account|ing\.\.\.)$/ });

  async function ask(calls: Record<string, Answer>, plan: 'free' | 'pro' = 'free') {
    const opened = open(calls, plan);
    await press('Delete Account');
    await dialog();
    return opened;
  }

  test('lists what is deleted and retained, and requires typing the address', async () => {
    const { sent } = await ask({}, 'pro');
    const text = (await dialog()).textContent;
    for (const words of [
      'Your Pro plan ends with the account.',
      'your address, password, passkeys and two-factor settings',
      'all sessions on every device',
      'payment records, if any, for as long as the law requires',
      'This action cannot be undone.',
    ])
      expect(text).toContain(words);
    expect((await confirm()).disabled).toBe(true);
    await fill('Type pro@meridian.example to confirm', 'pro@meridian.exampl');
    expect((await confirm()).disabled).toBe(true);
    await fill('Type pro@meridian.example to confirm', 'Pro@Meridian.example ');
    expect((await confirm()).disabled).toBe(false);
    await press('Cancel');
    expect([screen.queryByRole('dialog', { name: /^Delete/ }), sent('/api/auth/delete-account', 'DELETE')]).toEqual([
      null,
      [],
    ]);
  });

  test('deletes, shows the message, then the home page after 2 seconds', async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
    let finish = (_response: Response) => {};
    const { fetch, queries } = await ask({
      '/api/auth/delete-account': () => new Promise((resolve) => (finish = resolve)),
    });
    await fill('Type free@meridian.example to confirm', 'free@meridian.example');
    await userEvent.click(await confirm());
    await waitFor(async () => expect((await confirm()).textContent).toBe('Deleting...'));
    const ofTheAccount = () => fetch.mock.calls.filter(([url]) => /^.api.(auth|subscription)/.test(url)).length;
    expect(within(await dialog()).queryByRole('button', { name: 'Close' })).toBeNull();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    finish(Response.json({ message: 'Account deleted successfully. A confirmation email has been sent.' }));
    await screen.findByText('Account deleted successfully. You will be redirected to the home page.');
    expect(localStorage.getItem('authToken')).toBeNull();
    const before = ofTheAccount();
    expect(address()).toBe('/app/profile?tab=security');
    act(() => void vi.advanceTimersByTime(1000));
    expect(assign).not.toHaveBeenCalled();
    act(() => void vi.advanceTimersByTime(1100));
    expect(assign).toHaveBeenCalledExactlyOnceWith('/');
    await act(() => queries.invalidateQueries());
    expect(ofTheAccount()).toBe(before);
  });

  test('the page remains while the account is deleted', async () => {
    let ended = false;
    const { queries } = await ask({
      '/api/auth/delete-account': () => {
        ended = true;
        return new Promise(() => {});
      },
    });
    await fill('Type free@meridian.example to confirm', 'free@meridian.example');
    await userEvent.click(await confirm());
    await waitFor(() => expect(ended).toBe(true));
    localStorage.removeItem('authToken');
    dispatchEvent(new StorageEvent('storage', { key: 'authToken' }));
    await queries.invalidateQueries();
    expect([(await confirm()).textContent, address()]).toEqual(['Deleting...', '/app/profile?tab=security']);
  });

  test.each([
    ['the server refuses', refuse(409, 'You cannot delete the only administrator account', 'conflict'), /only admin/],
    ['the server fails', broken, /Something went wrong/],
    ['nothing answers', () => Promise.reject(new TypeError('Failed to fetch')), /is unreachable/],
  ])('%s: the message, the reason, and a link to support', async (_, reply, reason) => {
    await ask({ '/api/auth/delete-account': reply });
    await fill('Type free@meridian.example to confirm', 'free@meridian.example');
    await userEvent.click(await confirm());
    const alert = await within(await dialog()).findByRole('alert');
    expect(alert.textContent).toContain('Failed to delete account. Please try again or contact support.');
    expect(alert.textContent).toMatch(reason);
    expect(within(await dialog()).getByRole('link', { name: 'Contact Support' })).toBeDefined();
    expect((await confirm()).disabled).toBe(false);
  });
});
