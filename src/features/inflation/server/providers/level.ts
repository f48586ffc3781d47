/** An index level from its text; null for an agency's missing-value marker, undefined for invalid text. */
export function parseLevel(text: string): number | null | undefined {
  const plain = text.trim().replaceAll(',', '');
  if (['', '.', '-', '--', 'NA', '(NA)'].includes(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
