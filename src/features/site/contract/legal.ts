import { z } from 'zod/mini';

import { paidLimits } from '#features/payments/contract/billing.ts';
import { endpoint } from '#shared/contract.ts';
import { dataMode } from '#shared/provenance.ts';

/** The day from which the present wording of the legal texts counts. */
export const IN_FORCE_SINCE = '2026-11-27';

/** When data are collected, in words made from the running configuration. Times are UTC. */
export const schedule = z.object({
  /** How long an open page waits for a new price at most. */
  prices: z.string(),
  listing: z.string(),
  /** Full collection with analysis: one line per rule, such as 'Weekdays 9-17 UTC' and 'hourly'. */
  full: z.array(z.object({ when: z.string(), rhythm: z.string() })),
  slow: z.string(),
});
export type Schedule = z.infer<typeof schedule>;

/** What the About text says of the running instance. */
export const about = z.object({
  dataMode,
  schedule,
  counts: z.object({ coins: z.int(), sources: z.int() }),
  sources: z.array(z.object({ id: z.string(), name: z.string(), gives: z.string() })),
  /**
   * What this installation charges: US dollars a month before any discount; no trial where its days are 0. And what it
   * allows in a day.
   */
  plans: z.object({
    pro: z.number(),
    premium: z.number(),
    trialDays: z.int(),
    limits: paidLimits,
  }),
  /** Host of the page statistics that the public pages load; null where there are none. */
  analytics: z.nullable(z.string()),
  /** Percent over the window; null until enough is measured. */
  uptime: z.object({ percent: z.nullable(z.number()), windowDays: z.number(), targetPercent: z.number() }),
});
export type About = z.infer<typeof about>;

export const getAbout = endpoint({ method: 'GET', path: '/api/about', access: 'public', reply: about });
