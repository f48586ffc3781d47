import { Fragment, lazy, Suspense, useRef } from 'react';

import { useNow } from '#web/ui/now.ts';

import type { CryptoPrice, Sparklines } from '../contract.ts';
import { useBoardPainter } from './board-painter.ts';
import { COLUMN_COUNT, PriceHead } from './price-head.tsx';
import { PriceRow } from './price-row.tsx';
import type { Column, Sort } from './sorting.ts';

const CoinDetail = lazy(() => import('./coin-detail.tsx').then((m) => ({ default: m.CoinDetail })));

/** Above this many rows React cells cost more than painting the text directly. */
const BOARD_FROM = 12;
const STALE_STEP_MS = 15_000;

type Props = {
  rows: readonly CryptoPrice[];
  series: Sparklines['series'];
  stars: ReadonlySet<string>;
  selected: string | null;
  sort: Sort;
  onSort?: ((column: Column) => void) | undefined;
  onSelect: (id: string | null) => void;
  nameOf: (source: string) => string;
};

export function PriceTable({ rows, series, stars, selected, sort, onSort, onSelect, nameOf }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  const now = useNow(STALE_STEP_MS);
  const board = rows.length > BOARD_FROM;
  useBoardPainter(body, rows, board);
  const toggle = useToggle(selected, onSelect);

  return (
    <table className="w-full table-fixed border-separate border-spacing-0">
      <PriceHead sort={sort} onSort={onSort} />
      <tbody ref={body}>
        {rows.map((row) => (
          <Fragment key={row.id}>
            <PriceRow
              row={row}
              points={series[row.id]?.points}
              board={board}
              open={row.id === selected}
              starred={stars.has(row.id)}
              stale={now > Date.parse(row.meta.staleAfter)}
              onToggle={toggle}
            />
            {row.id === selected && (
              <tr>
                <td colSpan={COLUMN_COUNT} className="bg-bg/40 p-0">
                  <Suspense
                    fallback={
                      <div className="h-[27rem] p-4">
                        <div className="skel h-full" />
                      </div>
                    }
                  >
                    <CoinDetail row={row} nameOf={nameOf} onClose={() => onSelect(null)} />
                  </Suspense>
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

/** One function for the life of the table, so that memoised rows stay as they are when another row opens. */
function useToggle(selected: string | null, onSelect: (id: string | null) => void): (id: string) => void {
  const latest = useRef({ selected, onSelect });
  latest.current = { selected, onSelect };
  const toggle = useRef((id: string) => latest.current.onSelect(latest.current.selected === id ? null : id));
  return toggle.current;
}

export function PriceTableSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-0" aria-hidden="true">
      <PriceHead sort={null} />
      <tbody>
        {Array.from({ length: rows }, (_, i) => (
          <tr key={i} className="h-[3.0625rem] *:border-t *:border-line *:px-4">
            <td colSpan={COLUMN_COUNT}>
              <div className="skel h-6" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
