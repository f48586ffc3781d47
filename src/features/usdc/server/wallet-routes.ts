import type { FastifyInstance } from 'fastify';

import { AppError } from '#server/platform/errors.ts';
import { route } from '#server/platform/route.ts';

import { getBlockhash } from '../contract.ts';
import type { UsdcContext } from './context.ts';
import { lifetimes } from './solana/blockhash.ts';

/** What wallets of the browser need of a network; they have no node of their own to ask. */
export function walletRoutes(app: FastifyInstance, ctx: UsdcContext): void {
  const lifetimeNow = lifetimes(ctx);
  route(app, getBlockhash, async () => {
    const { closed } = ctx.rails.solana;
    if (closed !== null) throw new AppError('unavailable', closed);
    try {
      return await lifetimeNow();
    } catch (error) {
      throw new AppError('unavailable', 'Solana does not answer at the moment. Please try again.', { cause: error });
    }
  });
}
