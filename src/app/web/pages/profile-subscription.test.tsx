import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import type { Billing } from '#features/payments/contract/billing.ts';
import { billingOf, cardOf, entryOf } from '#features/payments/web/billing/billing-fixtures.ts';
import { paymentOf } from '#features/payments/web/usdc/fixtures.ts';
import type { Plan } from '#shared/contract.ts';
import { type Answer, answer, broken, refuse } from '#ui/testing/answers.ts';
import { address, fill, LATE, press, texts } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

const END = '2026-12-20T09:30:00.000Z';

function open(
  billing: Partial<Billing> | Answer,
  plan: Plan = 'pro',
  calls: Record<string, Answer> = {},
  account: Partial<Subscription> = {},
) {
  return openSignedIn({
    at: '/app/profile?tab=subscription',
    plan,
    account: plan === 'pro' ? { currentPeriodEnd: END, daysUntilExpiry: 29, ...account } : account,
    calls: { '/api/billing': typeof billing === 'function' ? billing : answer(billingOf(billing)), ...calls },
  });
}

const card = (name: string) => screen.findByRole('region', { name }, LATE);
/** The text of the card, once it is loaded. */
const filled = async () =>
  (await screen.findByText('Balance', { selector: 'dt' }, LATE)).closest('section')?.textContent;
const ready = async () => {
  await card('Billing Information');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Manage Subscription' }).getAttribute('aria-disabled')).toBe('false'),
  );
};

describe('billing information', () => {
  test('balance, card subscription, next payment and every past payment', async () => {
    open({
      credit: '12.50',
      card: cardOf({ months: 3 }),
      upcoming: [{ plan: 'premium', startsAt: END, endsAt: '2027-01-20T09:30:00.000Z' }],
      entries: [
        entryOf({
          id: 'pay_0000000001',
          title: 'Pro, 1 month, USDC on Base',
          method: 'base',
          state: 'open',
          receipt: null,
        }),
        entryOf(),
        entryOf({ id: 're_1', title: 'Refund', amount: '-29.99', state: 'refunded', receipt: null }),
      ],
    });
    const said = await filled();
    expect(said).toContain('Balance$12.50Applied to your next purchase first.');
    expect(said).toContain('Pro, every 3 monthsRenews automatically on 20 Dec 2026.');
    expect(said).toContain('Up nextPremium+, 20 Dec 2026 to 20 Jan 2027');
    const lines = within(screen.getByRole('list', { name: 'Payments' })).getAllByRole('listitem');
    expect(texts(lines)).toEqual([
      'Pro, 1 month, USDC on Base20 Nov 2026$29.99Waiting for paymentContinue',
      'Pro, 1 month by card20 Nov 2026 · Card$29.99PaidPDF',
      'Refund20 Nov 2026 · Card−$29.99Refunded',
    ]);
  });

  test.each([
    [true, 'Cancelled. Ends on 20 Dec 2026.The last charge was declined.'],
    [false, 'Pro, every monthThe last charge was declined. Open Manage Subscription to update your card, or cancel.'],
  ])('a declined charge does not promise automatic renewal (canceled: %s)', async (cancelled, words) => {
    open({ card: cardOf({ pastDue: true, cancelled }) });
    const said = await filled();
    expect(said).toContain(words);
    expect(said).not.toContain('Renews automatically');
  });

  test('an unavailable receipt explains why', async () => {
    open({ entries: [entryOf()] }, 'pro', { '/api/billing/receipts/in_0000000001': broken });
    await card('Billing Information');
    await press(/Receipt as PDF/);
    expect((await screen.findByRole('alert')).textContent).toContain('Something went wrong on our side');
  });

  test('reopens a pending payment, even after the page is reloaded', async () => {
    const waiting = entryOf({ id: 'pay_0000000001', title: 'Pro', method: 'base', state: 'open', receipt: null });
    open({ entries: [waiting] }, 'pro', { '/api/subscribe/payments/pay_0000000001': answer(paymentOf()) });
    await card('Billing Information');
    await press('Continue: Pro');
    expect(await screen.findByText(paymentOf().address, {}, LATE)).toBeDefined();
  });
});

describe('manage', () => {
  test('a card subscription is managed on the provider’s page', async () => {
    const go = vi.spyOn(location, 'assign').mockImplementation(() => {});
    const url = 'https://billing.example/session';
    open({ card: cardOf() }, 'pro', { '/api/subscribe/portal': answer({ success: true, url }) });
    await ready();
    await press('Manage Subscription');
    await waitFor(() => expect(go).toHaveBeenCalledWith(url));
  });

  test('reports a page that cannot be opened', async () => {
    open({ card: cardOf() }, 'pro', { '/api/subscribe/portal': () => Promise.reject(new TypeError('x')) });
    await ready();
    await press('Manage Subscription');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Failed to open the billing page. Please try again.',
    );
  });

  test('USDC plans are renewed on the plans page', async () => {
    open({ entries: [entryOf({ method: 'base' })] });
    await ready();
    await press('Manage Subscription');
    await waitFor(() => expect(address()).toBe('/app/subscription'));
  });
});

describe('cancel', () => {
  test('keeping the plan sends nothing; a failed cancellation remains open and reports it', async () => {
    const { sent } = open({ card: cardOf() }, 'pro', { '/api/subscribe/cancel': refuse(503, '', 'unavailable') });
    await ready();
    await press('Cancel Subscription');
    await press('Keep Subscription');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent('/api/subscribe/cancel', 'POST')).toEqual([]);
    await press('Cancel Subscription');
    within(await screen.findByRole('dialog', { name: 'Cancel your subscription?' }))
      .getByRole('button', { name: 'Cancel Subscription' })
      .click();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to cancel the subscription.');
  });

  test.each([
    [{ plan: 'pro' }, 'Pro does not renew automatically. It stays active until 20 Dec 2026'],
    [{ plan: 'pro', currentPeriodEnd: null }, 'Pro was granted to this account without an end date.'],
    [{ plan: 'pro', currentPeriodEnd: null, expiredAt: END }, 'Pro ended on 20 Dec 2026 and is in its grace period.'],
    [{ plan: 'free' }, 'You are on the Free plan and are not charged'],
  ] as const)('with %o and no card there is nothing to cancel', async ({ plan, ...account }, words) => {
    open({}, plan, {}, account);
    await ready();
    await press('Cancel Subscription');
    expect((await screen.findByRole('dialog', { name: 'Nothing to cancel' })).textContent).toContain(words);
  });
});

test('is hidden from administrators', async () => {
  const { sent } = openSignedIn({ at: '/app/profile?tab=subscription', plan: 'admin' });
  await card('Your Plan');
  for (const name of ['Cancel Subscription', 'Manage Subscription']) expect(screen.queryByText(name)).toBeNull();
  expect(screen.queryByRole('region', { name: 'Billing Information' })).toBeNull();
  expect(sent('/api/billing', 'GET')).toEqual([]);
});

test('deleting the account mentions the card subscription and the balance', async () => {
  openSignedIn({
    at: '/app/profile?tab=security',
    plan: 'pro',
    calls: {
      '/api/subscription': answer(subscriptionOf('pro', { currentPeriodEnd: END })),
      '/api/billing': answer(billingOf({ credit: '5.00', card: cardOf() })),
      '/api/auth/sessions': answer({ sessions: [] }),
    },
  });
  await screen.findByRole('region', { name: 'Delete Account' }, LATE);
  await press('Delete Account');
  await waitFor(async () => {
    const said = (await screen.findByRole('dialog', { name: 'Delete your account?' }, LATE)).textContent;
    expect(said).toContain('Your card subscription is canceled immediately and you won’t be charged again.');
    expect(said).toContain('The $5.00 on your balance can no longer be used after that.');
  });
});

describe('unreferenced transfer', () => {
  const TX = '5'.repeat(88);

  test('is decided by an administrator when nothing is signed', async () => {
    const { sent } = open({}, 'free', { '/api/subscribe/claims': answer({ state: 'waiting', amount: '29.99' }) });
    await card('Missing a Solana Transfer?');
    await press('Claim a Transfer');
    await fill('Transaction (signature)', ` ${TX} `);
    await press('Ask an Administrator');
    expect(await screen.findByText(/^29.99 USDC found\. It is credited once an administrator/)).toBeDefined();
    expect(sent('/api/subscribe/claims', 'POST')).toEqual([{ network: 'solana', tx: TX }]);
  });

  test('a missing wallet is reported and nothing is sent; a refusal is shown verbatim', async () => {
    const words = 'That transfer is already on an account';
    const { sent } = open({}, 'free', { '/api/subscribe/claims': refuse(409, words, 'conflict') });
    await card('Missing a Solana Transfer?');
    await press('Claim a Transfer');
    await fill('Transaction (signature)', TX);
    await press('Sign with Wallet');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'No Solana wallet that can sign messages was found',
    );
    expect(sent('/api/subscribe/claims', 'POST')).toEqual([]);
    await press('Ask an Administrator');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(words));
  });
});
