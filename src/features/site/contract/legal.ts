import { z } from 'zod/mini';

import { paidLimits } from '#features/payments/contract/billing.ts';
import { endpoint } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';

/** Effective date of the current legal texts. */
export const IN_FORCE_SINCE = '2026-11-27';

/** Collection schedule in words, from the running configuration. Times are UTC. */
export const schedule = z.object({
  /** Maximum time until an open page gets a new price. */
  prices: z.string(),
  listing: z.string(),
  /** Full collection with analysis: one line per rule, such as 'Weekdays 9-17 UTC' and 'hourly'. */
  full: z.array(z.object({ when: z.string(), rhythm: z.string() })),
  slow: z.string(),
});
export type Schedule = z.infer<typeof schedule>;

/** Facts about the running instance for the About text. */
export const about = z.object({
  dataMode,
  schedule,
  counts: z.object({ coins: z.int(), sources: z.int() }),
  sources: z.array(z.object({ id: z.string(), name: z.string(), gives: z.string() })),
  /**
   * Prices of this installation in US dollars per month before discounts; no trial when its days are 0. Also the daily
   * limits.
   */
  plans: z.object({
    pro: z.number(),
    premium: z.number(),
    trialDays: z.int(),
    limits: paidLimits,
  }),
  /** Host of the analytics script on the public pages; null without one. */
  analytics: z.nullable(z.string()),
  /** Percent over the window; null until enough is measured. */
  uptime: z.object({ percent: z.nullable(z.number()), windowDays: z.number(), targetPercent: z.number() }),
});
export type About = z.infer<typeof about>;

export const getAbout = endpoint({ method: 'GET', path: '/api/about', access: 'public', reply: about });
