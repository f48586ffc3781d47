import { randomUUID } from 'node:crypto';
import type { z } from 'zod/mini';
import { exportsPerDay } from '#features/accounts/server/subscriptions/service.ts';
import type { createExport, ExportType } from '#features/exports/contract/exports.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { type Caller, hasAccess } from '#kernel/route.ts';

import type { ExportsContext } from '../context.ts';
import { addExport, claim, type ExportRow, lockUser, type NewExport, readLoad } from '../store/exports.ts';
import { NEEDS_PREMIUM } from '../words.ts';
import { listTables, toScope } from './order.ts';
import { resolveRange } from './range.ts';
import { dayBounds } from './read.ts';

export type Asked = z.output<typeof createExport.body>;

/** Concurrent exports per user. Further ones wait for a worker. */
export const MAX_CONCURRENT = 2;
const WAITING = 10;
/** Failed or cancelled exports per day. */
const WASTED_PER_DAY = 20;
const HOUR_MS = 3_600_000;
const PREMIUM_TYPES: ReadonlySet<ExportType> = new Set(['alerts', 'backtest_results']);
const PREMIUM_FORMATS: ReadonlySet<string> = new Set(['pdf', 'xml']);

/** Builds the request from the body, which determines whether it is for the basic or the advanced page. */
function toNewExport(asked: Asked, caller: Caller, now: Date, basic: boolean): NewExport {
  const types = asked.dataTypes ?? (asked.dataType === undefined ? [] : [asked.dataType]);
  const advanced =
    !basic ||
    PREMIUM_FORMATS.has(asked.format) ||
    asked.dateRange === 'custom' ||
    types.some((type) => PREMIUM_TYPES.has(type));
  if (advanced && !hasAccess('premium', caller)) throw new AppError('upgrade_required', NEEDS_PREMIUM);
  const { from, to } = resolveRange(asked, now);
  return {
    id: randomUUID(),
    user_id: caller.userId,
    basic,
    data_types: [...new Set(types)],
    date_range: asked.dateRange,
    range_from: from?.toISOString() ?? null,
    range_to: to.toISOString(),
    format: asked.format,
    include_metadata: asked.includeMetadata ?? true,
    compression: asked.compression ?? false,
    state: 'waiting',
    created_at: now.toISOString(),
  };
}

/** Estimated rows, counted only far enough to tell a large export from a small one. */
async function expect(ctx: ExportsContext, row: NewExport): Promise<number> {
  const described = row as unknown as ExportRow;
  const scope = toScope(described, ctx.mode);
  const counted = async (db: Db) => {
    let rows = 0;
    for (const { count } of listTables(described, ctx.mode, ctx.config.MINUTE_CANDLE_DAYS))
      rows += await count(db, scope, ctx.config.EXPORT_ROWS_AT_ONCE + 1);
    return rows;
  };
  return ctx.reads.answer(counted, { fresh: true });
}

/** 'in 5 hours', 'in 1 hour', 'in 12 minutes'. */
function inWords(ms: number): string {
  const [n, unit] =
    ms >= HOUR_MS ? [Math.round(ms / HOUR_MS), 'hour'] : [Math.max(1, Math.ceil(ms / 60_000)), 'minute'];
  return `in ${n} ${unit}${n === 1 ? '' : 's'}`;
}

/**
 * Inserts an export within the limits of the plan. `claimed`: it is small and this process writes it now; otherwise it
 * waits for a worker. Refusals are expected errors, each with a sentence.
 */
export async function addRequested(
  ctx: ExportsContext,
  caller: Caller,
  asked: Asked,
): Promise<{ row: ExportRow; claimed: boolean }> {
  const { dataType, dataTypes } = asked;
  if (dataType !== undefined && dataTypes !== undefined)
    throw new AppError('bad_request', 'Send either dataType or dataTypes, not both');
  if (dataType === undefined && dataTypes === undefined)
    throw new AppError('bad_request', 'Choose at least one data type');
  const now = ctx.now();
  const request = toNewExport(asked, caller, now, dataType !== undefined);
  const rows = await expect(ctx, request);
  if (rows === 0)
    throw new AppError('bad_request', 'No data of this type in this range. Choose a longer or later range.');
  const { start, end } = dayBounds(now);
  const perDay = exportsPerDay(ctx.config, caller.plan);
  return ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, caller.userId);
    const load = await readLoad(tx, caller.userId, start);
    if (perDay !== null && load.today >= perDay) {
      const left = end.getTime() - now.getTime();
      throw new AppError(
        'rate_limited',
        `You have used all ${load.today} exports in your plan for today. The quota resets at 00:00 UTC, ${inWords(left)}.`,
        { retryAfterSeconds: Math.ceil(left / 1000) },
      );
    }
    // They do not count towards the quota, but they still cost work.
    if (load.wasted >= WASTED_PER_DAY) {
      const left = end.getTime() - now.getTime();
      throw new AppError(
        'rate_limited',
        `${load.wasted} of your exports were canceled or failed today. You can export again from 00:00 UTC, ${inWords(left)}.`,
        { retryAfterSeconds: Math.ceil(left / 1000) },
      );
    }
    if (load.waiting >= WAITING)
      throw new AppError(
        'rate_limited',
        `You already have ${load.waiting} exports in the queue. Wait for some to finish.`,
        {
          retryAfterSeconds: 60,
        },
      );
    await addExport(tx, { ...request, rows_expected: rows });
    const claimed = rows <= ctx.config.EXPORT_ROWS_AT_ONCE && load.running < MAX_CONCURRENT;
    return { row: await claim(tx, request.id, claimed ? now : null), claimed };
  });
}
