import { newsMail, recipientsOf, refusalOf } from '#features/email/server/service.ts';
import { findPreferences } from '#features/notifications/server/service.ts';
import type { Db } from '#server/platform/db.ts';

import type { ExportsContext } from '../context.ts';
import { failedMail, madeMail } from '../mails/scheduled.ts';
import type { EndedRun } from '../store/runs.ts';

/** Mails that a file was made or could not be made, where a mail is wanted and can arrive; in the transaction that settles the run. */
export async function tellOfRun(ctx: ExportsContext, tx: Db, run: EndedRun): Promise<void> {
  const isNews = run.state === 'done' || run.state === 'failed';
  if (!isNews || !run.isWanted || run.isCancelled) return;
  const to = (await recipientsOf(ctx, tx, [run.userId])).get(run.userId);
  if (!to || refusalOf(ctx, to)) return;
  if (!(await findPreferences(tx, run.userId)).emailNotifications) return;
  const given = { run, to: to.email, publicUrl: ctx.publicUrl() };
  await ctx.mail.post(tx, await newsMail(ctx, run.state === 'done' ? madeMail(given) : failedMail(given)));
}
