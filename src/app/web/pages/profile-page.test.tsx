import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { type Answer, afterProof, answer, byMethod, refuse } from '#ui/testing/answers.ts';
import { address, fill, LATE, press, texts } from '../testing/acts.ts';
import { openApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

const GATE = '/app/auth-required?feature=Profile&type=auth';
const account = () => screen.findByRole('region', { name: 'Account' }, LATE);
const fact = async (name: string) =>
  within(await account()).getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

describe('profile access', () => {
  const refused = { '/api/subscription': refuse(401, 'Please sign in', 'unauthenticated') };
  test.each([
    ['without a token', () => openApp({ at: '/app/profile' })],
    ['with an invalid profile', () => openSignedIn({ at: '/app/profile', account: { email: '' } })],
    ['after a 401, which forgets the person,', () => openSignedIn({ at: '/app/profile', calls: refused })],
  ])('%s the user is redirected to the sign-in page', async (how, open) => {
    open();
    await waitFor(() => expect(address()).toBe(GATE), LATE);
    if (how.startsWith('after')) expect(localStorage.getItem('authToken')).toBeNull();
  });
});

describe('tabs', () => {
  test('Profile, Subscription, Notifications and Security, stored in the URL', async () => {
    openSignedIn({ at: '/app/profile?tab=subscription' });
    const chosen = () => screen.getByRole('tab', { selected: true }).textContent;
    await screen.findByRole('tablist', {}, LATE);
    expect(texts(screen.getAllByRole('tab')).join(', ')).toBe('Profile, Subscription, Notifications, Security');
    expect(chosen()).toBe('Subscription');
    await userEvent.click(screen.getByRole('tab', { name: 'Security' }));
    expect(address()).toBe('/app/profile?tab=security');
    await userEvent.keyboard('{ArrowRight}');
    expect([chosen(), address(), document.activeElement?.textContent]).toEqual([
      'Profile',
      '/app/profile?tab=profile',
      'Profile',
    ]);
    await userEvent.keyboard('{ArrowLeft}');
    expect(chosen()).toBe('Security');
    await userEvent.keyboard('{Home}{ArrowRight}');
    expect(chosen()).toBe('Subscription');
    await userEvent.keyboard('{End}');
    expect(chosen()).toBe('Security');
  });

  test('an unknown tab shows the profile', async () => {
    openSignedIn({ at: '/app/profile?tab=nothing' });
    expect(await account()).toBeDefined();
  });
});

describe('account', () => {
  test('address with its badge, plan, member since, and notification channels', async () => {
    const notifications = { email: true, push: false, telegram: true };
    openSignedIn({ at: '/app/profile', plan: 'premium', account: { notifications } });
    expect(await fact('Email')).toBe('premium@meridian.exampleVerified');
    expect(await fact('Plan')).toBe('Premium+');
    expect(await fact('Member since')).toBe('1 Nov 2026');
    expect(await fact('Notifications')).toBe('EmailOnPushOffTelegramOn');
  });

  test('labels an unverified address and one pending confirmation', async () => {
    openSignedIn({ at: '/app/profile', account: { emailVerified: false, pendingEmail: 'new@example.com' } });
    const text = await fact('Email');
    expect(text).toContain('Unverified');
    expect(text).toContain('new@example.com is awaiting confirmation: open the link we sent there.');
    expect(text).toContain('Until then your address is still free@meridian.example.');
  });

  describe('pending address', () => {
    const waiting = subscriptionOf('free', { pendingEmail: 'new@example.com' });
    const openWaiting = (calls: Record<string, Answer>) =>
      openSignedIn({ at: '/app/profile', account: { pendingEmail: 'new@example.com' }, calls });

    test('is discarded by a button, and the profile confirms it', async () => {
      const { sent } = openWaiting({ '/api/profile/pending-email': answer(subscriptionOf('free')) });
      await account();
      await press('Cancel Change');
      expect(await screen.findByText('Your address is still free@meridian.example')).toBeDefined();
      expect(await fact('Email')).toBe('free@meridian.exampleVerified');
      expect(sent('/api/profile/pending-email', 'DELETE')).toHaveLength(1);
    });

    test('gets a new link, in demo mode with its email', async () => {
      const { sent } = openWaiting({ '/api/profile': answer({ ...waiting, demoMail: '/demo-mail/abc' }) });
      await account();
      await press('Send Link Again');
      expect(await screen.findByText('A new link was sent. The previous link no longer works.')).toBeDefined();
      expect(screen.getByRole('link', { name: 'Open the demo email' }).getAttribute('href')).toBe('/demo-mail/abc');
      expect(sent('/api/profile', 'PUT')).toEqual([{ email: 'new@example.com', notifications: waiting.notifications }]);
    });

    test.each([
      ['Cancel Change', 'Failed to cancel the change', '/api/profile/pending-email'],
      ['Send Link Again', 'Failed to send the link again', '/api/profile'],
    ])('a failed %s is reported, and the address remains pending', async (button, sentence, path) => {
      openWaiting({ [path]: () => Promise.reject(new TypeError('Failed to fetch')) });
      await account();
      await press(button);
      expect((await screen.findByRole('alert')).textContent).toBe(`${sentence}The server is unreachable`);
      expect(await fact('Email')).toContain('new@example.com is awaiting confirmation');
    });

    test('just saved in demo mode, links to its email', async () => {
      openSignedIn({
        at: '/app/profile',
        calls: { '/api/profile': answer({ ...waiting, demoMail: '/demo-mail/abc' }) },
      });
      await account();
      await press('Edit');
      await fill('Email', 'new@example.com');
      await press('Save Changes');
      const link = await screen.findByRole('link', { name: 'Open the demo email' });
      expect(link.getAttribute('href')).toBe('/demo-mail/abc');
    });
  });

  test('Edit and Cancel toggle; typed input is discarded', async () => {
    openSignedIn({ at: '/app/profile' });
    await account();
    await press('Edit');
    await fill('Email', 'else@example.com');
    await press('Cancel');
    expect(await fact('Email')).toContain('free@meridian.example');
    await press('Edit');
    expect(screen.getByLabelText<HTMLInputElement>('Email', { selector: '[type=email]' }).value).toBe(
      'free@meridian.example',
    );
  });

  test("saved: 'Profile updated successfully!' clears after 3 seconds", async () => {
    const saved = subscriptionOf('free', { notifications: { email: false, push: true, telegram: false } });
    const { sent } = openSignedIn({ at: '/app/profile', calls: { '/api/profile': answer(saved) } });
    await account();
    await press('Edit');
    await userEvent.click(screen.getByRole('checkbox', { name: /^Email/ }));
    await userEvent.click(screen.getByRole('checkbox', { name: /^Push/ }));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await press('Save Changes');
    await screen.findByText('Profile updated successfully!');
    expect(sent('/api/profile', 'PUT')).toEqual([
      { email: 'free@meridian.example', notifications: { email: false, push: true, telegram: false } },
    ]);
    expect(await fact('Notifications')).toBe('EmailOffPushOnTelegramOff');
    act(() => void vi.advanceTimersByTime(2000));
    expect(screen.queryByText('Profile updated successfully!')).not.toBeNull();
    act(() => void vi.advanceTimersByTime(1100));
    expect(screen.queryByText('Profile updated successfully!')).toBeNull();
  });

  test("not saved: 'Failed to update profile', with the reason, and input is retained", async () => {
    const calls = { '/api/profile': refuse(409, 'An account with this email already exists', 'conflict') };
    openSignedIn({ at: '/app/profile', calls });
    await account();
    await press('Edit');
    await fill('Email', 'taken@example.com');
    await press('Save Changes');
    const text = (await screen.findByRole('alert')).textContent;
    expect(text).toBe('Failed to update profileAn account with this email already exists');
    expect(screen.getByLabelText<HTMLInputElement>('Email', { selector: '[type=email]' }).value).toBe(
      'taken@example.com',
    );
  });

  test('a new address requires the password when the server demands re-authentication; closing that dialog changes nothing and shows no message; then it is saved', async () => {
    const { act, prove } = afterProof(answer(subscriptionOf('free', { pendingEmail: 'new@example.com' })));
    const { sent } = openSignedIn({
      at: '/app/profile',
      calls: {
        '/api/profile': act,
        '/api/auth/reauthenticate': prove,
        '/api/auth/passkeys': byMethod({ GET: answer({ passkeys: [] }) }),
      },
    });
    await account();
    await press('Edit');
    await fill('Email', 'new@example.com');
    await press('Save Changes');
    const proof = () => screen.findByRole('dialog', { name: 'Confirm it’s you' });
    await userEvent.click(within(await proof()).getByRole('button', { name: 'Close' }));
    expect(await screen.findByRole('button', { name: 'Save Changes' })).toBeDefined();
    expect([screen.queryByRole('alert'), sent('/api/profile', 'PUT').length]).toEqual([null, 1]);
    await press('Save Changes');
    const dialog = await proof();
    await fill('Password', 'wrong');
    await press('Confirm');
    expect((await within(dialog).findByRole('alert')).textContent).toBe('Incorrect password');
    await fill('Password', 'correct horse');
    await press('Confirm');
    expect(await screen.findByText('Profile updated successfully!')).toBeDefined();
    expect(screen.queryByRole('dialog', { name: 'Confirm it’s you' })).toBeNull();
    expect(await fact('Email')).toContain('new@example.com is awaiting confirmation');
    expect(sent('/api/profile', 'PUT')).toHaveLength(3);
  });
});

const ACTIONS = ['/app/alerts', '/app/data-export'];
test.each([
  ['pro', ACTIONS],
  ['premium', [...ACTIONS, '/advanced-analytics', '/advanced-export']],
] as const)('quick actions of %s link to what the plan includes; support is a link', async (plan, paths) => {
  openSignedIn({ at: '/app/profile', plan });
  const actions = within(await screen.findByRole('region', { name: 'Quick Actions' }, LATE));
  expect(actions.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(paths);
  expect(screen.getByRole('link', { name: /^Contact Support/ }).getAttribute('href')).toBe('/app/contact');
});

test('Sign Out ends the session, clears user data and opens the dashboard', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  const { sent } = openSignedIn({ at: '/app/profile', calls: { '/api/auth/logout': answer({ success: true }) } });
  await account();
  await press('Sign Out');
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  await waitFor(() => expect([address(), localStorage.getItem('authToken')]).toEqual(['/app', null]));
  expect(sent('/api/auth/logout', 'POST')).toHaveLength(1);
});

describe('subscription', () => {
  const plan = (name: string) =>
    screen
      .findByRole('region', { name: 'Your Plan' }, LATE)
      .then((card) => within(card).getByText(name, { selector: 'dt' }).nextElementSibling?.textContent);

  test('plan, status, end of the period, and a link to the plans; features of the plan, and the plans that add the others', async () => {
    const account = { currentPeriodEnd: '2026-12-21T00:00:00.000Z', daysUntilExpiry: 30 };
    openSignedIn({ at: '/app/profile?tab=subscription', plan: 'pro', account });
    expect([await plan('Plan'), await plan('Status'), await plan('Current period ends')]).toEqual([
      'Pro',
      'Active',
      '21 Dec 2026',
    ]);
    expect(screen.getByRole('link', { name: 'See Plans and Prices' }).getAttribute('href')).toBe('/app/subscription');
    const card = within(await screen.findByRole('region', { name: 'What Pro Includes' }, LATE));
    const value = (name: RegExp) =>
      card.getByText(name, { selector: 'dt span' }).closest('dt')?.nextSibling?.textContent;
    await waitFor(() => expect(value(/^API calls/)).toBe('1,000 API calls a day'));
    expect(value(/^Advanced export/)).toBe('From Premium+');
  });
});
