/**
 * The formats of shared/format.ts in the few bytes a public page may spend; text.test.ts holds them equal. Importing the
 * shared module would make it a chunk of its own, and a second request.
 */
export function priceText(usd: number): string {
  const digits = Math.abs(usd) >= 1 ? 2 : 6;
  return usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function changeText(change: number): [string, 'up' | 'down' | 'flat'] {
  const text = `${Math.abs(change).toFixed(2)}%`;
  if (text === '0.00%') return [text, 'flat'];
  return change < 0 ? [`\u2212${text}`, 'down'] : [`+${text}`, 'up'];
}

export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h ago` : `${Math.floor(seconds / 86_400)}d ago`;
}
