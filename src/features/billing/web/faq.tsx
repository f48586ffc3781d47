import type { ReactNode } from 'react';

import { PLAN_LIMITS } from '#features/subscriptions/contract.ts';
import { Card } from '#web/ui/card.tsx';
import { TEXT_LINK } from '#web/ui/form.tsx';
import { Link } from '#web/ui/link.tsx';

import type { Pricing } from '../contract.ts';
import { monthsText, percentOf } from './price-text.ts';

type Question = readonly [question: string, answer: ReactNode];

const To = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className={TEXT_LINK}>
    {children}
  </Link>
);

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`);
const perDay = (calls: number | null): string => `${(calls ?? 0).toLocaleString('en-US')} calls a day`;

function prepaid({ terms }: Pricing): string {
  const several = terms.filter(({ months }) => months > 1);
  if (several.length === 0) return 'At the moment one month is paid at a time.';
  const list = several.map(({ months, discount }) =>
    discount > 0 ? `${monthsText(months)} (${percentOf(discount)} less)` : monthsText(months),
  );
  return `Yes: ${list.join(', ')}, by card or in USDC. The end falls on the same day of the month, or on the last one where a month is shorter.`;
}

const onPaying = (pricing: Pricing): Question[] => [
  [
    'Is there a free trial?',
    pricing.trialDays > 0
      ? `Each account can try Pro for ${daysText(pricing.trialDays)}, once, without a card. The trial ends by itself: nothing is charged, and nothing has to be cancelled.`
      : 'Not at the moment. The plan Free costs nothing and has no end.',
  ],
  [
    'How do I cancel?',
    <>
      In your <To to="/app/profile?tab=subscription">profile, under Subscription</To>, at any time. A plan paid by card
      then ends with the period that is paid; until then you keep all of it. A plan paid in USDC never renews by itself,
      so there is nothing to cancel.
    </>,
  ],
  [
    'Do I get money back?',
    <>
      A period that has begun is not refunded in part. Money charged in error is given back, and what the law of your
      country gives you remains. <To to="/app/contact">Write to us</To> and name the payment.
    </>,
  ],
  ['Can I pay for several months at once?', prepaid(pricing)],
  [
    'When does my plan begin?',
    'By card as soon as Stripe confirms the payment, usually within seconds. In USDC as soon as the network has confirmed your transfer; the payment shows each step. While a plan runs, more months are added to its end.',
  ],
  [
    'What if my USDC come late, or are too few?',
    'Too little: the payment waits for the rest until its time is over. What comes after that, or is more than was asked, becomes credit of your account, and your next payment uses it first.',
  ],
  [
    'What if I send on the wrong network, or another coin?',
    <>
      Send USDC only, and only on the network that the payment names. Another coin is not credited, and what goes to
      another network does not arrive here; it may be lost. <To to="/app/contact">Write to us</To> with the transaction:
      we look at it, and cannot promise to recover it.
    </>,
  ],
];

const onPlans = (pricing: Pricing): Question[] => [
  [
    'Can I change my plan?',
    'From Pro to Premium+ at once: what you have not used of Pro becomes credit of your account. Pro that is bought while Premium+ runs begins when Premium+ ends.',
  ],
  [
    'What happens when my plan ends?',
    `${pricing.graceDays > 0 ? `It works on for ${daysText(pricing.graceDays)}. Then your` : 'Your'} account goes on as Free. What you made is kept and comes back when you renew; rules beyond your plan rest until then.`,
  ],
  [
    'Where are my invoices?',
    <>
      Under <To to="/app/profile?tab=subscription">Billing Information of your profile</To>: every payment with its date
      and amount, and a receipt for what was paid.
    </>,
  ],
  [
    'Who sees my card?',
    'Stripe alone. You enter it on a page of Stripe, and no number of it reaches us. For USDC we ask for no access to your wallet: you send, we watch the address.',
  ],
  [
    'How many API calls do I have?',
    <>
      Pro: {perDay(PLAN_LIMITS.pro.apiCallsPerDay)}. Premium+: {perDay(PLAN_LIMITS.premium.apiCallsPerDay)}. They are
      counted per account and UTC day, all keys together; a call that fails by our fault is not counted. Every call is
      in the <To to="/app/api">API reference</To>.
    </>,
  ],
  [
    'Where do the data come from?',
    <>
      Each number names its source, its age and how it was found. All sources with their state and licence are on{' '}
      <To to="/app/sources">Data sources</To>; when one fails, the page says so.
    </>,
  ],
  [
    'How good are the predictions?',
    <>
      See for yourself: each is kept as it was published and graded when its time has come, misses included. The{' '}
      <To to="/app/track-record">track record</To> is open to everyone. Nothing here is financial advice.
    </>,
  ],
];

/** What people ask before they pay; its numbers are those of the running installation. */
export function Faq({ pricing }: { pricing: Pricing }) {
  return (
    <Card id="faq" title="Questions and answers">
      <div className="grid items-start gap-x-6 px-4 pb-2 text-sm lg:grid-cols-2">
        {[...onPaying(pricing), ...onPlans(pricing)].map(([question, answer]) => (
          <details key={question} className="border-t border-line py-1">
            <summary className="py-2 font-medium">{question}</summary>
            <p className="max-w-[64ch] pb-2 text-ink-2">{answer}</p>
          </details>
        ))}
      </div>
    </Card>
  );
}
