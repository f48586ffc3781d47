import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { detailOf, emptyDetail, users } from '#features/operations/web/admin/user-fixtures.ts';
import { type Answer, afterProof, answer, broken, byMethod, refuse } from '#ui/testing/answers.ts';
import { address, fill, LATE, press, texts } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

const ANN = '/api/admin/users/2';
const AT = '/app/admin?tab=users&user=2';
const open = (calls: Record<string, Answer> = {}, at = AT) =>
  openSignedIn({
    at,
    plan: 'admin',
    calls: { '/api/admin/users': answer(users), [ANN]: byMethod({ GET: answer(detailOf()) }), ...calls },
  });
const card = async (name: string) => within(await screen.findByRole('region', { name }, LATE));
const lines = async (name: string) => texts((await card(name)).getAllByRole('listitem'));
/** The account itself, once it is loaded. */
const person = async () => {
  await screen.findByRole('button', { name: 'Set plan' }, LATE);
  return card('User');
};
const confirm = async () => within(await screen.findByRole('dialog', { name: 'Delete user' }, LATE));

describe('user page', () => {
  test('account, plan with its facts, sessions, payments, deliveries, keys and log', async () => {
    open();
    const head = await person();
    expect(head.getByText('ann@example.com')).toBeDefined();
    const facts = texts([...head.getByText('Created').closest('dl')!.children]);
    expect(facts).toEqual(['Created2 Nov 2026, 12:00:00 UTC', 'Two-factorOn', 'Passkeys2']);
    expect(await lines('Plan')).toEqual([
      'Premium+: Set by an administratorActive20 Nov 2026 to 20 Dec 2026 · by root@example.comA gift',
      'Pro: Trial1 Nov 2026 to no end',
    ]);
    expect(await lines('Sessions')).toEqual([
      'Chrome on Windows203.0.113.0/24 · signed in 20 Nov 2026 · last seen 1h agoSign out',
    ]);
    expect(await lines('Payments')).toEqual(['Pro, 1 month by card20 Nov 2026$29.99PaidPDF']);
    expect((await card('Payments')).getByText('$12.50 balance')).toBeDefined();
    (await card('Payments')).getByText('Pro by card, every month; renews 20 Dec 2026; the last charge was declined');
    expect(await lines('Deliveries')).toEqual([
      'BTC went above 70,000 USDFailedPush · 21 Nov 2026, 11:00:00 UTC · 6 triesThe push service answered 500',
    ]);
    expect(await lines('API keys')).toEqual(['Trading deskmade 2 Nov 2026 · never used · market']);
    expect((await lines('Audit Log'))[1]).toContain('Plan set by root@example.com for ann@example.com');
  });

  test('the list links to the user and back; complete lists show no count', async () => {
    const { sent } = open({}, '/app/admin?tab=users');
    await userEvent.click(await screen.findByRole('link', { name: 'ann@example.com' }, LATE));
    await person();
    expect(address()).toBe(AT);
    await userEvent.click(screen.getByRole('link', { name: 'All users' }));
    expect(await screen.findByText('3 of 3 users', {}, LATE)).toBeDefined();
    expect(sent('/api/admin/users/count', 'GET')).toEqual([]);
    expect(screen.queryByText(/search to narrow/)).toBeNull();
  });

  test('every empty section says so', async () => {
    open({ [ANN]: answer(emptyDetail()) });
    await person();
    for (const words of [
      'No plan has been set',
      'No active sessions',
      'No payments yet',
      'Nothing sent yet',
      'No active API keys',
      'Nothing yet',
    ])
      expect(screen.getByText(words)).toBeDefined();
  });

  test('an administrator cannot be disabled or deleted', async () => {
    open({ [ANN]: answer(detailOf({ user: users[2]! })) });
    const head = await person();
    const button = (name: string) => head.getByRole<HTMLButtonElement>('button', { name });
    expect([button('Delete').disabled, button('Delete').title]).toEqual([true, 'Cannot delete admin users']);
    expect([button('Disable').disabled, button('Disable').title]).toEqual([true, 'Cannot disable admin users']);
  });

  test('signs out one session or all; resends the confirmation and explains a refusal', async () => {
    let words: Answer = answer({ message: 'Confirmation email sent to ann@example.com' });
    const { sent } = open({
      [`${ANN}/sessions/end`]: answer({ ended: 1 }),
      [`${ANN}/resend-confirmation`]: (url, init) => words(url, init),
    });
    await userEvent.click((await card('Sessions')).getByRole('button', { name: /^Sign out Chrome/ }));
    expect(await screen.findByText('1 session was signed out')).toBeDefined();
    await press('Sign out everywhere');
    await waitFor(() => expect(sent(`${ANN}/sessions/end`, 'POST')).toEqual([{ session: '31' }, { session: null }]));
    await press('Resend confirmation');
    expect(await screen.findByText('Confirmation email sent to ann@example.com')).toBeDefined();
    words = refuse(429, 'Too many attempts. Please try again later.', 'rate_limited');
    await press('Resend confirmation');
    expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts. Please try again later.');
  });

  test('disabling requires a reason and re-authentication and is shown on the page; a disabled user can be re-enabled', async () => {
    const disabled = { at: '2026-11-21T12:00:00.000Z', by: { id: 1, email: 'root@example.com' }, reason: 'Spam' };
    let detail = detailOf();
    const { act, prove } = afterProof(() => {
      detail = detailOf({ user: { ...users[1]!, isDisabled: true }, disabled });
      return Response.json(detail.user);
    });
    const { sent } = open({
      [ANN]: () => Response.json(detail),
      [`${ANN}/disable`]: act,
      [`${ANN}/enable`]: answer(users[1]),
      '/api/auth/reauthenticate': prove,
    });
    await person();
    await press('Disable');
    const dialog = within(await screen.findByRole('dialog', { name: 'Disable account' }));
    await fill('Reason', 'Spam');
    await userEvent.click(dialog.getByRole('button', { name: 'Disable' }));
    await fill('Password', 'correct horse');
    await press('Confirm');
    expect(await screen.findByText('Disabled: Spam')).toBeDefined();
    expect(sent(`${ANN}/disable`, 'POST')).toEqual([{ reason: 'Spam' }, { reason: 'Spam' }]);
    await press('Enable');
    const back = within(await screen.findByRole('dialog', { name: 'Enable account' }));
    await userEvent.click(back.getByRole('button', { name: 'Enable' }));
    expect(await screen.findByText('ann@example.com is now enabled')).toBeDefined();
    expect(sent(`${ANN}/enable`, 'POST')).toHaveLength(1);
  });
});

describe('delete', () => {
  const LIST = '/app/admin?tab=users';
  const pressDelete = async () =>
    userEvent.click(await screen.findByRole('button', { name: 'Delete ann@example.com' }, LATE));

  test("'Failed to delete user: …' with the server’s message", async () => {
    open({ [ANN]: byMethod({ DELETE: refuse(404, 'User not found', 'not_found') }) }, LIST);
    await pressDelete();
    await userEvent.click((await confirm()).getByRole('button', { name: 'Delete' }));
    const { textContent } = await (await confirm()).findByRole('alert');
    expect(textContent).toBe('Failed to delete user: User not found');
  });

  test('an administrator cannot be deleted, as the button explains, and a disabled user has a badge', async () => {
    open({ '/api/admin/users': answer([{ ...users[0], isDisabled: true }, users[2]]) }, LIST);
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete root@example.com' }, LATE);
    expect([button.disabled, button.title]).toEqual([true, 'Cannot delete admin users']);
    expect(within(screen.getByRole('row', { name: /bo@/ })).getByText('Disabled')).toBeDefined();
  });

  test('returns from the user page to the list', async () => {
    open({ [ANN]: byMethod({ GET: answer(detailOf()), DELETE: answer({ message: '' }) }) });
    await userEvent.click((await person()).getByRole('button', { name: 'Delete' }));
    await userEvent.click((await confirm()).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(address()).toBe(LIST));
  });
});

describe('many users', () => {
  const open = (calls: Record<string, Answer>) => openSignedIn({ at: '/app/admin?tab=users', plan: 'admin', calls });
  const many = Array.from({ length: 500 }, (_, i) => ({ ...users[1], id: 900 - i, email: `p${i}@example.com` }));

  test('more than a hundred render incrementally; until counted, a full list shows "at least"', async () => {
    open({ '/api/admin/users': answer(many), '/api/admin/users/count': broken });
    expect(await screen.findByText('500+ of 500+ users', {}, LATE)).toBeDefined();
    expect(screen.getAllByRole('row')).toHaveLength(101);
    await press('Show 100 more');
    expect(screen.getAllByRole('row')).toHaveLength(201);
    expect(screen.queryByText(/search to narrow/)).toBeNull();
  });

  test('past 500 the total is counted, and the list shows how many of them are listed', async () => {
    const total: Answer = (url) => Response.json({ total: url.includes('q=') ? 731 : 12_345 });
    open({ '/api/admin/users': answer(many), '/api/admin/users/count': total });
    expect(await screen.findByText('12,345 of 12,345 users', {}, LATE)).toBeDefined();
    expect(screen.getByText('500 of 12,345 shown; search to narrow down')).toBeDefined();
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by email' }), 'p');
    expect(await screen.findByText('731 of 12,345 users')).toBeDefined();
    expect(screen.getByText('500 of 731 shown; search to narrow down')).toBeDefined();
  });

  test.each([
    ['Set plan', 'Set plan of'],
    ['Delete user', 'Delete'],
  ])('the %s dialog remains open while the list is searched', async (title, act) => {
    open({ '/api/admin/users': (url) => Response.json(url.includes('q=') ? [] : users) });
    await userEvent.click(await screen.findByRole('button', { name: `${act} ${users[1]?.email}` }, LATE));
    const dialog = await screen.findByRole('dialog', { name: title }, LATE);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by email' }), 'nobody');
    expect(await screen.findByText('No users found')).toBeDefined();
    expect(screen.getByRole('dialog', { name: title })).toBe(dialog);
  });
});
