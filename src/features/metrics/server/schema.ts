import type { JSONColumnType } from 'kysely';

import type { Detail } from './types.ts';

interface MetricObservationsTable {
  metric: string;
  source: string;
  observed_at: string;
  value: number;
  detail: JSONColumnType<Detail> | null;
  fetched_at: string;
  method: string;
}

interface MetricBackfillsTable {
  source: string;
  state: string;
  note: string | null;
  through: string;
}

declare module '#server/platform/db.ts' {
  interface Tables {
    metric_observations: MetricObservationsTable;
    metric_backfills: MetricBackfillsTable;
  }
}
