import type { Attempt, Webhook } from '#features/notifications/contract/webhooks.ts';

export const hookOf = (change: Partial<Webhook> = {}): Webhook => ({
  id: 4,
  name: 'Trading desk',
  host: 'hooks.example.com',
  format: 'generic',
  enabled: true,
  createdAt: '2026-11-01T12:00:00.000Z',
  lastAt: '2026-11-21T11:00:00.000Z',
  lastState: 'sent',
  lastNote: 'Answered 204',
  failures: 0,
  disabledAt: null,
  disabledReason: null,
  oldSecretUntil: null,
  ...change,
});

export const attemptOf = (change: Partial<Attempt> = {}): Attempt => ({
  id: 9,
  at: '2026-11-21T11:00:00.000Z',
  kind: 'CUSTOM_THRESHOLD',
  state: 'sent',
  status: 204,
  ms: 84,
  note: 'Answered 204',
  deliveryId: 812,
  ...change,
});
