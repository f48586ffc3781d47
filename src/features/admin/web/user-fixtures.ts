import type { Billing } from '#features/billing/contract.ts';
import type { Delivery } from '#features/notifications/contract.ts';

import type { AuditEntry, UserDetail } from '../contract.ts';
import { users } from './fixtures.ts';

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

/** Entries for tests, newest first: by oneself, for somebody, refused, of somebody who is gone, not known to the page. */
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

/** Ann, who has some of everything. */
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

/** An account of which nothing is known yet. */
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
