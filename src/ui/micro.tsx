import { cx } from './cx.ts';

/** A share of a whole, 0 to 100. */
export function Meter({ value, className }: { value: number; className?: string }) {
  const width = Math.max(0, Math.min(100, value));
  return (
    <span className={cx('block h-1 overflow-hidden rounded-full bg-raised', className)} aria-hidden="true">
      <span className="block h-full rounded-full bg-accent" style={{ width: `${width.toFixed(1)}%` }} />
    </span>
  );
}

type ScaleProps = { value: number; low?: number; high: number; stops: readonly number[]; label: string };

/** Adjacent bands; the current band is highlighted, a notch marks the value. */
export function Scale({ value, low = 0, high, stops, label }: ScaleProps) {
  const starts = [low, ...stops];
  const at = Math.max(0, Math.min(100, ((value - low) / (high - low)) * 100));
  return (
    <div role="img" aria-label={label} className="relative flex gap-[2px]">
      {starts.map((start, i) => {
        const end = starts[i + 1];
        const inside = (i === 0 || value >= start) && (end === undefined || value < end);
        return (
          <span
            key={start}
            className={cx('h-1.5 rounded-[2px]', inside ? 'bg-accent' : 'bg-line')}
            style={{ flex: (((end ?? high) - start) / (high - low)) * 100 }}
          />
        );
      })}
      <span
        className="absolute -top-0.5 h-2.5 w-[3px] -translate-x-1/2 rounded-full bg-ink"
        style={{ left: `${at.toFixed(1)}%` }}
      />
    </div>
  );
}

type Piece = { name: string; size: number; tone: string };

/** The parts of a whole, each as wide as its share. */
export function Split({ pieces }: { pieces: readonly Piece[] }) {
  if (!pieces.some(({ size }) => size > 0)) return null;
  return (
    <div className="flex h-1.5 gap-[2px]" aria-hidden="true">
      {pieces.map(({ name, size, tone }) => (
        <span key={name} className={cx('min-w-[2px] rounded-[2px]', tone)} style={{ flex: Math.max(0, size) }} />
      ))}
    </div>
  );
}

/** Outflows to the left of the middle, inflows to the right. */
export function Balance({ value, most }: { value: number; most: number }) {
  const width = most > 0 ? Math.min(50, (Math.abs(value) / most) * 48) : 0;
  return (
    <span className="relative block h-1.5 rounded-[2px] bg-line" aria-hidden="true">
      <span className="absolute inset-y-[-2px] left-1/2 w-px bg-ink-3" />
      <span
        className={cx('absolute inset-y-0 rounded-[2px]', value < 0 ? 'right-1/2 bg-up' : 'left-1/2 bg-down')}
        style={{ width: `${width.toFixed(1)}%` }}
      />
    </span>
  );
}
