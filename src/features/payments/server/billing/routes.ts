import type { FastifyInstance } from 'fastify';
import { getBilling, getPricing, getReceipt, getRenewalInfo, startTrial } from '#features/payments/contract/billing.ts';
import { downloadBuffered, route } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';
import type { BillingContext } from './context.ts';
import * as billing from './service/billing.ts';
import { readPricing, readRenewalInfo } from './service/pricing.ts';
import * as trial from './service/trial.ts';

export function billingRoutes(app: FastifyInstance, ctx: BillingContext): void {
  route(app, getPricing, () => readPricing(ctx));
  route(app, getRenewalInfo, ({ caller }) => readRenewalInfo(ctx, caller));
  route(app, startTrial, ({ caller }) => trial.startTrial(ctx, caller));
  route(app, getBilling, ({ caller }) => billing.readBilling(ctx, caller));
  downloadBuffered(app, getReceipt, async ({ caller, params }) => {
    const { number, bytes } = await billing.drawReceipt(ctx, caller, params.id);
    const fileName = `${BRAND.name.toLowerCase()}-receipt-${number.replaceAll(/[^\w-]/g, '-')}.pdf`;
    return { type: 'application/pdf', fileName, bytes };
  });
}
