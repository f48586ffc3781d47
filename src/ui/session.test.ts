import { expect, test, vi } from 'vitest';

import { clearSession, onSession, startSession } from './session.ts';

test('whoever listens hears of the end of a session once, however often it is forgotten', () => {
  startSession('t-123', { id: 7, email: 'ann@example.com' });
  const heard = vi.fn();
  const leave = onSession(heard);
  clearSession();
  clearSession();
  leave();
  expect(heard).toHaveBeenCalledTimes(1);
});

test('what is left of a person without a token is forgotten too', () => {
  localStorage.setItem('user', '{}');
  localStorage.setItem('lastSeenAlertId', '12');
  clearSession();
  expect(Object.keys(localStorage)).toEqual([]);
});
