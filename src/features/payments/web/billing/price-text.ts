/**
 * Two decimals, rounding half a cent up as a card is charged; binary fractions are slightly below the decimal they
 * represent.
 */
export const cents = (amount: number): string => (Math.round((amount + 1e-9) * 100) / 100).toFixed(2);

/** '$29.99', '$99', '$0': whole dollars without cents. */
export const usd = (amount: number): string => `$${Number.isInteger(amount) ? amount : cents(amount)}`;

/** '5%' of the fraction 0.05 */
export const percentText = (fraction: number): string => `${Math.round(fraction * 100)}%`;

export const monthsText = (months: number): string => (months === 1 ? '1 month' : `${months} months`);
