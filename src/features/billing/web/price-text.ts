/** '$29.99', '$99', '$0': whole dollars without cents. */
export const usd = (amount: number): string => `$${Number.isInteger(amount) ? amount : amount.toFixed(2)}`;

/** '5%' of the fraction 0.05 */
export const percentOf = (fraction: number): string => `${Math.round(fraction * 100)}%`;

export const monthsText = (months: number): string => (months === 1 ? '1 month' : `${months} months`);
