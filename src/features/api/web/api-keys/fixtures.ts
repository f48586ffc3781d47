import type { ApiKey, ApiUsage } from '#features/api/contract/api-keys.ts';

export const keyOf = (change: Partial<ApiKey> = {}): ApiKey => ({
  id: 3,
  name: 'Trading bot',
  api_key: 'mk_live_Y53X…6c1a',
  scopes: ['market', 'analysis'],
  created_at: '2026-11-01T12:00:00.000Z',
  last_used: '2026-11-21T11:00:00.000Z',
  usage_count: 1204,
  old_key_until: null,
  ...change,
});

const DAY_MS = 86_400_000;

/** Thirty days up to 21 November 2026, with ten more calls each day. */
export const usageOf = (change: Partial<ApiUsage> = {}): ApiUsage => ({
  limit: 1000,
  burst: 10,
  used: 300,
  resetsAt: '2026-11-22T00:00:00.000Z',
  days: Array.from({ length: 30 }, (_, i) => ({
    day: new Date(Date.UTC(2026, 10, 21) - (29 - i) * DAY_MS).toISOString().slice(0, 10),
    calls: (i + 1) * 10,
    refused: i === 28 ? 4 : 0,
  })),
  ...change,
});
