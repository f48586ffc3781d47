import type { About } from '#features/site/contract/legal.ts';
import { USUAL_LIMITS } from '#ui/testing/limits.ts';

export const aboutOf = (change: Partial<About> = {}): About => ({
  dataMode: 'live',
  schedule: {
    prices: 'at least every 60 seconds',
    listing: 'every 5 minutes',
    full: [
      { when: 'Weekdays 9-17 UTC', rhythm: 'hourly' },
      { when: 'Weekday off-hours', rhythm: 'every 3 hours' },
      { when: 'Weekends', rhythm: 'every 4 hours' },
    ],
    slow: 'every 30 minutes',
  },
  counts: { coins: 250, sources: 21 },
  sources: [
    { id: 'coingecko', name: 'CoinGecko', gives: 'Prices, market caps, volumes' },
    { id: 'fred', name: 'FRED', gives: 'Treasury yields, federal funds rate' },
  ],
  plans: { pro: 29.99, premium: 99, trialDays: 7, limits: USUAL_LIMITS },
  analytics: null,
  uptime: { percent: 99.987, windowDays: 30, targetPercent: 99.9 },
  ...change,
});
