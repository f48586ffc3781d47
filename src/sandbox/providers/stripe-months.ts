/** Seconds; the anchor's day is kept and cut to the month's end. */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor * 1000);
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const moved = new Date(anchor * 1000);
  moved.setUTCDate(1);
  moved.setUTCMonth(month);
  moved.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return moved.getTime() / 1000;
}
