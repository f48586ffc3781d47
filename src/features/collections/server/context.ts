import type { Analysis } from '#features/analysis/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import type { ReportError } from '#server/platform/error-reports.ts';
import type { Log } from '#server/platform/log.ts';
import type { Reads } from '#server/platform/reads/reads.ts';

export type CollectionsContext = {
  db: Db;
  reads: Reads;
  now: () => Date;
  analysis: Pick<Analysis, 'before'>;
  report: ReportError;
  log: Log;
};
