import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import { mail, mails, users } from '#features/operations/web/admin/user-fixtures.ts';
import { type Answer, afterProof, answer, refuse } from '#ui/testing/answers.ts';
import { address, fill, LATE, press, texts } from '../testing/acts.ts';
import { openApp, payload } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

const OPTIONS = answer({ confirmationRequired: true, signUpsOpen: true, demoAccounts: [] });
const mailList = (change: object = {}) => Response.json({ mails, delivery: 'smtp', more: false, ...change });

/** Responds like the server: `q` is searched for in the address. */
const search: Answer = (url) => {
  const q = new URL(url, 'http://localhost').searchParams.get('q') ?? '';
  return Response.json(users.filter(({ email }) => email.includes(q)));
};
const open = (at = '/app/admin?tab=users', calls: Record<string, Answer> = {}) =>
  openSignedIn({
    at,
    plan: 'admin',
    calls: { '/api/admin/users': search, '/api/admin/mail': () => mailList(), '/api/auth/options': OPTIONS, ...calls },
  });
const row = (email: string) => screen.findByRole('row', { name: new RegExp(email) }, LATE);

describe('access', () => {
  test('redirects signed-out visitors to the sign-in page', async () => {
    openApp({ at: '/app/admin' });
    await waitFor(() => expect(address()).toBe('/app/auth-required?feature=Admin%20Dashboard&type=auth'), LATE);
  });

  test('shows non-administrators the 403 screen and requests nothing', async () => {
    const { sent } = openSignedIn({ at: '/app/admin', plan: 'premium', calls: { '/api/admin/users': search } });
    expect(await screen.findByRole('heading', { level: 1, name: 'Access denied' }, LATE)).toBeDefined();
    expect(screen.getByText('Admin access required. This page is only available to administrators.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/app');
    expect(sent('/api/admin/users', 'GET')).toEqual([]);
  });
});

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Set plan' }, LATE));
const choose = async (email: string) =>
  userEvent.click(within(await row(email)).getByRole('button', { name: /^Set plan/ }));
const choice = async (name: string) => userEvent.click((await dialog()).getByRole('radio', { name }));
const save = async () => userEvent.click((await dialog()).getByRole('button', { name: 'Set Plan' }));
const set = (plan: string) => ({
  '/api/admin/users/2/plan': answer({ ...users[1], plan, subscriptionStatus: 'active' }),
});

describe('users', () => {
  test('address, id, verified mark, status, plan and creation date of each; admins need no plan: the button is disabled and explains why; Free has no end date to choose', async () => {
    open();
    const cells = async (email: string) => texts([...(await row(email)).children]);
    expect((await cells('root@')).join(', ')).toBe(
      'root@example.comID 1, VerifiedAdmin, AdminActive, 1 Nov 2026, Set planDelete',
    );
    expect(await cells('ann@')).toEqual(['ann@example.comID 2', 'Unverified', 'Free', '2 Nov 2026', 'Set planDelete']);
    expect((await cells('bo@')).join(', ')).toBe(
      'bo@example.orgID 3, Verified, ProExpired, 3 Nov 2026, Set planDelete',
    );
    expect(within(await row('bo@')).getByRole('img', { name: 'Verified address' })).toBeDefined();
    expect(texts(screen.getAllByRole('columnheader')).join(', ')).toBe('User, Status, Plan, Created, Actions');
    expect(screen.getByText('3 of 3 users')).toBeDefined();
    const button = within(await row('root@')).getByRole<HTMLButtonElement>('button', { name: /^Set plan/ });
    expect([button.disabled, button.title]).toEqual([true, 'Admins have every feature']);
    await choose('bo@');
    expect((await dialog()).getByRole('radio', { name: 'Unlimited' })).toBeDefined();
    await choice('Free');
    expect((await dialog()).queryByRole('radio', { name: 'Unlimited' })).toBeNull();
  });

  test("the search queries the server; the count shows the total; no match: 'No users found'", async () => {
    const { sent } = open();
    await row('ann@');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by email' }), 'example.com');
    expect(await screen.findByText('2 of 3 users')).toBeDefined();
    expect(screen.queryByText('bo@example.org')).toBeNull();
    expect(sent('/api/admin/users', 'GET')).toContain('/api/admin/users?q=example.com');
    open();
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by email' }), 'nobody');
    expect(await screen.findByText('No users found')).toBeDefined();
    expect(screen.getByText('0 of 3 users')).toBeDefined();
  });
});

describe('set plan', () => {
  test('an open-ended plan with its note', async () => {
    const { sent } = open('/app/admin?tab=users', set('premium'));
    await choose('ann@');
    await choice('Premium+');
    await fill('Note', 'Press review');
    await save();
    expect(await screen.findByText('ann@example.com is now on Premium+')).toBeDefined();
    expect(sent('/api/admin/users/2/plan', 'PUT')).toEqual([{ plan: 'premium', until: null, note: 'Press review' }]);
    expect(screen.queryByRole('dialog', { name: 'Set plan' })).toBeNull();
  });

  test('a plan until the end of a given day', async () => {
    const { sent } = open('/app/admin?tab=users', set('pro'));
    await choose('ann@');
    await choice('Pro');
    await choice('Until a date');
    expect((await dialog()).getByRole<HTMLButtonElement>('button', { name: 'Set Plan' }).disabled).toBe(true);
    await fill('Last day (UTC)', '2026-12-31');
    await save();
    await screen.findByText('ann@example.com is now on Pro');
    expect(sent('/api/admin/users/2/plan', 'PUT')).toEqual([
      { plan: 'pro', until: '2026-12-31T23:59:59.000Z', note: '' },
    ]);
  });

  test('a better plan from another source stays in effect, as shown', async () => {
    open('/app/admin?tab=users', set('pro'));
    await choose('ann@');
    await save();
    await screen.findByText('Saved, but ann@example.com stays on Pro: a higher plan is active');
  });

  test('a refusal keeps the dialog open with its reason', async () => {
    open('/app/admin?tab=users', { '/api/admin/users/2/plan': refuse(404, 'User not found', 'not_found') });
    await choose('ann@');
    await save();
    expect((await (await dialog()).findByRole('alert')).textContent).toBe('User not found');
  });
});

describe('email', () => {
  const AT = '/app/admin?tab=mail';
  const items = async () => {
    await screen.findByRole('button', { name: /Confirm your address/ }, LATE);
    return screen.getAllByRole('listitem').flatMap((item) => item.querySelector('time')?.closest('button') ?? []);
  };

  test('newest first, each with its state', async () => {
    open(AT);
    expect(texts(await items())).toEqual([
      'Confirm your addressTo ann@example.comOutbox only5m ago',
      'Reset your passwordTo bo@example.org550 no such mailboxFailed1h ago',
      'New sign-in to your accountTo bo@example.orgSent1d ago',
      'Your account was deletedTo cy@example.netWaiting2d ago',
    ]);
  });

  test.each([
    ['smtp', 'live', true, 'Email is sent through the configured SMTP server.'],
    [
      'outbox',
      'demo',
      true,
      'Demo mode: no email leaves this machine. Everything that would have been sent is stored here.',
    ],
    ['outbox', 'live', false, 'New accounts are signed in without confirming their address'],
    ['outbox', 'live', true, 'New accounts must confirm their address, but the confirmation link is only visible'],
  ] as const)('delivery %s, %s mode, confirmation required: %s', async (delivery, dataMode, required, words) => {
    open(AT, {
      '/api/admin/mail': () => mailList({ delivery }),
      '/api/dashboard': answer(payload({ dataMode })),
      '/api/auth/options': answer({ confirmationRequired: required, signUpsOpen: true, demoAccounts: [] }),
    });
    expect(await screen.findByText(new RegExp(words), {}, LATE)).toBeDefined();
    const warned = screen.queryByText('No email leaves this server: SMTP_URL is not set') !== null;
    expect(warned).toBe(delivery === 'outbox' && dataMode === 'live');
  });

  test("'Load more' appends to the list, then ends; the search queries the server and reports no match", async () => {
    const older = { ...mail, id: 1, subject: 'The first mail of all' };
    const { sent } = open(AT, {
      '/api/admin/mail': (url) => {
        if (url.includes('q=')) return mailList({ mails: [] });
        return url.includes('before=') ? mailList({ mails: [older] }) : mailList({ more: true });
      },
    });
    await items();
    await press('Load more');
    expect(await screen.findByRole('button', { name: /The first mail of all/ })).toBeDefined();
    expect(sent('/api/admin/mail', 'GET')).toContain('/api/admin/mail?before=4');
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by address or subject' }), 'zoe');
    expect(await screen.findByText('No emails found')).toBeDefined();
    expect(sent('/api/admin/mail', 'GET')).toContain('/api/admin/mail?q=zoe');
  });

  test('an opened email: metadata, HTML in a script-free frame, and plain text', async () => {
    open(AT, { '/api/admin/mail/7': answer(mail) });
    await userEvent.click((await items())[0] as HTMLElement);
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm your address' }, LATE));
    const facts = texts([...dialog.getByText('To').closest('dl')!.children]);
    expect(facts.join(' | ')).toBe(
      'Toann@example.com | StateOutbox only | Written21 Nov 2026, 11:55:00 UTC | SentNot sent | Kindconfirm',
    );
    const frame = await dialog.findByTitle<HTMLIFrameElement>('Email: Confirm your address');
    expect(frame.getAttribute('sandbox')).not.toContain('allow-scripts');
    expect(frame.getAttribute('sandbox')).not.toContain('allow-same-origin');
    expect(frame.getAttribute('srcdoc')).toContain('Confirm my address');
    await userEvent.click(dialog.getByRole('radio', { name: 'Text' }));
    expect(dialog.getByText(/Confirm: https:\/\/example\.com\/confirm/)).toBeDefined();
    expect(dialog.queryByTitle(/^Email/)).toBeNull();
  });

  test('reading an email requires re-authentication and notes that other users’ links are hidden', async () => {
    const { act, prove } = afterProof(answer({ ...mail, linksHidden: true }));
    open(AT, { '/api/admin/mail/7': act, '/api/auth/reauthenticate': prove });
    await userEvent.click((await items())[0] as HTMLElement);
    await userEvent.type(await screen.findByLabelText('Password', {}, LATE), 'correct horse{Enter}');
    expect(await screen.findByText(/^Links that give access to this account are hidden/)).toBeDefined();
  });

  test('an unreadable email is reported with Retry', async () => {
    open(AT, { '/api/admin/mail/7': refuse(404, 'Email not found', 'not_found') });
    await userEvent.click((await items())[0] as HTMLElement);
    const alert = await within(await screen.findByRole('dialog', {}, LATE)).findByRole('alert');
    expect(alert.textContent).toContain('Failed to load the emailEmail not found');
  });
});
