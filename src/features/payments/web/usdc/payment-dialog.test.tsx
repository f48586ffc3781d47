// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LATE, press } from '#app/web/testing/acts.ts';
import type { Payment } from '#features/payments/contract/usdc.ts';
import { Clock, ClockContext } from '#ui/now.ts';
import { broken } from '#ui/testing/answers.ts';
import { depositOf, paymentOf, solanaPaymentOf } from './fixtures.ts';
import { PaymentDialog } from './payment-dialog.tsx';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const GRANTED = '2026-12-21T12:00:00.000Z';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
    now: NOON,
    shouldAdvanceTime: true,
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The dialog alone; `now` sets the server's response from then on. */
function open(payment: Payment, clock = new Clock(NOON)) {
  let answered: () => Response = () => Response.json(payment);
  const fetch = vi.fn(async (_url: string) => answered());
  vi.stubGlobal('fetch', fetch);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const [onClose, onComplete] = [vi.fn(), vi.fn()];
  render(
    <QueryClientProvider client={queries}>
      <ClockContext value={clock}>
        <PaymentDialog payment={payment} onClose={onClose} onComplete={onComplete} />
      </ClockContext>
    </QueryClientProvider>,
  );
  const say = (next: Payment | (() => Response)) => {
    answered = typeof next === 'function' ? next : () => Response.json(next);
  };
  const hear = async (next: Payment | (() => Response)) => {
    say(next);
    await act(() => queries.invalidateQueries({ queryKey: ['billing'] }));
  };
  return { fetch, queries, onClose, onComplete, hear, say };
}

const state = async (name: string) => screen.findByText(name, {}, LATE);
const inText = (part: string) => screen.getByText((text) => text.includes(part));

describe('how to pay', () => {
  test('shows code, network, exact amount, address, contract and the warning', async () => {
    open(paymentOf());
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Pro, 1 month: USDC on Base');
    expect(screen.getByRole('img', { name: 'Wallet QR code: 29.99 USDC on Base' })).toBeDefined();
    const said = screen.getByRole('dialog').textContent;
    expect(said).toContain('29.99 USDC');
    expect(said).toContain(paymentOf().address);
    expect(said).toContain(paymentOf().token);
    expect(said).toContain(
      'Send only USDC on Base. Other tokens, or USDC on other networks, are not credited and may be lost.',
    );
    expect(said).toContain('Price29.99 USDCTo pay29.99 USDC');
  });

  test('applied credit and the reason for an uncommon amount are shown', () => {
    open(solanaPaymentOf({ months: 3, price: '85.4715', creditUsed: '10.00', amount: '75.471537' }));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Pro, 3 months: USDC on Solana');
    expect(screen.getByRole('dialog').textContent).toContain(
      'Price85.4715 USDCBalance and unused Pro time−10.00 USDCPayment identifier+0.000037 USDCTo pay75.471537 USDC',
    );
  });

  test.each([
    ['Exact amount', '29.99'],
    ['Address', paymentOf().address],
    ['USDC contract', paymentOf().token],
  ])('%s is copied, and the button confirms it for two seconds', async (name, value) => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    open(paymentOf());
    await act(async () => screen.getByRole('button', { name: `Copy: ${name}` }).click());
    expect(writeText).toHaveBeenCalledWith(value);
    expect(screen.getByRole('button', { name: `Copied: ${name}` }).textContent).toBe('Copied');
    expect(screen.getAllByRole('button', { name: /^Copied/ })).toHaveLength(1);
    act(() => void vi.advanceTimersByTime(1900));
    expect(screen.queryByRole('button', { name: `Copied: ${name}` })).not.toBeNull();
    act(() => void vi.advanceTimersByTime(200));
    expect(screen.queryByRole('button', { name: `Copied: ${name}` })).toBeNull();
  });

  test('in demo mode the demo wallet is offered, real wallets are not, and the reason is shown', () => {
    open(paymentOf({ demoWallet: 'http://127.0.0.1:9/wallet?to=0x52' }));
    expect(screen.getByRole('link', { name: 'Open the Demo Wallet' }).getAttribute('href')).toBe(
      'http://127.0.0.1:9/wallet?to=0x52',
    );
    expect(inText('Do not send real money to it.')).toBeDefined();
    expect(screen.queryByRole('button', { name: /Wallet in This Browser/ })).toBeNull();
  });

  test('the demo wallet is prefilled with the remaining amount', () => {
    const demoWallet = 'http://127.0.0.1:9/wallet?to=0x52&amount=29.99&expires=x';
    open(paymentOf({ demoWallet, status: 'underpaid', paid: '10.00' }));
    expect(screen.getByRole('link', { name: 'Open the Demo Wallet' }).getAttribute('href')).toBe(
      'http://127.0.0.1:9/wallet?to=0x52&amount=19.99&expires=x',
    );
  });
});

describe('countdown', () => {
  test('starts with the reserved minutes, never more, even if the device clock is behind', async () => {
    vi.setSystemTime(NOON - 90_000);
    open(paymentOf(), new Clock(NOON - 90_000));
    expect((await screen.findByRole('timer')).textContent).toBe('15:00');
  });

  test('counts down to the end, then shows Expired, removes the address and queries the server', async () => {
    const { fetch, say } = open(paymentOf());
    await act(async () => vi.advanceTimersByTime(2000));
    expect(screen.getByRole('timer').textContent).toBe('14:58');
    await act(async () => vi.advanceTimersByTime(896_000));
    expect(screen.getByRole('timer').textContent).toBe('0:02');
    const asked = fetch.mock.calls.length;
    say(paymentOf({ status: 'expired' }));
    await act(async () => vi.advanceTimersByTime(2500));
    expect(await state('Expired')).toBeDefined();
    expect(screen.queryByRole('timer')).toBeNull();
    expect(screen.queryByText(paymentOf().address)).toBeNull();
    expect(fetch.mock.calls.length).toBeGreaterThan(asked);
  });

  test('a device clock that is ahead hides nothing: the server decides', async () => {
    vi.setSystemTime(NOON + 3_600_000);
    open(paymentOf(), new Clock(NOON + 3_600_000));
    await act(async () => vi.advanceTimersByTime(1000));
    expect(screen.getByText(paymentOf().address)).toBeDefined();
    expect(screen.queryByRole('timer')).toBeNull();
  });
});

describe('payment progress', () => {
  test('short, then detected, then confirmed: each state as the stream reports it', async () => {
    const { hear } = open(paymentOf());
    expect(await state('Waiting for your payment')).toBeDefined();
    const first = depositOf({ amount: '10.00', state: 'confirmed' });
    await hear(paymentOf({ status: 'underpaid', flags: ['partial'], paid: '10.00', deposits: [first] }));
    expect(await state('Partially paid')).toBeDefined();
    expect(inText('Send the remaining 19.99 USDC to the same address')).toBeDefined();
    expect(inText('Exchanges often deduct their fee')).toBeDefined();
    expect(screen.getByRole('img', { name: 'Wallet QR code: 19.99 USDC on Base' })).toBeDefined();
    const rest = depositOf({ amount: '19.99', tx: '0xabc' });
    await hear(paymentOf({ status: 'detected', paid: '29.99', deposits: [first, rest] }));
    expect(await state('Payment detected')).toBeDefined();
    expect(screen.queryByText(paymentOf().address)).toBeNull();
    const list = within(screen.getByRole('region', { name: 'Received' }));
    expect(list.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      '10.00 USDCConfirmed21 Nov 2026, 12:02:00 UTC · 0x5c504e…b22060',
      '19.99 USDCSeen21 Nov 2026, 12:02:00 UTC · 0xabc',
    ]);
    expect(list.getAllByRole('link')[0]?.getAttribute('href')).toBe(depositOf().url);
  });

  test('without the stream it polls until it is settled', async () => {
    const { fetch, hear } = open(paymentOf());
    const asked = () => fetch.mock.calls.filter(([url]) => url === '/api/subscribe/payments/pay_0000000001').length;
    await waitFor(() => expect(asked()).toBeGreaterThan(0));
    const before = asked();
    await act(async () => vi.advanceTimersByTime(10_100));
    expect(asked()).toBe(before + 1);
    await hear(paymentOf({ status: 'settled', grantedUntil: GRANTED }));
    const atEnd = asked();
    await act(async () => vi.advanceTimersByTime(60_000));
    expect(asked()).toBe(atEnd);
  });

  test('a failed refresh is reported, and known data stays', async () => {
    const { hear } = open(paymentOf());
    await hear(broken);
    expect((await screen.findByRole('alert')).textContent).toContain('Couldn’t load the payment');
    expect(screen.getByText(paymentOf().address)).toBeDefined();
    await hear(paymentOf());
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  test('expired and late: both are shown', () => {
    open(paymentOf({ status: 'expired', flags: ['late'] }));
    expect(inText('after the payment expired')).toBeDefined();
    expect(screen.queryByRole('timer')).toBeNull();
  });

  test('a deposit reverted by the network, a late one and one that is not USDC are marked', () => {
    const deposits = [
      depositOf({ state: 'orphaned', url: null }),
      depositOf({ state: 'final', isLate: true, tx: '0xdef' }),
      depositOf({ state: 'foreign', tx: '0xfed' }),
    ];
    open(paymentOf({ deposits }));
    const lines = screen.getAllByRole('listitem').map((line) => line.textContent);
    expect(lines[0]).toContain('Reversed by the network');
    expect(lines[1]).toContain('LateFinal');
    expect(lines[2]).toContain('Other tokenNot USDC');
  });
});

describe('the active plan', () => {
  test.each([
    ['confirmed', 'It becomes final in a few minutes.'],
    ['settled', 'The payment is settled and final.'],
  ] as const)('%s: shows the end date; Done reloads the subscription and completes', async (status, words) => {
    const { hear, onComplete, onClose, queries } = open(paymentOf());
    const invalidate = vi.spyOn(queries, 'invalidateQueries');
    await hear(paymentOf({ status, grantedUntil: GRANTED, paid: '30.99', flags: ['overpaid'] }));
    expect(await state('Pro is yours until 21 Dec 2026')).toBeDefined();
    expect(inText(words)).toBeDefined();
    expect(inText('The difference is on your balance')).toBeDefined();
    invalidate.mockClear();
    await press('Done');
    expect(invalidate).toHaveBeenCalledWith({ queryKey: ['subscription'] });
    expect([onComplete.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 1]);
  });

  test('closed before payment, nothing completes', async () => {
    const { onComplete, onClose } = open(paymentOf());
    await userEvent
      .setup({ advanceTimers: vi.advanceTimersByTime })
      .click(screen.getByRole('button', { name: 'Close' }));
    expect([onComplete.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 1]);
  });
});
