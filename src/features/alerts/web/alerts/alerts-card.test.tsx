// @vitest-environment happy-dom
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Answers, closeCard, failing, showCard } from '#app/web/testing/show-card.tsx';
import { type Alert, type Receipt } from '#features/alerts/contract/alerts.ts';
import { NOON } from '#ui/testing/figures.ts';
import { AlertReceipt } from './alert-receipt.tsx';
import { AlertsCard } from './alerts-card.tsx';
import { alertOf, many, someAlerts } from './fixtures.ts';

beforeEach(() => localStorage.setItem('authToken', 'a token'));
afterEach(() => {
  closeCard();
  localStorage.clear();
});

const CARD = { id: 'market-alerts', title: 'Market Alerts', className: '' };

function show(alerts: readonly Alert[], answers: Answers = {}) {
  return showCard(<AlertsCard {...CARD} />, { '/api/alerts': () => Response.json({ alerts }), ...answers });
}
const list = (name: string) => screen.queryByRole('list', { name });
const rows = (name: string) => {
  const found = list(name);
  return found
    ? within(found)
        .getAllByRole('listitem')
        .map((item) => item.querySelector('p, .line-clamp-2')?.textContent)
    : [];
};

describe('Market Alerts: states', () => {
  test('loading, then an error with Retry', async () => {
    let broken = true;
    show([], { '/api/alerts': () => (broken ? failing() : Response.json({ alerts: many(1) })) });
    expect(screen.getByText('Loading Market Alerts')).toBeDefined();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch alerts');
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Alert 1')).toBeDefined();
  });

  test('empty: No active alerts, Market conditions are stable', async () => {
    show([]);
    expect(await screen.findByText('No active alerts')).toBeDefined();
    expect(screen.getByText('Market conditions are stable')).toBeDefined();
  });

  test('all acknowledged: none is active, three remain in their own list', async () => {
    show(many(5).map((each) => ({ ...each, acknowledged: true })));
    expect(await screen.findByText('No active alerts')).toBeDefined();
    expect(list('Active alerts')).toBeNull();
    expect(within(list('Acknowledged') as HTMLElement).getAllByRole('listitem')).toHaveLength(3);
  });
});

describe('Market Alerts: content', () => {
  test('two until expanded, with the total count and the count per severity', async () => {
    const { fetch } = show(someAlerts);
    await screen.findByText('BTC fell 8.4% in 24 hours');
    expect(fetch).toHaveBeenCalledWith('/api/alerts?limit=20', expect.anything());
    expect(rows('Active alerts')).toEqual(['BTC fell 8.4% in 24 hours', 'US CPI, October is in 3 days']);
    expect(screen.getByText(/4 active/).textContent).toBe('4 active1 high3 medium');
    const button = screen.getByRole('button', { name: 'Show 2 more' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(button);
    expect(rows('Active alerts')).toHaveLength(4);
    await userEvent.click(screen.getByRole('button', { name: 'Show fewer' }));
    expect(rows('Active alerts')).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'View all alerts' }).getAttribute('href')).toBe('/app/alerts');
  });

  test('with two, there is nothing to expand', async () => {
    show(many(2));
    await screen.findByText('Alert 2');
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
    expect(list('Acknowledged')).toBeNull();
  });

  test('an acknowledged alert moves to the acknowledged list, and the count drops', async () => {
    show([...many(3, 9), alertOf(2, { acknowledged: true })], {
      '/api/alerts/9/acknowledge': () => Response.json({ id: 9, acknowledged: true }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Acknowledge: Alert 9' }));
    await waitFor(() => expect(rows('Active alerts')).toEqual(['Alert 8', 'Alert 7']));
    expect(rows('Acknowledged')).toEqual(['Alert 9', 'Alert 2']);
    expect(screen.getByText(/2 active/)).toBeDefined();
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Acknowledge: Alert 8'));
  });

  test('a failure leaves it in place', async () => {
    show(many(1), { '/api/alerts/1/acknowledge': failing });
    const button = await screen.findByRole('button', { name: 'Acknowledge: Alert 1' });
    await userEvent.click(button);
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
    expect(rows('Active alerts')).toEqual(['Alert 1']);
  });
});

const iso = (ms: number) => new Date(ms).toISOString();
const WRITTEN = NOON - 180_000 + 7;

function sent(deliveries?: Receipt['deliveries']): (string | null)[] {
  const alert = alertOf(1);
  render(<AlertReceipt alert={{ ...alert, receipt: { ...alert.receipt, deliveries } }} />);
  return screen.queryAllByRole('listitem').map((item) => item.textContent);
}

test('shows when each channel accepted it, and how long after it was written', () => {
  expect(
    sent([
      { channel: 'push', sentAt: iso(WRITTEN + 345) },
      { channel: 'email', sentAt: iso(WRITTEN + 1_200) },
      { channel: 'telegram', sentAt: iso(WRITTEN + 86_400_000) },
    ]),
  ).toEqual([
    'Push accepted 11:57:00 UTC (+345 ms)',
    'Email accepted 11:57:01 UTC (+1.2 s)',
    'Telegram accepted 22 Nov 2026, 11:57:00 UTC (+1d)',
  ]);
  expect(screen.getByRole('list', { name: 'Sent to you' })).toBeDefined();
});

test.each([[undefined], [[]]])('with no delivery (%j), it shows none', (deliveries) => {
  expect(sent(deliveries)).toEqual([]);
  expect(screen.queryByRole('list')).toBeNull();
});
