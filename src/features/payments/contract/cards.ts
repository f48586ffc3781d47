import { z } from 'zod/mini';

import { paidPlan } from '#features/payments/contract/billing.ts';
import { endpoint } from '#shared/contract.ts';

const months = z._default(z.int().check(z.minimum(1), z.maximum(36)), 1);
const leadsTo = z.object({ success: z.literal(true), url: z.string() });

/** Opens a checkout; the browser goes to `url`. The plan begins when the webhook says that it was paid. Who is not signed in is told in its own words. */
export const subscribeByCard = endpoint({
  method: 'POST',
  path: '/api/subscribe/stripe',
  access: 'public',
  body: z.strictObject({ planId: paidPlan, months }),
  reply: leadsTo,
});

/** The page on which the card, the address and the invoices are managed. */
export const openPortal = endpoint({
  method: 'POST',
  path: '/api/subscribe/portal',
  access: 'free',
  reply: leadsTo,
});

/** Takes effect at the end of the paid period. */
export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/api/subscribe/cancel',
  access: 'free',
  reply: z.object({ success: z.literal(true), endsAt: z.nullable(z.iso.datetime()) }),
});

/** Takes a cancellation back while the period runs. */
export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/api/subscribe/resume',
  access: 'free',
  reply: z.object({ success: z.literal(true), renewsAt: z.nullable(z.iso.datetime()) }),
});
