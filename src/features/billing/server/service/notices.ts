import { standingOf } from '#features/subscriptions/server/service.ts';
import type { MailMessage } from '#server/platform/mail/message.ts';

import type { BillingContext } from '../context.ts';
import { graceBegunMail, planEndedMail, planEndsMail } from '../mails/plan-ends.ts';
import { trialEndedMail, trialEndsMail } from '../mails/trial.ts';
import { AHEAD_DAYS, NEWS_DAYS, type Notice, noticeDue } from '../notices.ts';
import { GRACE_MS } from '../plan-periods.ts';
import { lockBilling } from '../store/grants.ts';
import { findEnding, insertNotice } from '../store/notices.ts';
import { findAddress } from '../store/people.ts';
import { periodsOfUser } from './grants.ts';

const DAY_MS = 86_400_000;

/** Tells by mail of plans that are about to end or have ended, each of them once. How many mails were written. */
export async function giveNotices(ctx: BillingContext, signal?: AbortSignal): Promise<number> {
  const now = ctx.now().getTime();
  const from = new Date(now - NEWS_DAYS * DAY_MS - GRACE_MS);
  const people = await findEnding(ctx.db, from, new Date(now + AHEAD_DAYS * DAY_MS));
  let given = 0;
  for (const userId of people) {
    if (signal?.aborted) break;
    try {
      if (await giveNotice(ctx, userId)) given += 1;
    } catch (error) {
      ctx.report('billing', 'system', 'A notice about a plan failed', error);
    }
  }
  return given;
}

async function giveNotice(ctx: BillingContext, userId: number): Promise<boolean> {
  const card = await ctx.cardOf(userId);
  return ctx.db.transaction().execute(async (tx) => {
    await lockBilling(tx, userId);
    const now = ctx.now();
    const [periods, standing] = [await periodsOfUser(tx, userId), await standingOf(tx, userId, now)];
    const notice = noticeDue({ periods, standing, card, now });
    const to = await findAddress(tx, userId);
    if (!notice || to === undefined) return false;
    const key = `${notice.kind}:${userId}:${notice.end.toISOString()}`;
    if (!(await insertNotice(tx, { key, userId, kind: notice.kind, at: now }))) return false;
    await ctx.mail.post(tx, await MAILS[notice.kind]({ ...notice, to, link: `${ctx.publicUrl()}/app/subscription` }));
    return true;
  });
}

type Write = (notice: Notice & { to: string; link: string }) => Promise<MailMessage>;

const MAILS: Record<Notice['kind'], Write> = {
  'trial-ends': trialEndsMail,
  'trial-ended': trialEndedMail,
  'plan-ends': planEndsMail,
  'plan-ends-soon': planEndsMail,
  'grace-begun': (notice) => graceBegunMail({ ...notice, until: new Date(notice.end.getTime() + GRACE_MS) }),
  'plan-ended': planEndedMail,
};
