import type { AdminUser, OutboxMail } from '../contract.ts';

const user = (id: number, email: string, change: Partial<AdminUser>): AdminUser => ({
  id,
  email,
  emailVerified: true,
  isAdmin: false,
  isDisabled: false,
  plan: 'free',
  subscriptionStatus: 'none',
  createdAt: `2026-11-0${id}T12:00:00.000Z`,
  ...change,
});

/** Accounts for tests. */
export const users: AdminUser[] = [
  user(3, 'bo@example.org', { plan: 'pro', subscriptionStatus: 'expired' }),
  user(2, 'ann@example.com', { emailVerified: false }),
  user(1, 'root@example.com', { isAdmin: true, plan: 'admin', subscriptionStatus: 'active' }),
];

const letter = (
  id: number,
  to: string,
  subject: string,
  createdAt: string,
  change: Partial<OutboxMail>,
): OutboxMail => ({
  id,
  to,
  subject,
  kind: 'confirm',
  state: 'kept',
  note: null,
  createdAt,
  sentAt: null,
  ...change,
});

const failed = { state: 'failed', note: '550 no such mailbox' } as const;
const sent = { state: 'sent', sentAt: '2026-11-20T12:00:02.000Z' } as const;

/** Mails for tests, one in each state. */
export const mails: OutboxMail[] = [
  letter(7, 'ann@example.com', 'Confirm your address', '2026-11-21T11:55:00.000Z', {}),
  letter(6, 'bo@example.org', 'Reset your password', '2026-11-21T11:00:00.000Z', failed),
  letter(5, 'bo@example.org', 'New sign-in to your account', '2026-11-20T12:00:00.000Z', sent),
  letter(4, 'cy@example.net', 'Your account was deleted', '2026-11-19T12:00:00.000Z', { state: 'waiting' }),
];

/** The first of them, opened. */
export const mail = {
  ...letter(7, 'ann@example.com', 'Confirm your address', '2026-11-21T11:55:00.000Z', {}),
  html: '<html><body><p>Welcome. <a href="https://example.com/confirm">Confirm my address</a></p></body></html>',
  text: 'Welcome.\n\nConfirm: https://example.com/confirm',
};
