import type { Pricing } from '#features/payments/contract/billing.ts';

import { type PaidLimits, perDay } from '#shared/day-limits.ts';

/** An answer as it is read; `[words](/address)` is a link. */
export type Question = readonly [question: string, answer: string];

/** `limits` are absent while they are not known: then nothing is said of them. */
type Charged = Pick<Pricing, 'trialDays' | 'graceDays' | 'terms'> & { limits?: PaidLimits | undefined };

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);
const monthsText = (months: number): string => (months === 1 ? '1 month' : `${months} months`);

function prepaid({ terms }: Charged): string {
  const several = terms.filter(({ months }) => months > 1);
  if (several.length === 0) return 'At the moment one month is paid at a time.';
  const list = several.map(({ months, discount }) =>
    discount > 0 ? `${monthsText(months)} (${Math.round(discount * 100)}% less)` : monthsText(months),
  );
  return `Yes: ${list.join(', ')}, by card or in USDC. The end falls on the same day of the month, or on the last one where a month is shorter.`;
}

const onPaying = (charged: Charged): Question[] => [
  [
    'Is there a free trial?',
    charged.trialDays > 0
      ? `Each account can try Pro for ${daysText(charged.trialDays)}, once, without a card. The trial ends by itself: nothing is charged, and nothing has to be cancelled.`
      : 'Not at the moment. The plan Free costs nothing and has no end.',
  ],
  [
    'How do I cancel?',
    'In your [profile, under Subscription](/app/profile?tab=subscription), at any time. A plan paid by card then ends with the period that is paid; until then you keep all of it. A plan paid in USDC never renews by itself, so there is nothing to cancel.',
  ],
  [
    'What is your refund policy?',
    'A period that has begun is not refunded in part. Money charged in error is given back, and what the law of your country gives you remains. [Write to us](/app/contact) and name the payment.',
  ],
  ['Can I pay for several months at once?', prepaid(charged)],
  [
    'When does my plan begin?',
    'By card as soon as Stripe confirms the payment, usually within seconds. In USDC as soon as the network has confirmed your transfer; the payment shows each step. While a plan runs, more months are added to its end.',
  ],
  [
    'What if my USDC payment is late or incomplete?',
    'Too little: the payment waits for the rest until its time is over. What comes after that, or is more than was asked, becomes credit of your account, and your next payment uses it first.',
  ],
  [
    'What if I send on the wrong network, or another coin?',
    'Send USDC only, and only on the network that the payment names. Another coin is not credited, and what goes to another network does not arrive here; it may be lost. [Write to us](/app/contact) with the transaction: we look at it, and cannot promise to recover it.',
  ],
];

const callsText = (limits: PaidLimits | undefined): string =>
  limits
    ? `Pro: ${perDay(limits.pro.apiCallsPerDay, 'call')}. Premium+: ${perDay(limits.premium.apiCallsPerDay, 'call')}.`
    : 'Pro and Premium+ come with API calls.';

const onPlans = ({ graceDays, limits }: Charged): Question[] => [
  [
    'Can I change my plan?',
    'From Pro to Premium+ at once: what you have not used of Pro becomes credit of your account. Pro that is bought while Premium+ runs begins when Premium+ ends.',
  ],
  [
    'What happens when my plan ends?',
    `${graceDays > 0 ? `It works on for ${daysText(graceDays)}. Then your` : 'Your'} account goes on as Free. What you made is kept and comes back when you renew; rules beyond your plan rest until then.`,
  ],
  [
    'Where are my invoices?',
    'Under [Billing Information of your profile](/app/profile?tab=subscription): every payment with its date and amount, and a receipt for what was paid.',
  ],
  [
    'Who sees my card?',
    'Stripe alone. You enter it on a page of Stripe, and no number of it reaches us. USDC you send yourself, from any wallet: no key of it reaches us, and we watch the address.',
  ],
  [
    'How many API calls do I have?',
    `${callsText(limits)} They are counted per account and UTC day, all keys together; a call that fails by our fault is not counted. Every call is in the [API reference](/app/api).`,
  ],
  [
    'Where does the data come from?',
    'Each number names its source, its age and how it was found. All sources with their state and licence are on [Data sources](/app/sources); when one fails, the page says so.',
  ],
  [
    'How good are the predictions?',
    'See for yourself: each is kept as it was published and graded when its time has come, misses included. The [track record](/app/track-record) is open to everyone. Nothing here is financial advice.',
  ],
];

/** What people ask before they pay; its numbers are those of the running installation. */
export const planFaq = (charged: Charged): Question[] => [...onPaying(charged), ...onPlans(charged)];

const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;

/** The parts of an answer: words, and words that lead somewhere. */
export function partsOf(answer: string): { text: string; to: string | null }[] {
  const parts: { text: string; to: string | null }[] = [];
  let from = 0;
  for (const { index, 0: whole, 1: text = '', 2: to = '' } of answer.matchAll(LINK)) {
    parts.push({ text: answer.slice(from, index), to: null }, { text, to });
    from = index + whole.length;
  }
  return [...parts, { text: answer.slice(from), to: null }];
}

/** As it is read where nothing can be a link. */
export const plainAnswer = (answer: string): string =>
  partsOf(answer)
    .map(({ text }) => text)
    .join('');
