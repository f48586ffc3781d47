import type { Price, Pricing } from '#features/payments/contract/billing.ts';
import { USUAL_LIMITS } from '#ui/testing/limits.ts';

export const priceOf = (currentPrice: number, originalPrice = currentPrice): Price => ({
  currentPrice,
  originalPrice,
  hasDiscount: currentPrice < originalPrice,
  discountPercentage: originalPrice > 0 ? Math.round((1 - currentPrice / originalPrice) * 100) : 0,
});

/** Pricing of an installation with everything available. */
export const pricingOf = (change: Partial<Pricing> = {}): Pricing => ({
  free: priceOf(0),
  pro: priceOf(29.99),
  premium: priceOf(99),
  discountActive: false,
  terms: [
    { months: 1, discount: 0 },
    { months: 3, discount: 0.05 },
    { months: 6, discount: 0.1 },
    { months: 12, discount: 0.2 },
  ],
  trialDays: 7,
  graceDays: 3,
  comingSoon: false,
  limits: USUAL_LIMITS,
  methods: { card: null, base: null, solana: null },
  ...change,
});
