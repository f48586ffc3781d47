import { queryOptions, useQuery } from '@tanstack/react-query';
import { getPricing, type PaidPlan, type Price, type Pricing } from '#features/payments/contract/billing.ts';
import type { PaidLimits } from '#shared/day-limits.ts';
import { call } from '#ui/api/client.ts';

const STALE_MS = 300_000;

const plain = (usd: number): Price => ({
  currentPrice: usd,
  originalPrice: usd,
  hasDiscount: false,
  discountPercentage: 0,
});

/** Prices with their terms; the limits of a day are absent while the answer is missing. */
export type Known = Omit<Pricing, 'limits'> & Partial<Pick<Pricing, 'limits'>>;

/** What stands in the place of an answer that is missing. */
const USUAL_PRICING: Known = {
  free: plain(0),
  pro: plain(29.99),
  premium: plain(99),
  discountActive: false,
  terms: [{ months: 1, discount: 0 }],
  trialDays: 7,
  graceDays: 3,
  comingSoon: false,
  methods: { card: null, base: null, solana: null },
};

export const pricingQuery = queryOptions({
  queryKey: ['pricing'],
  staleTime: STALE_MS,
  queryFn: ({ signal }) => call(getPricing, {}, signal),
});

export type Offered = {
  pricing: Known;
  /** The answer is on its way: the usual prices are held in its place and not shown yet. */
  isReading: boolean;
  failed: boolean;
  retry: () => void;
};

/** What plans cost here, or usually. */
export function usePricing(): Offered {
  const { data, isPending, isError, refetch } = useQuery(pricingQuery);
  return {
    pricing: data ?? USUAL_PRICING,
    isReading: isPending,
    failed: isError && !data,
    retry: () => void refetch(),
  };
}

/** What the paid plans allow in a day, once it is known. */
export const useDayLimits = (): PaidLimits | undefined => useQuery(pricingQuery).data?.limits;

export type Offer = {
  months: number;
  /** US dollars in all. */
  price: number;
  /** Fraction that it is cheaper by. */
  discount: number;
};

/** What can be paid at once for a plan; the discount of the first month holds for one month alone. */
export const offersOf = (pricing: Known, plan: PaidPlan): Offer[] =>
  pricing.terms.map(({ months, discount }) => {
    const { currentPrice, originalPrice } = pricing[plan];
    if (months === 1) return { months, price: currentPrice, discount: 1 - currentPrice / originalPrice };
    return { months, price: originalPrice * months * (1 - discount), discount };
  });
