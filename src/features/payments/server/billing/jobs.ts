import { type PlanStatus, readPlanStatus } from '#features/accounts/server/subscriptions/service.ts';
import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/smtp.ts';
import { defineJob, type Job, noPayload } from '#kernel/scheduler.ts';
import { dateTime } from '#shared/format.ts';

import type { BillingContext } from './context.ts';
import { graceBegunMail, inDays, KEPT, type PlanMail, planEndedMail, planEndsMail } from './mails.ts';
import { GRACE_MS, type PaidPlan, type Period } from './plan-periods.ts';
import type { CardStanding } from './prices.ts';
import { readPeriods } from './service/grants.ts';
import { findAddress, findEnding, insertNotice, lockBilling } from './store.ts';

const DAY_MS = 86_400_000;
/** Plans that ended earlier than this get no notice. */
const NEWS_DAYS = 7;
/** First notice before the end. */
const AHEAD_DAYS = 7;
const LAST_DAYS = 1;
const TRIAL_DAYS = 2;

type Notice = {
  kind: 'trial-ends' | 'trial-ended' | 'plan-ends' | 'plan-ends-soon' | 'grace-begun' | 'plan-ended';
  plan: PaidPlan;
  end: Date;
  /** Days left, rounded up; 0 after the end. */
  days: number;
};

type Known = { periods: readonly Period[]; standing: PlanStatus; card: CardStanding | null; now: Date };

/**
 * The notice to send now about the end of the last plan; null when none applies: the card renews it, another plan
 * follows, or a plan set by an administrator continues. The card is charged some time after the end; until then it
 * counts as renewing.
 */
export function noticeDue({ periods, standing, card, now }: Known): Notice | null {
  const counting = periods.filter(({ start, cut }) => cut > start);
  const last = counting.toSorted((a, b) => b.cut - a.cut)[0];
  if (!last) return null;
  const left = last.cut - now.getTime();
  const renews = card !== null && !card.cancelled && !card.pastDue;
  if (renews || isExtended(standing, last.cut)) return null;
  const notice = { plan: last.plan, end: new Date(last.cut), days: Math.max(0, Math.ceil(left / DAY_MS)) };
  const kind = left > 0 ? kindBefore(last, left) : kindAfter(last, -left, standing);
  return kind && { kind, ...notice };
}

/** An administrator has granted a plan that outlasts the purchase. */
function isExtended({ plan, status, currentPeriodEnd }: PlanStatus, end: number): boolean {
  if (plan === 'free' || status === 'grace') return false;
  return currentPeriodEnd === null || currentPeriodEnd.getTime() > end;
}

const isTrial = ({ source }: Period) => source.startsWith('trial:');

function kindBefore(last: Period, left: number): Notice['kind'] | null {
  if (isTrial(last)) return left <= TRIAL_DAYS * DAY_MS ? 'trial-ends' : null;
  if (left <= LAST_DAYS * DAY_MS) return 'plan-ends-soon';
  return left <= AHEAD_DAYS * DAY_MS ? 'plan-ends' : null;
}

function kindAfter(last: Period, ago: number, { plan, status }: PlanStatus): Notice['kind'] | null {
  if (status === 'grace') return 'grace-begun';
  if (plan !== 'free' || ago > NEWS_DAYS * DAY_MS + GRACE_MS) return null;
  return isTrial(last) ? 'trial-ended' : 'plan-ended';
}

type Input = PlanMail & { end: Date; days: number };

export const trialEndsMail = ({ to, end, days, link }: Input): Promise<MailMessage> =>
  renderMail({
    kind: 'trial-ends',
    to,
    subject: `Your Pro trial ends ${inDays(days)}`,
    title: `Your Pro trial ends ${inDays(days)}`,
    lines: [
      'Your account then returns to the Free plan automatically: nothing is charged and there is nothing to cancel.',
      KEPT,
    ],
    facts: [{ label: 'Ends', value: dateTime(end.getTime()) }],
    action: { label: 'Keep Pro', url: link },
    because: 'your trial is about to end.',
  });

export const trialEndedMail = ({ to, end, link }: PlanMail & { end: Date }): Promise<MailMessage> =>
  renderMail({
    kind: 'trial-ended',
    to,
    subject: 'Your Pro trial has ended',
    title: 'Your Pro trial has ended',
    lines: ['Your account is back on the Free plan and nothing was charged.', KEPT],
    facts: [{ label: 'Ended', value: dateTime(end.getTime()) }],
    action: { label: 'Compare plans', url: link },
    because: 'your trial has ended.',
  });

/** Emails users whose plan is about to end or has ended, once per notice. Returns how many emails were written. */
async function sendNotices(ctx: BillingContext, signal?: AbortSignal): Promise<number> {
  const now = ctx.now().getTime();
  const from = new Date(now - NEWS_DAYS * DAY_MS - GRACE_MS);
  const people = await findEnding(ctx.db, from, new Date(now + AHEAD_DAYS * DAY_MS));
  let given = 0;
  for (const userId of people) {
    if (signal?.aborted) break;
    try {
      if (await sendNotice(ctx, userId)) given += 1;
    } catch (error) {
      ctx.report('billing', 'system', 'Failed to send a plan notice', error);
    }
  }
  return given;
}

async function sendNotice(ctx: BillingContext, userId: number): Promise<boolean> {
  const card = await ctx.cardOf(userId);
  return ctx.db.transaction().execute(async (tx) => {
    await lockBilling(tx, userId);
    const now = ctx.now();
    const [periods, standing] = [await readPeriods(tx, userId), await readPlanStatus(tx, userId, now)];
    const notice = noticeDue({ periods, standing, card, now });
    const to = await findAddress(tx, userId);
    if (!notice || to === undefined) return false;
    const key = `${notice.kind}:${userId}:${notice.end.toISOString()}`;
    if (!(await insertNotice(tx, { key, userId, kind: notice.kind, at: now }))) return false;
    await ctx.mail.enqueue(
      tx,
      await MAILS[notice.kind]({ ...notice, to, link: `${ctx.publicUrl()}/app/subscription` }),
    );
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

export const billingJobs = (ctx: BillingContext): Job[] => [
  defineJob({
    name: 'billing.notices',
    about: 'Emails users whose plan or trial is ending or has ended',
    schedule: ['7 * * * *'],
    exclusive: true,
    payload: noPayload,
    run: async (_, signal) => void (await sendNotices(ctx, signal)),
  }),
];
