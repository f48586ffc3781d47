import { memo, type RefObject, type UIEvent, useEffect, useRef, useState } from 'react';
import type { HistoryRecord } from '#features/exports/contract/history.ts';
import { changeInUnit, unitText, valueText } from '#features/exports/contract/history-names.ts';
import { ago, dateTime } from '#shared/format.ts';
import { Change, direction } from '#ui/change.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';
import { type ColumnName, nextSort, type Sort } from './view.ts';

const ROW = 40;
const MARGIN = 20;
/** Lists this short are rendered in full. */
const FEW = 150;
const ASSUMED_HEIGHT = 640;

/** Which rows of the scrolled list to render, and the heights of the gaps before and after. */
function useWindow(box: RefObject<HTMLElement | null>, count: number) {
  const [scrolled, setScrolled] = useState({ top: 0, height: ASSUMED_HEIGHT });
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const read = () => setScrolled({ top: element.scrollTop, height: element.clientHeight || ASSUMED_HEIGHT });
    element.addEventListener('scroll', read, { passive: true });
    return () => element.removeEventListener('scroll', read);
  }, [box]);
  if (count <= FEW) return { first: 0, end: count, before: 0, after: 0, row: ROW };
  const most = Math.max(0, count - 1);
  const first = Math.max(0, Math.min(most, Math.floor(scrolled.top / ROW)) - MARGIN);
  const end = Math.min(count, Math.ceil((scrolled.top + scrolled.height) / ROW) + MARGIN);
  return { first, end, before: first * ROW, after: (count - end) * ROW, row: ROW };
}

const HEADS: readonly (readonly [ColumnName, string, string?])[] = [
  ['time', 'Time, UTC'],
  ['symbol', 'Symbol'],
  ['value', 'Value', 'text-right'],
  ['change', 'Change', 'text-right'],
  ['percent', '% change', 'text-right'],
  ['source', 'Source, fetched'],
];
const NEAR_THE_END = 400;

type Props = {
  rows: readonly HistoryRecord[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** The end of the loaded rows is near. */
  onEnd: () => void;
};

/** Rows in a scroll container; long lists are virtualised. */
export function HistoryTable({ rows, sort, onSort, onEnd }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { first, end, before, after } = useWindow(box, rows.length);
  const onScroll = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent) => {
    if (scrollHeight - scrollTop - clientHeight < NEAR_THE_END) onEnd();
  };
  return (
    <div
      ref={box}
      role="region"
      aria-label="Stored values"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
      tabIndex={0}
      onScroll={onScroll}
      className="max-h-[26rem] overflow-auto border-t border-line"
    >
      <table className="num w-full text-left text-sm" aria-rowcount={rows.length + 1}>
        <thead className="sticky top-0 z-10 bg-surface">
          <tr aria-rowindex={1}>
            {HEADS.map(([column, name, align]) => (
              <Head key={column} column={column} name={name} align={align} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:h-10 [&_td]:border-t [&_td]:border-line [&_td]:px-2 [&_td]:whitespace-nowrap [&_td:first-child]:pl-4 [&_td:last-child]:pr-4">
          <Gap height={before} />
          {rows.slice(first, end).map((record, i) => (
            <Row key={record.id} record={record} index={first + i + 2} />
          ))}
          <Gap height={after} />
        </tbody>
      </table>
    </div>
  );
}

const Gap = ({ height }: { height: number }) => height > 0 && <tr aria-hidden="true" style={{ height }} />;

type HeadProps = Pick<Props, 'sort' | 'onSort'> & { column: ColumnName; name: string; align: string | undefined };

const ORDER = { none: 'none', up: 'ascending', down: 'descending' } as const;

function Head({ column, name, align, sort, onSort }: HeadProps) {
  const state = sort?.column === column ? (sort.descending ? 'down' : 'up') : 'none';
  return (
    <th scope="col" aria-sort={ORDER[state]} className={cx('px-2 first:pl-4 last:pr-4', align)}>
      <button
        type="button"
        onClick={() => onSort(nextSort(sort, column))}
        className={cx(
          'label inline-flex h-9 items-center gap-1 font-medium whitespace-nowrap hover:text-ink',
          state !== 'none' && 'text-ink!',
        )}
      >
        {name}
        <span aria-hidden="true">{{ none: '↕', up: '↑', down: '↓' }[state]}</span>
      </button>
    </th>
  );
}

const minute = (iso: string) => dateTime(Date.parse(iso)).replace(/:\d\d UTC$/, '');

const Row = memo(function Row({ record, index }: { record: HistoryRecord; index: number }) {
  const { timestamp, symbol, value, unit, change, change_percent: share, source, fetchedAt, method } = record;
  return (
    <tr aria-rowindex={index}>
      <td className="text-ink-2">{minute(timestamp)}</td>
      <td className="font-semibold">{symbol}</td>
      <td className="text-right">
        {valueText(value, unit)}
        {unitText(unit) && <span className="text-xs text-ink-3"> {unitText(unit)}</span>}
      </td>
      <td className="text-right">
        {change === null ? (
          <span className="text-ink-3">–</span>
        ) : (
          <span className={TONES[direction(Math.sign(change))]}>{changeInUnit(change, unit)}</span>
        )}
      </td>
      <td className="text-right">
        <Change value={share} />
      </td>
      <td className="text-xs text-ink-3" title={`${method}, fetched ${dateTime(Date.parse(fetchedAt))}`}>
        {source}, <Age of={fetchedAt} /> · {method}
      </td>
    </tr>
  );
});

const TONES = { up: 'text-up', down: 'text-down', flat: 'text-ink-2', none: '' } as const;

function Age({ of }: { of: string }) {
  const now = useNow(60_000);
  return <>{ago(now - Date.parse(of)).toLowerCase()}</>;
}
