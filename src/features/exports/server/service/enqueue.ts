import { randomUUID } from 'node:crypto';

import type { ExportFormat, ExportRange, ExportType } from '#features/exports/contract.ts';
import type { Db } from '#server/platform/db.ts';

import type { ExportsContext } from '../context.ts';

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

export async function enqueueExport(ctx: ExportsContext, tx: Db, request: ScheduledRequest): Promise<string | null> {
  const at = ctx.now();
  const row = await tx
    .insertInto('exports')
    .values({
      id: randomUUID(),
      user_id: request.userId,
      schedule_id: request.scheduleId,
      scheduled_for: request.scheduledFor.toISOString(),
      data_types: request.dataTypes,
      date_range: request.dateRange,
      range_from: null,
      range_to: at.toISOString(),
      format: request.format,
      include_metadata: request.includeMetadata,
      compression: request.compression,
      state: 'waiting',
      created_at: at.toISOString(),
    })
    .onConflict((oc) => oc.columns(['schedule_id', 'scheduled_for']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}
