import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';
import type { Units } from '#shared/money.ts';
import { usdOf } from '#shared/money.ts';

import type { PlanMail } from './words.ts';

type Input = PlanMail & {
  units: Units;
  at: Date;
  /** When the card is asked again; null when it is not. */
  nextTry: Date | null;
};

/** The card was declined. `link` leads to where another one can be named. */
export const paymentFailedMail = ({ to, plan, units, at, nextTry, link }: Input): Promise<MailMessage> =>
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
      { label: 'Amount', value: `${usdOf(units)} USD` },
      { label: 'Time', value: dateTime(at.getTime()) },
      { label: 'Next attempt', value: nextTry ? dateTime(nextTry.getTime()) : 'None. Please pay manually' },
    ],
    action: { label: 'Update payment', url: link },
    because: 'a payment for your plan did not go through.',
  });
