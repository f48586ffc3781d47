import type { CryptoPrice } from '#features/market/contract.ts';
import type { Snapshot } from '#features/metrics/server/service.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { TrendingNarratives } from '../contract.ts';

type Deps = { prices: readonly CryptoPrice[]; snapshot: Snapshot; mode: DataMode };

/** The narratives as they were known at the snapshot's moment, most relevant first. */
export function composeNarratives({ snapshot }: Deps): TrendingNarratives {
  return { timestamp: snapshot.at.toISOString(), narratives: [] };
}
