/** As read off a clock there: 'Mon, 23 Nov 2026, 14:30 GMT+1'. Undefined where the zone is not known. */
export function localTime(at: Date, timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'shortOffset',
    }).format(at);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** How old something was: 'less than 1 s', '4 s', '12 min', '3 h', '2 days'. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds === 0) return 'less than 1 s';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}
