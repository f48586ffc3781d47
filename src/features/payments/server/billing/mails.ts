import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/smtp.ts';
import { dateTime } from '#shared/format.ts';
import { type Units, unitsToUsd } from '#shared/money.ts';

import type { PaidPlan } from './plan-periods.ts';

type FailedPayment = PlanMail & {
  units: Units;
  at: Date;
  /** When the card is charged again; null when it is not. */
  nextTry: Date | null;
};

/** The card was declined. `link` leads to where another card can be added. */
export const paymentFailedMail = ({ to, plan, units, at, nextTry, link }: FailedPayment): Promise<MailMessage> =>
  renderMail({
    kind: 'payment-failed',
    to,
    subject: 'Your payment did not go through',
    title: 'Your payment did not go through',
    lines: [
      `Your card was declined for ${PLAN_NAMES[plan]}. Nothing was charged. Check the card or choose another payment method to keep your plan.`,
    ],
    facts: [
      { label: 'Plan', value: PLAN_NAMES[plan] },
      { label: 'Amount', value: `${unitsToUsd(units)} USD` },
      { label: 'Time', value: dateTime(at.getTime()) },
      { label: 'Next attempt', value: nextTry ? dateTime(nextTry.getTime()) : 'None. Please pay manually' },
    ],
    action: { label: 'Update payment', url: link },
    because: 'a payment for your plan did not go through.',
  });

/** Fields shared by every email about a plan. */
export type PlanMail = {
  to: string;
  plan: PaidPlan;
  /** The plans page, or the subscription section of the profile. */
  link: string;
};

/** 'within a day', 'in 6 days' */
export const inDays = (days: number): string => (days <= 1 ? 'within a day' : `in ${days} days`);

export const KEPT =
  'Everything you created is kept. Rules beyond the Free plan are paused, not deleted, and resume when you renew.';

type PlanEnd = PlanMail & { end: Date };

const RENEW = 'Renew before it ends or during the grace period and your plan continues without losing a day.';

export const planEndsMail = ({ to, plan, end, days, link }: PlanEnd & { days: number }): Promise<MailMessage> =>
  renderMail({
    kind: 'plan-ends',
    to,
    subject: `${PLAN_NAMES[plan]} ends ${inDays(days)}`,
    title: `${PLAN_NAMES[plan]} ends ${inDays(days)}`,
    lines: ['Your plan does not renew automatically.', RENEW],
    facts: [
      { label: 'Plan', value: PLAN_NAMES[plan] },
      { label: 'Ends', value: dateTime(end.getTime()) },
    ],
    action: { label: 'Renew', url: link },
    because: 'your plan is about to end.',
  });

export const graceBegunMail = ({ to, plan, end, until, link }: PlanEnd & { until: Date }): Promise<MailMessage> =>
  renderMail({
    kind: 'grace-begun',
    to,
    subject: `${PLAN_NAMES[plan]} has ended (three-day grace period)`,
    title: `${PLAN_NAMES[plan]} has ended (three-day grace period)`,
    lines: ['Your paid period has ended. Your plan stays active during a short grace period.', RENEW],
    facts: [
      { label: 'Ended', value: dateTime(end.getTime()) },
      { label: 'Active until', value: dateTime(until.getTime()) },
    ],
    action: { label: 'Renew', url: link },
    because: 'your plan has ended.',
  });

export const planEndedMail = ({ to, plan, end, link }: PlanEnd): Promise<MailMessage> =>
  renderMail({
    kind: 'plan-ended',
    to,
    subject: `${PLAN_NAMES[plan]} has ended`,
    title: `${PLAN_NAMES[plan]} has ended`,
    lines: ['Your account is now on the Free plan.', KEPT],
    facts: [{ label: 'Ended', value: dateTime(end.getTime()) }],
    action: { label: 'Renew', url: link },
    because: 'your plan has ended.',
  });

type StartedPlan = PlanMail & { from: Date; until: Date; units: Units; by: 'card' | 'USDC'; at: Date };

/** A purchase was paid: plan, start and end. */
export function planStartedMail({ to, plan, from, until, units, by, at, link }: StartedPlan): Promise<MailMessage> {
  const name = PLAN_NAMES[plan];
  const title = from > at ? `${name} is paid for` : `${name} is active`;
  return renderMail({
    kind: 'plan-started',
    to,
    subject: title,
    title,
    lines: [
      from > at
        ? `Thank you. We received your payment. ${name} starts when your current plan ends.`
        : `Thank you. We received your payment. All ${name} features are now available on every device.`,
    ],
    facts: [
      { label: 'Plan', value: name },
      { label: 'Price', value: `${unitsToUsd(units)} USD, by ${by}` },
      { label: 'From', value: dateTime(from.getTime()) },
      { label: 'Until', value: dateTime(until.getTime()) },
    ],
    action: { label: 'View your plan and receipts', url: link },
    because: 'a plan was purchased for your account.',
  });
}
