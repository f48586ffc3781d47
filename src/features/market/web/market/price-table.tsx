import { type ComponentProps, Fragment, use, useRef } from 'react';
import type { CryptoPrice, Sparklines } from '#features/market/contract/market.ts';
import { cx } from '#ui/cx.ts';
import { ClockContext, useNow } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import type { BoardPainterProps } from './board-painter.ts';
import { HEADS, PriceHead } from './price-head.tsx';
import { PriceRow } from './price-row.tsx';
import type { Column, Sort } from './sorting.ts';

const CoinDetail = part<ComponentProps<typeof import('./coin-detail.tsx').CoinDetail>>({
  name: 'The detail',
  load: async () => (await import('./coin-detail.tsx')).CoinDetail,
  loading: <div className="skel m-4 h-100" />,
});

const BoardPainter = part<BoardPainterProps>({
  name: 'The board',
  load: async () => (await import('./board-painter.ts')).BoardPainter,
  failed: () => null,
});

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
  const { fixed } = use(ClockContext);
  const board = !fixed && rows.length > BOARD_FROM;

  return (
    <>
      {board && <BoardPainter body={body} rows={rows} />}
      <table className="block">
        <caption className="sr-only">
          Prices. Use arrow keys to move between a coin and its numbers; select a number to see its source.
        </caption>
        <PriceHead sort={sort} onSort={onSort} />
        <tbody ref={body} className="block">
          {rows.map((row) => (
            <Fragment key={row.id}>
              <PriceRow
                row={row}
                points={series[row.id]?.points}
                board={board}
                open={row.id === selected}
                starred={stars.has(row.id)}
                stale={now > Date.parse(row.meta.staleAfter)}
                fixed={fixed}
                onToggle={onSelect}
              />
              {row.id === selected && (
                <tr className="block">
                  <td colSpan={HEADS.length} className="block bg-bg/40 p-0">
                    <CoinDetail key={row.id} row={row} nameOf={nameOf} onClose={() => onSelect(null)} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </>
  );
}

const SKELETON = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

function Bone({ left }: { left: boolean | undefined }) {
  return <div className={cx('skel h-5 max-w-20', !left && 'ml-auto')} />;
}

export function PriceTableSkeleton() {
  return (
    <table className="block" aria-hidden="true">
      <PriceHead sort={null} />
      <tbody className="block">
        {SKELETON.map((row) => (
          <tr key={row} className="price-columns h-[3.0625rem] border-t border-line *:px-2">
            {HEADS.map(({ column, className, left }) => (
              <td key={column} className={className}>
                <Bone left={left} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
