import type { PublicModel } from '#app/render.ts';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { planFeatures } from '#features/accounts/web/subscriptions/plan-features.ts';
import { monthsText, percentText, usd } from '#features/payments/web/billing/price-text.ts';
import { cx } from '#ui/cx.ts';

import { GHOST, PRIMARY, WIDTH } from './page.tsx';
import { APART } from './section.tsx';

const PLANS = ['free', 'pro', 'premium'] as const;
type ForSale = (typeof PLANS)[number];

/** The plans in brief, with links; payment is explained in the app. */
export function PricingBlock({ pricing }: { pricing: PublicModel['pricing'] }) {
  return (
    <section id="pricing" aria-labelledby="pricing-title" className={cx(WIDTH, APART)}>
      <h2
        id="pricing-title"
        className="max-w-[22ch] text-[32px] leading-[1.1] font-semibold tracking-[-0.035em] text-balance sm:text-[44px]"
      >
        Free to watch. Paid to be alerted.
      </h2>
      <p className="mt-3 text-[17px] leading-7 text-ink-2">{leadText(pricing)}</p>
      <div className="mt-10 grid grid-cols-1 gap-4 md:grid-cols-3">
        {PLANS.map((plan) => (
          <Plan key={plan} plan={plan} pricing={pricing} />
        ))}
      </div>
    </section>
  );
}

function leadText({ comingSoon, trialDays, terms }: PublicModel['pricing']): string {
  if (comingSoon) return 'Pro and Premium plans are coming soon! Stay tuned for updates.';
  const best = terms.reduce((a, b) => (b.discount > a.discount ? b : a), { months: 1, discount: 0 });
  const sentences = [
    trialDays > 0 && `Try Pro free for ${trialDays} days, no card required.`,
    best.discount > 0 && `Save ${percentText(best.discount)} with ${monthsText(best.months)} upfront.`,
    'Cancel at any time.',
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}

function Plan({ plan, pricing }: { plan: ForSale; pricing: PublicModel['pricing'] }) {
  const { about, now } = planFeatures(pricing.limits)[plan];
  const { currentPrice, originalPrice, hasDiscount } = pricing[plan];
  const isFree = plan === 'free';
  return (
    <article className="card flex min-w-0 flex-col rounded-[14px] p-5 sm:p-6">
      <h3 className="text-lg font-semibold tracking-[-0.01em]">{PLAN_NAMES[plan]}</h3>
      <p className="num mt-2 flex items-baseline gap-2">
        {hasDiscount && (
          <s className="text-ink-3">
            <span className="sr-only">Instead of </span>
            {usd(originalPrice)}
          </s>
        )}
        <span className="text-[34px] leading-10 font-semibold tracking-[-0.04em]">{usd(currentPrice)}</span>
        <span className="text-sm text-ink-3">{hasDiscount ? 'first month' : '/month'}</span>
      </p>
      <p className="mt-2 text-[15px] text-ink-2">{about}</p>
      <ul className="my-6 flex-1 border-t border-line pt-2 text-sm">
        {now.map((text) => (
          <li key={text} className="py-1.5">
            {text}
          </li>
        ))}
      </ul>
      <a href={isFree ? '/app' : '/app/subscription'} className={plan === 'pro' ? PRIMARY : GHOST}>
        {isFree ? 'Open the dashboard' : callToAction(PLAN_NAMES[plan], pricing.comingSoon)}
      </a>
    </article>
  );
}

const callToAction = (name: string, comingSoon: boolean): string => (comingSoon ? 'Coming Soon' : `Get ${name}`);
