import type { Delivery } from '#features/notifications/contract/notifications.ts';
import type { AdminUser, AuditEntry, OutboxMail, UserDetail } from '#features/operations/contract/admin.ts';
import type { Billing } from '#features/payments/contract/billing.ts';

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

/** Emails for tests, one in each state. */
export const mails: OutboxMail[] = [
  letter(7, 'ann@example.com', 'Confirm your address', '2026-11-21T11:55:00.000Z', {}),
  letter(6, 'bo@example.org', 'Reset your password', '2026-11-21T11:00:00.000Z', failed),
  letter(5, 'bo@example.org', 'New sign-in to your account', '2026-11-20T12:00:00.000Z', sent),
  letter(4, 'cy@example.net', 'Your account was deleted', '2026-11-19T12:00:00.000Z', { state: 'waiting' }),
];

/** The first of them, opened. */
export const mail = {
  ...letter(7, 'ann@example.com', 'Confirm your address', '2026-11-21T11:55:00.000Z', {}),
  linksHidden: false,
  html: '<html><body><p>Welcome. <a href="https://example.com/confirm">Confirm my address</a></p></body></html>',
  text: 'Welcome.\n\nConfirm: https://example.com/confirm',
};

const ROOT = { id: 1, email: 'root@example.com' };
const ANN = { id: 2, email: 'ann@example.com' };

const entry = (id: number, action: string, change: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: `2026-11-2${id % 10}T12:00:00.000Z`,
  action,
  actor: ANN,
  subject: ANN,
  details: {},
  network: '203.0.113.0/24',
  ...change,
});

/** Entries for tests, newest first: self, on behalf of a user, refused, by a deleted account, unknown to the page. */
export const entries: AuditEntry[] = [
  entry(11, 'session.start', { details: { how: 'password' } }),
  entry(10, 'plan.set', { actor: ROOT, details: { note: '<script>alert(1)</script>' } }),
  entry(9, 'session.refuse', { actor: null, network: null }),
  entry(8, 'account.delete', { actor: ROOT, subject: { id: 7, email: null } }),
  entry(7, 'thing.happened', { actor: null, subject: null }),
];

const billing: Billing = {
  credit: '12.50',
  card: { plan: 'pro', months: 1, renewsAt: '2026-12-20T09:30:00.000Z', cancelled: false, pastDue: true },
  upcoming: [],
  canTry: false,
  entries: [
    {
      id: 'in_1',
      at: '2026-11-20T09:30:00.000Z',
      title: 'Pro, 1 month by card',
      method: 'card',
      amount: '29.99',
      state: 'paid',
      receipt: '/api/admin/users/2/receipts/in_1',
    },
  ],
};

const delivery: Delivery = {
  id: 5,
  channel: 'push',
  title: 'BTC went above 70,000 USD',
  severity: 'high',
  state: 'failed',
  queuedAt: '2026-11-21T11:00:00.000Z',
  dueAt: null,
  sentAt: null,
  latencyMs: null,
  tries: 6,
  note: 'The push service answered 500',
};

/** Ann, with some of everything. */
export const detailOf = (change: Partial<UserDetail> = {}): UserDetail => ({
  user: users[1]!,
  disabled: null,
  facts: [
    {
      id: 4,
      source: 'admin',
      plan: 'premium',
      from: '2026-11-20T12:00:00.000Z',
      until: '2026-12-20T12:00:00.000Z',
      at: '2026-11-20T12:00:00.000Z',
      by: ROOT,
      note: 'A gift',
      inForce: true,
    },
    {
      id: 3,
      source: 'grant:trial:2',
      plan: 'pro',
      from: '2026-11-01T12:00:00.000Z',
      until: null,
      at: '2026-11-01T12:00:00.000Z',
      by: null,
      note: '',
      inForce: false,
    },
  ],
  sessions: [
    {
      id: '31',
      device: 'Chrome on Windows',
      network: '203.0.113.0/24',
      createdAt: '2026-11-20T12:00:00.000Z',
      seenAt: '2026-11-21T11:00:00.000Z',
    },
  ],
  billing,
  deliveries: [delivery],
  keys: [{ id: 6, name: 'Trading desk', scopes: ['market'], createdAt: '2026-11-02T12:00:00.000Z', lastUsed: null }],
  twoFactor: true,
  passkeys: 2,
  audit: entries.slice(0, 2),
  ...change,
});

/** An account without any data. */
export const emptyDetail = (): UserDetail =>
  detailOf({
    facts: [],
    sessions: [],
    billing: { ...billing, credit: '0.00', card: null, entries: [] },
    deliveries: [],
    keys: [],
    twoFactor: false,
    passkeys: 0,
    audit: [],
  });
