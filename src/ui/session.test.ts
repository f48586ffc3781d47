import { expect, test, vi } from 'vitest';

import { forgetSession, onSession, startSession } from './session.ts';

test('whoever listens hears of the end of a session once, however often it is forgotten', () => {
  startSession('t-123', { id: 7, email: 'ann@example.com' });
  const heard = vi.fn();
  const leave = onSession(heard);
  forgetSession();
  forgetSession();
  leave();
  expect(heard).toHaveBeenCalledTimes(1);
});

test('what is left of a person without a token is forgotten too', () => {
  localStorage.setItem('user', '{}');
  localStorage.setItem('lastSeenAlertId', '12');
  forgetSession();
  expect(Object.keys(localStorage)).toEqual([]);
});
