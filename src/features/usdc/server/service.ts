import type { Way } from '#features/billing/server/service.ts';
import { campaign } from '#server/platform/leader.ts';

import type { Network } from '../contract.ts';
import { openBase } from './base-rail.ts';
import { NETWORKS, type UsdcContext, type UsdcDeps } from './context.ts';
import type { Rail } from './rail.ts';
import { watch } from './service/watch.ts';
import { openSolana } from './solana-rail.ts';
import { usdcWay } from './way.ts';

const LOCKS: Record<Network, number> = { base: 7_246_051, solana: 7_246_052 };

export type Usdc = {
  ctx: UsdcContext;
  way: Way;
  /** Watches the chains in the one process that holds their lock. Only workers call it. */
  work: () => void;
  stop: () => Promise<void>;
};

/** Payment by USDC, of one process. `rails` only in tests: networks in place of the real ones. */
export function createUsdc(deps: UsdcDeps, rails: Partial<Record<Network, Rail>> = {}): Usdc {
  const ctx: UsdcContext = {
    ...deps,
    rails: { base: rails.base ?? openBase(deps), solana: rails.solana ?? openSolana(deps) },
  };
  const terms: ReturnType<typeof campaign>[] = [];

  /** What is closed to new payments may still be waited for: only a rail without its keys is not watched. */
  const lead = async (network: Network) => {
    const ending = new AbortController();
    const watching = watch(ctx, network, ending.signal);
    return async () => {
      ending.abort();
      await watching;
    };
  };

  return {
    ctx,
    way: usdcWay(ctx),
    work() {
      for (const network of NETWORKS.filter((each) => ctx.rails[each].closed === null))
        terms.push(
          campaign(deps.direct, LOCKS[network], {
            duty: `payments ${network}`,
            lead: () => lead(network),
            error: (error) => ctx.report('usdc', 'system', 'The watch for payments failed', error),
          }),
        );
    },
    async stop() {
      await Promise.all(terms.map((term) => term.stop()));
    },
  };
}
