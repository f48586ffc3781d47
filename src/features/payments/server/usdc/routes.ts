import type { FastifyInstance } from 'fastify';

import { originOf } from '#features/accounts/server/auth/service.ts';
import {
  claimTransfer,
  getClaimMessage,
  getPayment,
  payByWallet,
  renewByWallet,
} from '#features/payments/contract/usdc.ts';
import { AppError } from '#kernel/errors.ts';
import { route } from '#kernel/route.ts';
import { claim, messageFor } from './claims.ts';
import { openPayment, viewOf } from './service/open.ts';
import type { Usdc } from './service.ts';
import { depositsOfPayments } from './store/deposits.ts';
import { findPayment } from './store/payments.ts';
import { walletRoutes } from './wallet-routes.ts';

export function usdcRoutes(app: FastifyInstance, { ctx }: Usdc): void {
  walletRoutes(app, ctx);
  const open = (
    userId: number,
    { planId, network, months }: { planId: 'pro' | 'premium'; network: 'base' | 'solana'; months: number },
    isRenewal: boolean,
  ) => openPayment(ctx, { userId, plan: planId, network, months }, isRenewal);
  route(app, payByWallet, ({ caller, body }) => open(caller.userId, body, false));
  route(app, renewByWallet, ({ caller, body }) => open(caller.userId, body, true));
  route(app, getPayment, async ({ caller, params }) => {
    const payment = await findPayment(ctx.db, params.id, caller.userId);
    if (!payment) throw new AppError('not_found', 'Payment not found');
    return viewOf(ctx, payment, await depositsOfPayments(ctx.db, [payment.id]));
  });
  route(app, claimTransfer, ({ caller, body, from }) => claim(ctx, caller.userId, body, originOf(from)));
  route(app, getClaimMessage, ({ caller, query }) => ({ message: messageFor(ctx, caller.userId, query.tx) }));
}
