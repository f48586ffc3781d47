import { useEffect, useRef } from 'react';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import { compact, price } from '#shared/format.ts';
import { Change } from '#ui/change.tsx';
import { toQuote } from './quote.ts';
import { useTick } from './use-tick.ts';

/** A number that changes many times per second must stay readable. */
const FLASH_REST_MS = 2000;
/** Faint but still legible: about 7:1 in both themes. */
const DIPPED = 0.7;

type Props = { row: CryptoPrice; className?: string };

/**
 * A short dip of opacity on a new value: cheap for the compositor, and silent for screen readers and reduced motion.
 */
function useFlash(value: number) {
  const cell = useRef<HTMLSpanElement>(null);
  const last = useRef(value);
  const flashedAt = useRef(0);
  useEffect(() => {
    if (last.current === value) return;
    last.current = value;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    if (performance.now() - flashedAt.current < FLASH_REST_MS) return;
    flashedAt.current = performance.now();
    cell.current?.animate?.([{ opacity: DIPPED }, { opacity: 1 }], { duration: 350, easing: 'ease-out' });
  }, [value]);
  return cell;
}

export function LivePrice({ row, className }: Props) {
  const quote = toQuote(row, useTick(row.id));
  const cell = useFlash(quote.price);
  return (
    <span ref={cell} className={className}>
      {price(quote.price)}
    </span>
  );
}

export function LiveChange({ row, decimals = 2, className = '' }: Props & { decimals?: number }) {
  const quote = toQuote(row, useTick(row.id));
  return <Change value={quote.change} decimals={decimals} className={className} />;
}

export const capText = (cap: number | null): string => (cap === null ? '–' : `$${compact(cap)}`);

export function LiveCap({ row, className }: Props) {
  return <span className={className}>{capText(toQuote(row, useTick(row.id)).cap)}</span>;
}
