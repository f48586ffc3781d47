// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Answers, closeCard, failing, showCard } from '#app/web/testing/show-card.tsx';
import { ann } from '#features/accounts/web/auth/fixtures.ts';
import type { EmailStatus } from '#features/notifications/contract/email.ts';
import { clearSession, startSession } from '#ui/session.ts';
import { EmailPaused } from './email-paused.tsx';

const AT = '2026-11-21T12:00:00.000Z';
const of = (suppressed: EmailStatus['suppressed']) => () =>
  Response.json({ address: 'ann@example.com', suppressed } satisfies EmailStatus);
const REFUSED = of({
  reason: 'refused',
  until: null,
  at: AT,
  note: 'Your mail server rejects email: 550 no such user',
});
const UNREACHABLE = of({
  reason: 'unreachable',
  until: '2026-11-28T12:00:00.000Z',
  at: AT,
  note: 'Your address could not be reached three times (452 mailbox full)',
});

beforeEach(() => startSession('t-1', ann));
afterEach(() => {
  closeCard();
  clearSession();
});

const show = (answers: Answers) => showCard(<EmailPaused />, answers);
const notice = () => screen.findByRole('region', { name: 'Emails are paused' });

describe('optional emails', () => {
  test('that are delivered need no notice', async () => {
    const { fetch } = show({ '/api/email/status': of(null) });
    await waitFor(() => expect(fetch).toHaveBeenCalled());
    expect(screen.queryByRole('region')).toBeNull();
  });

  test('permanently refused: shows the mail server’s message, and what helps', async () => {
    show({ '/api/email/status': REFUSED });
    const text = (await notice()).textContent;
    expect(text).toContain('Alerts are not being emailed to ann@example.com.');
    expect(text).toContain('550 no such user');
    expect(text).toContain('one successful delivery ends the pause');
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('that could not be delivered can be resumed with one click', async () => {
    show({ '/api/email/status': UNREACHABLE, '/api/email/resume': of(null) });
    expect((await notice()).textContent).toContain('452 mailbox full');
    await userEvent.click(screen.getByRole('button', { name: 'Resume Emails' }));
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
  });

  test('a failed resumption is reported', async () => {
    show({ '/api/email/status': UNREACHABLE, '/api/email/resume': failing });
    await notice();
    await userEvent.click(screen.getByRole('button', { name: 'Resume Emails' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong on our side');
  });
});
