import type { Market } from '#features/market/server/market/service.ts';
import type { Metrics } from '#features/market/server/metrics/service.ts';
import type { Db } from '#kernel/db.ts';
import type { Reads } from '#kernel/reads/reads.ts';
import type { DataMode } from '#shared/provenance.ts';

/** `db` is the database that history is read from. */
export type HistoryContext = { db: Db; market: Market; metrics: Metrics; mode: DataMode; now: () => Date };
export type HistoryDeps = HistoryContext & { reads: Reads };
