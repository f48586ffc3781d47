/** Low to high with a marker at the last price. */
export function RangeBar({ low, high, value }: { low: number; high: number; value: number }) {
  const at = high > low ? Math.max(0, Math.min(100, ((value - low) / (high - low)) * 100)) : 50;
  return (
    <span className="relative block h-1 w-full rounded-full bg-raised" aria-hidden="true">
      <span className="absolute inset-y-0 left-0 rounded-full bg-line-strong" style={{ width: `${at.toFixed(0)}%` }} />
      <span
        className="absolute top-1/2 h-2.5 w-[3px] -translate-x-1/2 -translate-y-1/2 rounded-full bg-ink"
        style={{ left: `${at.toFixed(0)}%` }}
      />
    </span>
  );
}
