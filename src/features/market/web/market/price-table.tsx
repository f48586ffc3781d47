import { Star } from 'lucide-react';
import { type ComponentProps, Fragment, memo, use, useRef } from 'react';
import type { CryptoPrice, Sparklines } from '#features/market/contract/market.ts';
import { compact, grouped, price } from '#shared/format.ts';
import { Change } from '#ui/change.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { cx } from '#ui/cx.ts';
import { ClockContext, useNow } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { RangeBar } from '#ui/range-bar.tsx';
import { Spark } from '#ui/spark.tsx';
import type { BoardPainterProps } from './board-painter.ts';
import { FigureOriginCell } from './figure-origin.tsx';
import { capText, LiveCap, LiveChange, LivePrice } from './live-cells.tsx';
import { HEADS, PriceHead } from './price-head.tsx';
import type { Column, Sort } from './sorting.ts';
import { toggleStar } from './watchlist.ts';

type RowProps = {
  row: CryptoPrice;
  points: readonly number[] | undefined;
  /** A board row is painted from outside React, see board-painter. */
  board: boolean;
  open: boolean;
  starred: boolean;
  stale: boolean;
  /** A row of a past moment has no details: charts and quotes are current. */
  fixed: boolean;
  /** Takes the coin to open, or null. */
  onToggle: (id: string | null) => void;
};

const short = (value: number): string => (value >= 1000 ? grouped(value) : price(value));

function Asset({ row, open, starred, stale, fixed, onToggle }: RowProps) {
  return (
    <div className="flex items-center gap-2">
      <button
        type="button"
        aria-label={`${row.symbol} on watchlist`}
        aria-pressed={starred}
        onClick={() => toggleStar(row.id)}
        className="relative z-10 -my-2 grid size-9 shrink-0 place-items-center rounded-ctl text-ink-3 hover:text-ink aria-pressed:text-accent"
      >
        <Star className={cx('size-4', starred && 'fill-current')} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <CoinMark symbol={row.symbol} id={row.id} />
      <button
        type="button"
        aria-expanded={open}
        disabled={fixed}
        onClick={() => onToggle(open ? null : row.id)}
        className="min-w-0 text-left leading-4 after:absolute after:inset-0 disabled:cursor-default"
      >
        <span className="flex items-center gap-1.5 font-semibold">
          {row.symbol}
          {stale && <span className="text-2xs font-medium text-warn">Stale</span>}
        </span>
        <span className="label block truncate">{row.name}</span>
      </button>
    </div>
  );
}

function Figures({ row, board }: RowProps) {
  return (
    <>
      <td className="num text-right font-semibold">
        <FigureOriginCell figure="price" live={board ? 'price' : undefined}>
          {board ? price(row.price) : <LivePrice row={row} />}
        </FigureOriginCell>
      </td>
      <td className="text-right text-sm max-sm:!pr-4">
        <FigureOriginCell figure="change_24h">
          {board ? <Change value={row.change_24h} live /> : <LiveChange row={row} />}
        </FigureOriginCell>
      </td>
    </>
  );
}

function Range({ row }: { row: CryptoPrice }) {
  if (row.low_24h === null || row.high_24h === null) return <>–</>;
  return (
    <>
      <RangeBar low={row.low_24h} high={row.high_24h} value={row.price} />
      <span className="num mt-1.5 flex justify-between text-[10px] leading-none text-ink-3">
        <span>{short(row.low_24h)}</span>
        <span>{short(row.high_24h)}</span>
      </span>
    </>
  );
}

const COMPUTED = 'underline decoration-dotted decoration-ink-3 underline-offset-4';

const PriceRow = memo(function PriceRow(props: RowProps) {
  const { row, points, board, open } = props;
  const cap = cx(row.listing.method === 'computed' && COMPUTED);
  return (
    <tr
      data-coin={row.id}
      className={cx(
        'price-columns relative h-[3.0625rem] border-t border-line *:px-2 hover:bg-raised/50',
        board && '[content-visibility:auto]',
        open && 'bg-raised/50',
      )}
    >
      <th scope="row" className="!pl-2 text-left font-normal">
        <Asset {...props} />
      </th>
      <Figures {...props} />
      <td className="hidden text-right text-sm md:block">
        <FigureOriginCell figure="change_7d">
          <Change value={row.change_7d} />
        </FigureOriginCell>
      </td>
      <td className="hidden !pl-6 xl:block">{points && <Spark points={points} width={104} height={26} />}</td>
      <td className="hidden min-[88rem]:block">
        <FigureOriginCell figure="range" className="block w-full">
          <Range row={row} />
        </FigureOriginCell>
      </td>
      <td className="num hidden text-right text-sm text-ink-2 sm:block">
        <FigureOriginCell figure="volume_24h">
          {row.volume_24h === null ? '–' : `$${compact(row.volume_24h)}`}
        </FigureOriginCell>
      </td>
      <td className="num hidden !pr-4 text-right text-sm text-ink-2 sm:block">
        <FigureOriginCell figure="market_cap" live={board ? 'cap' : undefined} className={cap}>
          {board ? capText(row.market_cap) : <LiveCap row={row} />}
        </FigureOriginCell>
      </td>
    </tr>
  );
});

const CoinDetail = part<ComponentProps<typeof import('./coin-detail.tsx').CoinDetail>>({
  name: 'The detail',
  load: async () => (await import('./coin-detail.tsx')).CoinDetail,
  loading: <div className="skel m-4 min-h-[49rem]" />,
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
