import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import type { Network } from '#features/payments/contract/usdc.ts';
import type { CardReader } from '#features/payments/server/billing/service.ts';
import type { Connection } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Rail } from './rail.ts';

export type UsdcContext = AuthContext & {
  live: Live;
  rails: Record<Network, Rail>;
  cardOf: CardReader;
  /** Runs once a plan has been bought, to end a card subscription that would be charged as well. Never fails. */
  bought: (userId: number) => Promise<void>;
};

export type UsdcDeps = Omit<UsdcContext, 'rails'> & { direct: Connection };

export const NETWORKS = ['base', 'solana'] as const satisfies readonly Network[];
