import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { books, payments, suspense } from '#features/payments/web/books/fixtures.ts';
import { type Answer, answer, refuse } from '#ui/testing/answers.ts';
import { fill, press, region } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

const open = (calls: Record<string, Answer> = {}) =>
  openSignedIn({
    at: '/app/admin?tab=payments',
    plan: 'admin',
    calls: {
      '/api/admin/books': answer(books),
      '/api/admin/suspense': answer(suspense),
      '/api/admin/payments': answer({ payments, more: false }),
      ...calls,
    },
  });
test('the ledger shows funds held, owed and earned, and the open methods', async () => {
  open();
  const card = await region('Books', 'Earned');
  for (const text of ['USDC on Base', '$12.50', 'Unmatched deposits', 'Cards are not set up here.'])
    expect(card.getAllByText(text).length).toBeGreaterThan(0);
  expect(card.getByText('Paid to 0x1111111111111111111111111111111111111111')).toBeDefined();
  expect(card.queryByRole('alert')).toBeNull();
});

test('flags an unbalanced ledger prominently', async () => {
  open({ '/api/admin/books': answer({ ...books, difference: '-1.00' }) });
  expect((await region('Books', 'Earned')).getByRole('alert').textContent).toContain('The books differ by −$1.00');
});

test('payments: payer, purchase, amount, currency and outcome; more on demand', async () => {
  const { sent } = open({ '/api/admin/payments': answer({ payments, more: true }) });
  const card = await region('Payments', 'ann@example.com');
  expect(card.getByText('Deleted account 7')).toBeDefined();
  expect(card.getByText('Plan granted')).toBeDefined();
  expect(card.getByText('Partially paid')).toBeDefined();
  await userEvent.click(card.getByRole('button', { name: 'Load more' }));
  expect(sent('/api/admin/payments', 'GET')).toContain('/api/admin/payments?before=2026-11-20T08%3A00%3A00.000Z');
});

test('payments: empty, and no match', async () => {
  open({ '/api/admin/payments': answer({ payments: [], more: false }) });
  const card = await region('Payments', 'No payments yet');
  await userEvent.type(card.getByRole('searchbox', { name: 'Search by email or id' }), 'nobody');
  expect(await card.findByText('No payments found')).toBeDefined();
});

test('assigns an unmatched deposit to its claimant', async () => {
  const { sent } = open({
    '/api/admin/suspense': (_, init) =>
      init?.method === 'POST' ? Response.json({ success: true, credit: '12.50' }) : Response.json(suspense),
  });
  const card = await region('Unclaimed Payments', 'Claimed by ann@example.com');
  expect(card.getByText('Claimed by deleted account 9')).toBeDefined();
  await userEvent.click(card.getByRole('button', { name: 'Assign $12.50 to an account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign to account' }));
  expect(dialog.getByLabelText<HTMLInputElement>('Account email').value).toBe('ann@example.com');
  await fill('Note', 'Statement of the exchange');
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  expect(await screen.findByText('ann@example.com now has a balance of $12.50')).toBeDefined();
  expect(sent('/api/admin/suspense', 'POST')).toEqual([
    { email: 'ann@example.com', note: 'Statement of the exchange', network: 'solana', tx: 'tx-one', idx: 1 },
  ]);
});

test('the transfer dialog and its input survive a refetch of the list', async () => {
  let waiting = suspense;
  open({ '/api/admin/suspense': () => Response.json(waiting) });
  const card = await region('Unclaimed Payments', 'Claimed by ann@example.com');
  await userEvent.click(card.getByRole('button', { name: 'Assign $12.50 to an account' }));
  await fill('Note', 'Statement of the exchange');
  waiting = [];
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 120_000);
  dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findByText('Nothing unclaimed')).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('Statement of the exchange');
});

test('manual credit; a refusal is shown in the dialog without losing input', async () => {
  let refused = true;
  const { sent } = open({
    '/api/admin/credits': () =>
      refused
        ? refuse(404, 'No account with this email address', 'not_found')()
        : Response.json({ success: true, credit: '5.50' }),
  });
  await userEvent.click((await region('Books', 'Earned')).getByRole('button', { name: 'Add credit' }));
  await fill('Account email', 'ann@example.com');
  await fill('US dollars', '5.50');
  await fill('Note', 'Sorry');
  await press('Add Credit');
  const dialog = within(await screen.findByRole('dialog', { name: 'Add credit' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('No account with this email address');
  refused = false;
  await press('Add Credit');
  expect(await screen.findByText('ann@example.com now has a balance of $5.50')).toBeDefined();
  expect(sent('/api/admin/credits', 'POST')).toHaveLength(2);
});
