import { type RefObject, useEffect, useRef } from 'react';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import { price } from '#shared/format.ts';
import { changeText, direction } from '#ui/change.tsx';
import { capText } from './live-cells.tsx';
import { toQuote } from './quote.ts';
import { ticks } from './tick-store.ts';

function write(row: Element, cell: string, text: string): Element | null {
  const target = row.querySelector(`[data-live=${cell}]`);
  if (target && target.textContent !== text) target.textContent = text;
  return target;
}

export type BoardPainterProps = {
  body: RefObject<HTMLTableSectionElement | null>;
  rows: readonly CryptoPrice[];
};

/**
 * Writes ticks straight into the visible rows of a long board: React renders a row once, and 250 rows at ten frames a
 * second stay within a few percent of the main thread.
 */
export function BoardPainter({ body, rows }: BoardPainterProps): null {
  const known = useRef(new Map<string, CryptoPrice>());
  const visible = useRef(new Map<string, Element>());
  const ids = rows.map(({ id }) => id).join();

  useEffect(() => {
    const paint = (id: string) => {
      const [element, row] = [visible.current.get(id), known.current.get(id)];
      if (!element || !row) return;
      const quote = toQuote(row, ticks.get(id));
      write(element, 'price', price(quote.price));
      write(element, 'cap', capText(quote.cap));
      write(element, 'change', changeText(quote.change))?.setAttribute('data-dir', direction(quote.change));
    };
    // A render may have put back the value of the last collection.
    known.current = new Map(rows.map((row) => [row.id, row]));
    for (const id of visible.current.keys()) paint(id);
    return ticks.subscribeAll((changed) => {
      for (const id of changed) paint(id);
    });
  }, [rows]);

  useEffect(() => {
    const seen = visible.current;
    if (!ids || !body.current) return undefined;
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = (target as HTMLElement).dataset['coin'] ?? '';
          if (isIntersecting) seen.set(id, target);
          else seen.delete(id);
        }
      },
      { rootMargin: '200px' },
    );
    for (const row of body.current.querySelectorAll('tr[data-coin]')) watcher.observe(row);
    return () => {
      watcher.disconnect();
      seen.clear();
    };
  }, [body, ids]);
  return null;
}
