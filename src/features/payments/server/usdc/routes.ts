import type { FastifyInstance } from 'fastify';
import { z } from 'zod/mini';

import { toOrigin } from '#features/accounts/server/auth/service.ts';
import {
  claimTransfer,
  getBlockhash,
  getClaimMessage,
  getPayment,
  payByWallet,
  renewByWallet,
} from '#features/payments/contract/usdc.ts';
import { AppError } from '#kernel/errors.ts';
import { route } from '#kernel/route.ts';

import { claim, messageFor } from './claims.ts';
import type { UsdcContext } from './context.ts';
import { openPayment, toPayment } from './service/open.ts';
import type { Usdc } from './service.ts';
import { withNode } from './solana/node.ts';
import { findDepositsByPayment } from './store/deposits.ts';
import { findPayment } from './store/payments.ts';

const latest = z.object({ value: z.object({ blockhash: z.string(), lastValidBlockHeight: z.int() }) });

type Lifetime = { blockhash: string; lastValidBlockHeight: string };

/** A blockhash is valid for about a minute, so one a few seconds old can be shared by all callers. */
const FRESH_MS = 5_000;

/** Returns the newest block a transaction can use; throws when no node of the network responds. */
function lifetimes({ config, now }: Pick<UsdcContext, 'config' | 'now'>): () => Promise<Lifetime> {
  let cachedLifetime: { atMs: number; lifetime: Promise<Lifetime> } | undefined;
  return () => {
    const atMs = now().getTime();
    if (cachedLifetime && atMs - cachedLifetime.atMs < FRESH_MS) return cachedLifetime.lifetime;
    const lifetime = withNode(config.PAY_SOLANA_RPC_URLS, AbortSignal.timeout(15_000), async (node) => {
      const { value } = await node.call('getLatestBlockhash', [{ commitment: 'confirmed' }], latest);
      return { blockhash: value.blockhash, lastValidBlockHeight: String(value.lastValidBlockHeight) };
    });
    const entry = { atMs, lifetime };
    cachedLifetime = entry;
    lifetime.catch(() => {
      if (cachedLifetime === entry) cachedLifetime = undefined;
    });
    return lifetime;
  };
}

/** Network data for browser wallets, which have no node of their own to query. */
function walletRoutes(app: FastifyInstance, ctx: UsdcContext): void {
  const lifetimeNow = lifetimes(ctx);
  route(app, getBlockhash, async () => {
    const { closed } = ctx.rails.solana;
    if (closed !== null) throw new AppError('unavailable', closed);
    try {
      return await lifetimeNow();
    } catch (error) {
      throw new AppError('unavailable', 'Solana is not responding. Please try again.', { cause: error });
    }
  });
}

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
    return toPayment(ctx, payment, await findDepositsByPayment(ctx.db, [payment.id]));
  });
  route(app, claimTransfer, ({ caller, body, from }) => claim(ctx, caller.userId, body, toOrigin(from)));
  route(app, getClaimMessage, ({ caller, query }) => ({ message: messageFor(ctx, caller.userId, query.tx) }));
}
