// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { closeCard } from '#app/web/testing/show-card.tsx';
import type { Receipt } from '#features/alerts/contract/alerts.ts';
import { NOON } from '#ui/testing/figures.ts';
import { AlertReceipt } from './alert-receipt.tsx';
import { alertOf } from './fixtures.ts';

afterEach(closeCard);

const iso = (ms: number) => new Date(ms).toISOString();
const WRITTEN = NOON - 180_000 + 7;

function sent(deliveries?: Receipt['deliveries']): (string | null)[] {
  const alert = alertOf(1);
  render(<AlertReceipt alert={{ ...alert, receipt: { ...alert.receipt, deliveries } }} />);
  return screen.queryAllByRole('listitem').map((item) => item.textContent);
}

test('says when which channel had accepted it, and how long after it was written', () => {
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

test.each([[undefined], [[]]])('sent to nobody (%j), it says nothing of it', (deliveries) => {
  expect(sent(deliveries)).toEqual([]);
  expect(screen.queryByRole('list')).toBeNull();
});
