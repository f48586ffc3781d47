import { useSyncExternalStore } from 'react';

import { cx } from '#web/ui/cx.ts';

import type { Column, Sort } from './sorting.ts';

export const HEADS: readonly { column: Column | 'spark'; title: string; className: string; left?: boolean }[] = [
  { column: 'asset', title: 'Asset', className: '!pl-4', left: true },
  { column: 'price', title: 'Price', className: 'w-[7.25rem] sm:w-32' },
  { column: 'change_24h', title: '24h', className: 'w-[6.25rem] max-sm:!pr-4 sm:w-24' },
  { column: 'change_7d', title: '7d', className: 'hidden w-24 md:table-cell' },
  { column: 'spark', title: 'Last 7 days', className: 'hidden w-36 !pl-6 xl:table-cell', left: true },
  { column: 'range', title: '24h range', className: 'hidden w-44 min-[88rem]:table-cell', left: true },
  { column: 'volume_24h', title: 'Volume', className: 'hidden w-28 sm:table-cell' },
  { column: 'market_cap', title: 'Market cap', className: 'hidden w-32 !pr-4 sm:table-cell' },
];

/** Columns shown from each width on; a cell that spans more than there are would squeeze the rest. */
const SHOWN = [
  ['(min-width: 88rem)', 8],
  ['(min-width: 80rem)', 7],
  ['(min-width: 48rem)', 6],
  ['(min-width: 40rem)', 5],
] as const;

const columns = (): number => SHOWN.find(([query]) => matchMedia(query).matches)?.[1] ?? 3;

function onResize(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}

export const useColumnCount = (): number => useSyncExternalStore(onResize, columns, () => HEADS.length);

function Arrow({ sort, column }: { sort: Sort; column: Column }) {
  if (sort?.column !== column) return null;
  return <span aria-hidden="true">{sort.descending ? '↓' : '↑'}</span>;
}

function ariaSort(sort: Sort, column: string): 'ascending' | 'descending' | 'none' {
  if (sort?.column !== column) return 'none';
  return sort.descending ? 'descending' : 'ascending';
}

type Props = { sort: Sort; onSort?: ((column: Column) => void) | undefined };

export function PriceHead({ sort, onSort }: Props) {
  return (
    <thead>
      <tr className={cx('label h-8 *:px-2 *:font-medium', onSort && '*:sticky *:top-14 *:z-10 *:bg-surface')}>
        {HEADS.map(({ column, title, className, left }) => (
          <th
            key={column}
            scope="col"
            aria-sort={onSort && column !== 'spark' ? ariaSort(sort, column) : undefined}
            className={cx(className, left ? 'text-left' : 'text-right')}
          >
            {onSort && column !== 'spark' ? (
              <button
                type="button"
                onClick={() => onSort(column)}
                className={cx(
                  'inline-flex h-7 items-center gap-1 rounded-chip font-medium whitespace-nowrap hover:text-ink',
                  !left && 'flex-row-reverse',
                  sort?.column === column && 'text-ink',
                )}
              >
                {title}
                <Arrow sort={sort} column={column} />
              </button>
            ) : (
              title
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}
