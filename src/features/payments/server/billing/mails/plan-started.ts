import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { renderMail } from '#kernel/mail/layout.ts';
import type { MailMessage } from '#kernel/mail/message.ts';
import { dateTime } from '#shared/format.ts';
import type { Units } from '#shared/money.ts';
import { usdOf } from '#shared/money.ts';

import type { PlanMail } from './words.ts';

type Input = PlanMail & { from: Date; until: Date; units: Units; by: 'card' | 'USDC'; at: Date };

/** A purchase was paid: what it was, and from when to when. */
export function planStartedMail({ to, plan, from, until, units, by, at, link }: Input): Promise<MailMessage> {
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
      { label: 'Price', value: `${usdOf(units)} USD, by ${by}` },
      { label: 'From', value: dateTime(from.getTime()) },
      { label: 'Until', value: dateTime(until.getTime()) },
    ],
    action: { label: 'View your plan and receipts', url: link },
    because: 'a plan was purchased for your account.',
  });
}
