import { newsMail, recipientsOf, refusalOf } from '#features/email/server/service.ts';
import { findPreferences } from '#features/notifications/server/service.ts';

import type { ApiKeysContext } from './context.ts';
import { limitReachedMail } from './mails/limit-reached.ts';
import { markTold, type Settled } from './store/days.ts';

/** In percent of the limit, highest first. */
const TOLD_AT = [100, 80] as const;

/** What has to be told of a day; null when nothing has, or it was. */
export function newsOf({ spent, told }: Pick<Settled, 'spent' | 'told'>, limit: number | null): number | null {
  if (limit === null) return null;
  const reached = TOLD_AT.find((percent) => spent * 100 >= limit * percent);
  return reached !== undefined && reached > told ? reached : null;
}

/** Mails that a limit is near or reached, once whoever settles, where a mail is wanted and can arrive. */
export async function tellLimit(
  ctx: ApiKeysContext,
  { userId, day, spent }: Settled,
  percent: number,
  limit: number,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await markTold(tx, userId, day, percent))) return;
    const to = (await recipientsOf(ctx, tx, [userId])).get(userId);
    if (!to || refusalOf(ctx, to)) return;
    if (!(await findPreferences(tx, userId)).emailNotifications) return;
    const given = { userId, to: to.email, percent, spent, limit, day, publicUrl: ctx.publicUrl() };
    await ctx.mail.post(tx, await newsMail(ctx, limitReachedMail(given)));
  });
}
