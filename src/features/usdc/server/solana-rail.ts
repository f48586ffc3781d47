import type { UsdcDeps } from './context.ts';
import type { Rail } from './rail.ts';

/** USDC on Solana. */
export function openSolana(_deps: UsdcDeps): Rail {
  return null as unknown as Rail;
}
