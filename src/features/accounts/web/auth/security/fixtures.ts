import type { Session } from '#features/accounts/contract/auth.ts';

/** Sessions for tests: this one, a phone, a laptop. */
export const sessions: Session[] = [
  {
    id: '11',
    current: true,
    device: 'Chrome on Linux',
    network: '203.0.113.0/24',
    createdAt: '2026-11-20T09:00:00.000Z',
    seenAt: '2026-11-21T11:59:00.000Z',
  },
  {
    id: '12',
    current: false,
    device: 'Safari on iPhone',
    network: '198.51.100.0/24',
    createdAt: '2026-11-01T09:00:00.000Z',
    seenAt: '2026-11-21T09:00:00.000Z',
  },
  {
    id: '13',
    current: false,
    device: 'Firefox on Windows',
    network: '192.0.2.0/24',
    createdAt: '2026-10-01T09:00:00.000Z',
    seenAt: '2026-11-11T12:00:00.000Z',
  },
];
