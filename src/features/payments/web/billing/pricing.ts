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

/** Prices with their terms; the daily limits are absent until the response arrives. */
export type Known = Omit<Pricing, 'limits'> & Partial<Pick<Pricing, 'limits'>>;

/** Fallback until the response arrives. */
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
  /** The response is pending: the usual prices reserve the space and are not shown yet. */
  isReading: boolean;
  failed: boolean;
  retry: () => void;
};

/** Prices of this installation, or the usual ones. */
export function usePricing(): Offered {
  const { data, isPending, isError, refetch } = useQuery(pricingQuery);
  return {
    pricing: data ?? USUAL_PRICING,
    isReading: isPending,
    failed: isError && !data,
    retry: () => void refetch(),
  };
}

/** Daily limits of the paid plans, once known. */
export const useDayLimits = (): PaidLimits | undefined => useQuery(pricingQuery).data?.limits;

export type Offer = {
  months: number;
  /** Total in US dollars. */
  price: number;
  /** Discount as a fraction. */
  discount: number;
};

/** Terms offered for a plan; the first-month discount applies to one month only. */
export const listOffers = (pricing: Known, plan: PaidPlan): Offer[] =>
  pricing.terms.map(({ months, discount }) => {
    const { currentPrice, originalPrice } = pricing[plan];
    if (months === 1) return { months, price: currentPrice, discount: 1 - currentPrice / originalPrice };
    return { months, price: originalPrice * months * (1 - discount), discount };
  });
