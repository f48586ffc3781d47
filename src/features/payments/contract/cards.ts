import { z } from 'zod/mini';

import { paidPlan } from '#features/payments/contract/billing.ts';
import { endpoint } from '#shared/contract.ts';

const months = z._default(z.int().check(z.minimum(1), z.maximum(36)), 1);
const leadsTo = z.object({ success: z.literal(true), url: z.string() });

/**
 * Opens a checkout; the browser is redirected to `url`. The plan starts when the webhook confirms payment. Signed-out
 * callers get an error of their own.
 */
export const subscribeByCard = endpoint({
  method: 'POST',
  path: '/api/subscribe/stripe',
  access: 'public',
  body: z.strictObject({ planId: paidPlan, months }),
  reply: leadsTo,
});

/** The Stripe page for managing card, address and invoices. */
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

/** Revokes a cancellation while the paid period is still running. */
export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/api/subscribe/resume',
  access: 'free',
  reply: z.object({ success: z.literal(true), renewsAt: z.nullable(z.iso.datetime()) }),
});
