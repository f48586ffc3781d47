import { randomUUID } from 'node:crypto';

import type { ExportFormat, ExportRange, ExportType } from '#features/exports/contract.ts';
import type { Db } from '#server/platform/db.ts';

import type { ExportsContext } from '../context.ts';
import { addExport } from '../store/exports.ts';
import { rangeOf } from './range.ts';

export type ScheduledRequest = {
  userId: number;
  scheduleId: number;
  /** The moment of the schedule it is made for. */
  scheduledFor: Date;
  dataTypes: ExportType[];
  dateRange: Exclude<ExportRange, 'custom'>;
  format: ExportFormat;
  includeMetadata: boolean;
  compression: boolean;
};

/**
 * Writes an export of a schedule, which a worker then makes; its id, or null when that moment of the schedule has its export already.
 * Whoever calls it wakes the workers by `ctx.wake` after the commit, or they find it within a minute.
 */
export async function enqueueExport(ctx: ExportsContext, tx: Db, request: ScheduledRequest): Promise<string | null> {
  const at = ctx.now();
  const { from, to } = rangeOf({ dateRange: request.dateRange }, at);
  return addExport(tx, {
    id: randomUUID(),
    user_id: request.userId,
    schedule_id: request.scheduleId,
    scheduled_for: request.scheduledFor.toISOString(),
    basic: false,
    data_types: request.dataTypes,
    date_range: request.dateRange,
    range_from: from?.toISOString() ?? null,
    range_to: to.toISOString(),
    format: request.format,
    include_metadata: request.includeMetadata,
    compression: request.compression,
    state: 'waiting',
    created_at: at.toISOString(),
  });
}
