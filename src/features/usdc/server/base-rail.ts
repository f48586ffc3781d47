import type { UsdcDeps } from './context.ts';
import type { Rail } from './rail.ts';

/** USDC on Base. */
export function openBase(_deps: UsdcDeps): Rail {
  return null as unknown as Rail;
}
