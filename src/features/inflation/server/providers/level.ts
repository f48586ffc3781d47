/** An index level from its text; null for what agencies write where there is none, undefined for nonsense. */
export function levelOf(text: string): number | null | undefined {
  const plain = text.trim().replaceAll(',', '');
  if (['', '.', '-', '--', 'NA', '(NA)'].includes(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
