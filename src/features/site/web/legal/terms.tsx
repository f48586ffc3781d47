import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { Link } from '#ui/link.tsx';

import type { LegalSection, LegalText } from './legal-text.ts';
import { daysText, type Plans, PlanTable } from './plan-table.tsx';
import { TERMS_LAW } from './terms-law.tsx';
import { TERMS_USE } from './terms-use.tsx';

function Trial({ plans }: { plans: Plans }) {
  if (plans?.trialDays === 0)
    return (
      <p>There is no free trial at the moment. A trial already started runs its full term and ends automatically.</p>
    );
  return (
    <p>
      Each account can try {PLAN_NAMES.pro} free of charge for{' '}
      {plans ? daysText(plans.trialDays) : 'the period shown on the plans page'}, once per account and email address. No
      card is required. The trial ends automatically and the account returns to {PLAN_NAMES.free}: nothing is charged
      and there is nothing to cancel. We email you two days before it ends. Creating several accounts to repeat the
      trial is not allowed.
    </p>
  );
}

/** Payment, start and end of plans. */
const planSections = (plans: Plans): readonly LegalSection[] => [
  {
    id: 'plans',
    title: 'Plans and limits',
    body: (
      <>
        <p>
          The dashboard is open to everyone. An account on the {PLAN_NAMES.free} plan costs nothing. Paid plans add what
          this table lists; these limits are enforced by the software.
        </p>
        <PlanTable plans={plans} />
        <p>
          The <Link to="/app/subscription">plans page</Link> shows the price before you order, including taxes and any
          discount for the first month or for several months paid upfront. Calls or exports above a limit are refused,
          with the time the limit resets; nothing is charged for them.
        </p>
      </>
    ),
  },
  {
    id: 'trial',
    title: 'Free trial',
    body: <Trial plans={plans} />,
  },
  {
    id: 'payment',
    title: 'Payment and renewal',
    body: (
      <>
        <p>
          Plans are prepaid, for one month or several. <strong>By card</strong> through Stripe, the plan renews at the
          end of each billing period at the price then in force, until you cancel. If a payment fails, we notify you and
          try again; after a few days the account returns to {PLAN_NAMES.free}.
        </p>
        <p>
          <strong>In USDC on Base or Solana</strong>, you send the exact amount to the address shown, on the network
          shown, before the payment expires. The plan starts once the transfer is confirmed on its chain. Nothing renews
          automatically; we remind you before the period ends. Transfers on a blockchain cannot be reversed. Late
          payments and overpayments become account credit; if the amount is incomplete, you can send the rest. Transfers
          of other coins or on other networks may be lost, and we cannot promise to recover them. You pay network and
          wallet fees.
        </p>
        <p>Prices are in US dollars. Taxes added where applicable.</p>
      </>
    ),
  },
  {
    id: 'price-changes',
    title: 'Price changes',
    body: (
      <p>
        Prices may change with 30 days notice, by email and in the app. The price of time already paid for does not
        change. If you do not agree with a new price, cancel before it takes effect.
      </p>
    ),
  },
  {
    id: 'cancellation',
    title: 'Cancellation and refunds',
    body: (
      <>
        <p>
          You can cancel at any time, in your profile, under Subscription. Cancellation takes effect at the end of the
          billing period: until then you keep everything in the plan; afterwards the account returns to{' '}
          {PLAN_NAMES.free}. Everything you created under the paid plan is kept and available again if you renew; rules
          beyond your plan’s limits stay paused until then.
        </p>
        <p>
          There are no refunds for partial periods. Amounts charged in error are refunded. If we end a paid service for
          reasons other than your conduct, we refund the time you could not use. Statutory rights of withdrawal or
          refund in your country that cannot be waived remain.
        </p>
      </>
    ),
  },
];

/** Includes this installation's prices. */
export const buildTerms = (plans: Plans): LegalText => ({
  title: 'Terms & Conditions',
  lead: 'The agreement between you and us when you use the service, in plain language.',
  short: [
    'This is information, not financial advice. Data is provided as is, with its source and age.',
    'Predictions come with their track record, not with a promise.',
    ...(plans?.trialDays === 0 ? [] : ['The free trial costs nothing, requires no card and ends automatically.']),
    'You can cancel at any time; it takes effect at the end of the billing period. There are no refunds for partial periods.',
    'Prices may change with 30 days notice. Our liability is capped at what you paid in the prior 12 months.',
  ],
  sections: [...TERMS_USE, ...planSections(plans), ...TERMS_LAW],
});
