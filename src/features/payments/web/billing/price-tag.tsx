import type { PaidPlan } from '#features/payments/contract/billing.ts';
import { cx } from '#ui/cx.ts';
import { cents, monthsText, percentText, usd } from './price-text.ts';
import { type Known, listOffers } from './pricing.ts';

type Props = {
  plan: 'free' | PaidPlan;
  pricing: Known;
  /** Months prepaid. */
  months: number;
  /** Reserves its space without being visible. */
  isReading: boolean;
};

/** Monthly price, and the price without the discount. */
export function PriceTag({ plan, pricing, months, isReading }: Props) {
  const offer = plan === 'free' ? undefined : listOffers(pricing, plan).find((each) => each.months === months);
  const usual = pricing[plan].originalPrice;
  const monthly = offer ? Math.round((offer.price / offer.months) * 100) / 100 : pricing[plan].currentPrice;
  return (
    <div aria-busy={isReading} className={cx('num mt-2', isReading && 'invisible')}>
      <p className="flex min-h-10 items-baseline gap-1.5">
        {monthly < usual && (
          <s className="text-ink-3">
            <span className="sr-only">Instead of </span>
            {usd(usual)}
          </s>
        )}
        <span className="text-3xl font-semibold tracking-[-0.03em]">{usd(monthly)}</span>
        <span className="text-sm text-ink-3">/month</span>
      </p>
      <p className="min-h-5 text-sm text-ink-2">{plan !== 'free' && offer && termText(offer, usual, pricing, plan)}</p>
    </div>
  );
}

function termText(
  { months, price, discount }: { months: number; price: number; discount: number },
  usual: number,
  pricing: Known,
  plan: PaidPlan,
): string | null {
  if (months > 1) {
    const less = discount > 0 ? `, ${percentText(discount)} less` : '';
    return `$${cents(price)} for ${monthsText(months)}${less}`;
  }
  return pricing[plan].hasDiscount ? `First month ${pricing[plan].discountPercentage}% less, then ${usd(usual)}` : null;
}
