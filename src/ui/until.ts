/** The remaining time in one unit: 'in 4m', or 'now'. */
export function until(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return 'now';
  if (seconds < 60) return `in ${seconds}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `in ${minutes}m`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `in ${hours}h` : `in ${Math.round(hours / 24)}d`;
}
