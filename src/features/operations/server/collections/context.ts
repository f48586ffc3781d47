import type { Analysis } from '#features/analysis/server/analysis/service.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import type { Log } from '#kernel/log.ts';
import type { Reads } from '#kernel/reads/reads.ts';

export type CollectionsContext = {
  db: Db;
  reads: Reads;
  now: () => Date;
  analysis: Pick<Analysis, 'before'>;
  report: ReportError;
  log: Log;
};
