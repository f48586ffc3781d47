import { expect, test, vi } from 'vitest';

import { clearSession, onSession, startSession } from './session.ts';

test('listeners are notified once of a session end, however often it is cleared', () => {
  startSession('t-123', { id: 7, email: 'ann@example.com' });
  const heard = vi.fn();
  const leave = onSession(heard);
  clearSession();
  clearSession();
  leave();
  expect(heard).toHaveBeenCalledTimes(1);
});

test('clears leftover user data without a token as well', () => {
  localStorage.setItem('user', '{}');
  localStorage.setItem('lastSeenAlertId', '12');
  clearSession();
  expect(Object.keys(localStorage)).toEqual([]);
});
