import type { Market } from '#features/market/server/service.ts';
import type { Metrics } from '#features/metrics/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import type { Reads } from '#server/platform/reads/reads.ts';
import type { DataMode } from '#shared/provenance.ts';

/** `db` is where the past is read from. */
export type HistoryContext = { db: Db; market: Market; metrics: Metrics; mode: DataMode; now: () => Date };
export type HistoryDeps = HistoryContext & { reads: Reads };
