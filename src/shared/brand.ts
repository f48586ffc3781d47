/** The one place to change the product name. */
export const BRAND = {
  name: 'Meridian',
  claim: 'Market intelligence that keeps score.',
  description: 'Crypto prices, AI market analysis, macro events and alerts. Every number with its source and age.',
  firstYear: 2025,
  supportEmail: 'support@meridian.example',
  /** Path of the mark in a 24 × 24 box, and its dot. */
  mark: { line: 'M5 15.5 9.2 9l3.3 4.6L15.6 8 19 12.6', dot: { x: 15.6, y: 8, r: 1.7 } },
  accent: '#6bb1ff',
} as const;

/** '2025' in the first year, '2025–2026' later. */
export function copyrightYears(year: number): string {
  return year > BRAND.firstYear ? `${BRAND.firstYear}–${year}` : String(BRAND.firstYear);
}
