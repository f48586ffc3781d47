import { exportsTopic } from '#features/exports/contract/exports.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import type { ExportsContext } from '../context.ts';
import { dismiss } from '../store/exports.ts';
import { removeFiles } from './files.ts';
import { getExport, progressOf } from './read.ts';

const ENDED = 'This export has already finished';

/** Ends one that waits or is being made, in whatever process, and removes the file of one that is done. */
export async function dismissExport(ctx: ExportsContext, caller: Caller, id: string): Promise<{ success: true }> {
  await getExport(ctx, caller, id);
  const row = await ctx.db.transaction().execute(async (tx) => {
    const ended = await dismiss(tx, caller.userId, id, ctx.now());
    if (ended)
      await ctx.live.publishTo(tx, caller.userId, exportsTopic, {
        id,
        state: ended.state,
        progress: progressOf(ended),
      });
    return ended;
  });
  if (!row) throw new AppError('conflict', ENDED);
  // Another process that makes it hears of it at its next beat.
  ctx.making.get(id)?.end('cancelled');
  if (row.state === 'expired') await removeFiles(ctx.config, row);
  return { success: true };
}
