import type { Market } from '#features/market/server/service.ts';
import type { Metrics } from '#features/metrics/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import type { DataMode } from '#shared/provenance.ts';

export type HistoryContext = { db: Db; market: Market; metrics: Metrics; mode: DataMode; now: () => Date };
