import type { Pricing } from '#features/payments/contract/billing.ts';

import { type PaidLimits, perDay } from '#shared/day-limits.ts';

/** Answer text; `[words](/address)` is a link. */
export type Question = readonly [question: string, answer: string];

/** `limits` are absent while unknown; the answers then leave them out. */
type Charged = Pick<Pricing, 'trialDays' | 'graceDays' | 'terms'> & { limits?: PaidLimits | undefined };

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);
const monthsText = (months: number): string => (months === 1 ? '1 month' : `${months} months`);

function prepaid({ terms }: Charged): string {
  const several = terms.filter(({ months }) => months > 1);
  if (several.length === 0) return 'Currently plans are paid one month at a time.';
  const list = several.map(({ months, discount }) =>
    discount > 0 ? `${monthsText(months)} (${Math.round(discount * 100)}% less)` : monthsText(months),
  );
  return `Yes: ${list.join(', ')}, by card or in USDC. Your plan ends on the same day of the month, or on the last day of a shorter month.`;
}

const onPaying = (charged: Charged): Question[] => [
  [
    'Is there a free trial?',
    charged.trialDays > 0
      ? `Yes. Each account can try Pro once for ${daysText(charged.trialDays)}, no card required. The trial ends automatically: nothing is charged and there is nothing to cancel.`
      : 'Not right now. The Free plan costs nothing and never expires.',
  ],
  [
    'How do I cancel?',
    'At any time in your [profile, under Subscription](/app/profile?tab=subscription). A plan paid by card stays active until the end of the paid period. A plan paid in USDC never renews automatically, so there is nothing to cancel.',
  ],
  [
    'What is your refund policy?',
    'Partial periods are not refunded. Anything charged in error is refunded, and your statutory rights are unaffected. [Contact us](/app/contact) and name the payment.',
  ],
  ['Can I pay for several months at once?', prepaid(charged)],
  [
    'When does my plan begin?',
    'By card, as soon as Stripe confirms the payment, usually within seconds. In USDC, as soon as the network confirms your transfer; the payment window shows each step. Months bought while a plan is active are added to its end.',
  ],
  [
    'What if my USDC payment is late or incomplete?',
    'If it is incomplete, send the rest before the payment expires. Anything that arrives late or exceeds the price is added to your balance and applies to your next payment.',
  ],
  [
    'What if I send another coin or use the wrong network?',
    'Send only USDC, and only on the network shown in the payment. Other coins are not credited, and funds sent on another network do not reach us and may be lost. [Contact us](/app/contact) with the transaction; we will look into it but cannot guarantee recovery.',
  ],
];

const callsText = (limits: PaidLimits | undefined): string =>
  limits
    ? `Pro: ${perDay(limits.pro.apiCallsPerDay, 'call')}. Premium+: ${perDay(limits.premium.apiCallsPerDay, 'call')}.`
    : 'Pro and Premium+ come with API calls.';

const onPlans = ({ graceDays, limits }: Charged): Question[] => [
  [
    'Can I change my plan?',
    'Pro to Premium+ takes effect immediately, and unused Pro time is added to your balance. Pro bought while Premium+ is active starts when Premium+ ends.',
  ],
  [
    'What happens when my plan ends?',
    `${graceDays > 0 ? `It stays active for a grace period of ${daysText(graceDays)}. Then your` : 'Your'} account moves to Free. Everything you created is kept and returns when you renew; rules beyond your plan are paused until then.`,
  ],
  [
    'Where are my invoices?',
    'Under [Billing Information in your profile](/app/profile?tab=subscription): every payment with its date, amount and receipt.',
  ],
  [
    'Who sees my card?',
    'Only Stripe. You enter your card on Stripe’s checkout page, and its number never reaches us. You send USDC yourself from any wallet; we never see its keys, only the deposit on our address.',
  ],
  [
    'How many API calls do I have?',
    `${callsText(limits)} Calls are counted per account and UTC day across all keys; calls that fail because of us are not counted. See the [API reference](/app/api).`,
  ],
  [
    'Where does the data come from?',
    'Every number shows its source, age and method. [Data Sources](/app/sources) lists all sources with status and license; when one fails, the page says so.',
  ],
  [
    'How good are the predictions?',
    'See for yourself: every prediction is stored as published and graded at its horizon, misses included. The [track record](/app/track-record) is public. Nothing here is financial advice.',
  ],
];

/** FAQ shown before payment; its numbers are those of this installation. */
export const planFaq = (charged: Charged): Question[] => [...onPaying(charged), ...onPlans(charged)];

const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;

/** Splits an answer into text and links. */
export function splitAnswer(answer: string): { text: string; to: string | null }[] {
  const parts: { text: string; to: string | null }[] = [];
  let from = 0;
  for (const { index, 0: whole, 1: text = '', 2: to = '' } of answer.matchAll(LINK)) {
    parts.push({ text: answer.slice(from, index), to: null }, { text, to });
    from = index + whole.length;
  }
  return [...parts, { text: answer.slice(from), to: null }];
}

/** Plain text for places that cannot contain links. */
export const plainAnswer = (answer: string): string =>
  splitAnswer(answer)
    .map(({ text }) => text)
    .join('');
