// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { alertOf, many } from './fixtures.ts';
import { badgeText, countUnread, lastSeenNow, saveLastSeen, useLastSeen } from './queries.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test('unread means unacknowledged and, with a last-seen id, higher than it', () => {
  const alerts = [alertOf(9), alertOf(8, { acknowledged: true }), alertOf(7), alertOf(6)];
  expect(countUnread(alerts, null)).toBe(3);
  expect(countUnread(alerts, 7)).toBe(1);
  expect(countUnread(alerts, 9)).toBe(0);
  expect(countUnread([], null)).toBe(0);
});

test.each([
  [1, '1'],
  [99, '99'],
  [100, '99+'],
  [12_000, '99+'],
])('%d is shown as %s', (count, words) => {
  expect(badgeText(count)).toBe(words);
  expect(badgeText(countUnread(many(count), null))).toBe(words);
});

test.each(['', 'abc', '-4', '0', '1.5', 'NaN', '1e400'])('%j was never an id: nothing was seen', (stored) => {
  localStorage.setItem('lastSeenAlertId', stored);
  expect(lastSeenNow()).toBeNull();
});

test('follows what another tab has seen', () => {
  const { result } = renderHook(useLastSeen);
  expect(result.current).toBeNull();
  act(() => saveLastSeen(4));
  expect(result.current).toBe(4);
  localStorage.setItem('lastSeenAlertId', '9');
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'lastSeenAlertId' })));
  expect(result.current).toBe(9);
});

test('without storage it holds for the page', () => {
  const closed = () => {
    throw new DOMException('closed', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: closed, setItem: closed });
  saveLastSeen(12);
  expect(lastSeenNow()).toBe(12);
  vi.unstubAllGlobals();
});
