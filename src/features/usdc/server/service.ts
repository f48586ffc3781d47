import type { Way } from '#features/billing/server/service.ts';

import { openBase } from './base-rail.ts';
import type { UsdcContext, UsdcDeps } from './context.ts';
import { openSolana } from './solana-rail.ts';

export type Usdc = {
  ctx: UsdcContext;
  way: Way;
  /** Watches the chains in the one process that holds their lock. Only workers call it. */
  work: () => void;
  stop: () => Promise<void>;
};

/** Payment by USDC, of one process. */
export function createUsdc(deps: UsdcDeps): Usdc {
  const ctx: UsdcContext = {
    ...deps,
    rails: { base: openBase(deps), solana: openSolana(deps) },
  };
  return {
    ctx,
    way: { methods: () => ({}), entriesOf: async () => [], findReceipt: async () => undefined },
    work() {},
    async stop() {},
  };
}
