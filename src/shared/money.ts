/** Micro-dollars: 1 USD or 1 USDC is 1,000,000. */
export type Units = bigint;

export const UNITS_PER_USD = 1_000_000n;
const UNITS_PER_CENT = 10_000n;

/** '29.99', '85.4715': at least two decimals, at most six. */
export function unitsToUsd(units: Units): string {
  const size = units < 0n ? -units : units;
  const decimals = (size % UNITS_PER_USD)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${units < 0n ? '-' : ''}${size / UNITS_PER_USD}.${decimals}`;
}

/** Reads '29.99'; undefined when it is not an amount with at most six decimals. */
export function usdToUnits(usd: string): Units | undefined {
  const parts = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(usd);
  if (!parts) return undefined;
  return BigInt(parts[1] as string) * UNITS_PER_USD + BigInt((parts[2] ?? '').padEnd(6, '0'));
}

/** Whole cents, half up. */
export const unitsToCents = (units: Units): number => Number((units + UNITS_PER_CENT / 2n) / UNITS_PER_CENT);

export const centsToUnits = (cents: number): Units => BigInt(cents) * UNITS_PER_CENT;
