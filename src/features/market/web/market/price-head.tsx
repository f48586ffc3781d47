import { cx } from '#ui/cx.ts';

import type { Column, Sort } from './sorting.ts';

export const HEADS: readonly { column: Column | 'spark'; title: string; className: string; left?: boolean }[] = [
  { column: 'asset', title: 'Asset', className: '!pl-4', left: true },
  { column: 'price', title: 'Price (USD)', className: '' },
  { column: 'change_24h', title: '24h', className: 'max-sm:!pr-4' },
  { column: 'change_7d', title: '7d', className: 'hidden md:block' },
  { column: 'spark', title: 'Last 7 days', className: 'hidden !pl-6 xl:block', left: true },
  { column: 'range', title: '24h range', className: 'hidden min-[88rem]:block', left: true },
  { column: 'volume_24h', title: 'Volume', className: 'hidden sm:block' },
  { column: 'market_cap', title: 'Market cap', className: 'hidden !pr-4 sm:block' },
];

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
    <thead className={cx('block', onSort && 'sticky top-14 z-10 bg-surface')}>
      <tr className="price-columns label h-8 *:px-2 *:font-medium">
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
