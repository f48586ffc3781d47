/** 1.14e21 H/s is 1.14 ZH/s. */
export function hashes(perSecond: number): string {
  if (perSecond >= 1e21) return `${(perSecond / 1e21).toFixed(2)} ZH/s`;
  return `${(perSecond / 1e18).toFixed(perSecond >= 1e20 ? 0 : 1)} EH/s`;
}
