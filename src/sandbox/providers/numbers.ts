/** Two decimals from 1 up, six significant digits below: as listings round. */
export function listed(value: number): number {
  return Math.abs(value) >= 1 ? Number(value.toFixed(2)) : Number(value.toPrecision(6));
}

export const decimals = (value: number, digits: number): number => Number(value.toFixed(digits));
