import type { ReactNode } from 'react';
import { HISTORY_TYPES } from '#features/exports/contract/history.ts';
import { TYPE_NAMES } from '#features/exports/contract/history-names.ts';
import { Select } from '#ui/select.tsx';
import {
  type ChangeView,
  COLUMNS,
  type ColumnName,
  parseSort,
  RANGE_DAYS,
  RANGES,
  type RangeName,
  type Sort,
  sortText,
  type View,
} from './view.ts';

const RANGE_NAMES: Record<RangeName, string> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '1y': 'Last year',
  all: 'All time',
  custom: 'Custom range',
};

type Props = {
  view: View;
  change: ChangeView;
  symbols: readonly string[];
  days: number | null;
  /** Action for the selection, at the end of the row. */
  action: ReactNode;
};

const isLocked = (range: RangeName, days: number | null) =>
  days !== null && range !== 'custom' && (RANGE_DAYS[range] ?? days + 1) > days;

/** Type, symbol and range; ranges outside the plan name the plan that includes them. */
export function Choices({ view, change, symbols, days, action }: Props) {
  const known = view.symbol === '' || symbols.includes(view.symbol) ? symbols : [view.symbol, ...symbols];
  const range = isLocked(view.range, days) ? '30d' : view.range;
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2 px-4 pb-3">
      <Choice
        label="Data type"
        value={view.type}
        onText={(text) => {
          const type = HISTORY_TYPES.find((each) => each === text);
          if (type) change({ type, symbol: '' });
        }}
      >
        {HISTORY_TYPES.map((type) => (
          <option key={type} value={type}>
            {TYPE_NAMES[type]}
          </option>
        ))}
      </Choice>
      <Choice label="Symbol" value={view.symbol} onText={(symbol) => change({ symbol })}>
        <option value="">{view.type === 'CRYPTO_PRICE' ? 'Tracked coins' : 'All'}</option>
        {known.map((symbol) => (
          <option key={symbol} value={symbol}>
            {symbol}
          </option>
        ))}
      </Choice>
      <Choice
        label="Range"
        value={range}
        onText={(text) => {
          const chosen = RANGES.find((each) => each === text);
          if (chosen) change({ range: chosen });
        }}
      >
        {RANGES.map((name) => (
          <option key={name} value={name} disabled={isLocked(name, days)}>
            {RANGE_NAMES[name]}
            {isLocked(name, days) ? ' (Pro)' : ''}
          </option>
        ))}
      </Choice>
      {view.range === 'custom' && (
        <>
          <Day label="From" value={view.from} onText={(from) => change({ from })} />
          <Day label="To" value={view.to} onText={(to) => change({ to })} />
        </>
      )}
      <div className="ml-auto">{action}</div>
    </div>
  );
}

const DAY = 'h-8 max-w-60 min-w-0 rounded-ctl border border-ink-3/75 bg-surface px-2 text-sm font-medium';

type ChoiceProps = { label: string; value: string; onText: (text: string) => void; children: ReactNode };

const Choice = ({ label, value, onText, children }: ChoiceProps) => (
  <label className="grid min-w-0 gap-1">
    <span className="label">{label}</span>
    <Select value={value} onText={onText}>
      {children}
    </Select>
  </label>
);

const Day = ({ label, value, onText }: Omit<ChoiceProps, 'children'>) => (
  <label className="grid min-w-0 gap-1">
    <span className="label">{label}</span>
    <input type="date" className={DAY} value={value} onChange={(event) => onText(event.target.value)} />
  </label>
);

const SORT_NAMES: Record<ColumnName, readonly [ascending: string, descending: string]> = {
  time: ['Oldest first', 'Newest first'],
  symbol: ['Symbol A to Z', 'Symbol Z to A'],
  value: ['Lowest value first', 'Highest value first'],
  change: ['Lowest change first', 'Highest change first'],
  percent: ['Lowest % change first', 'Highest % change first'],
  source: ['Source A to Z', 'Source Z to A'],
};

/** The same as the column headers of the table. */
export function SortChoice({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  return (
    <Select aria-label="Sort" className="sm:ml-auto" value={sortText(sort)} onText={(text) => onSort(parseSort(text))}>
      <option value="">Default order</option>
      {COLUMNS.flatMap((column) =>
        SORT_NAMES[column].map((name, i) => (
          <option key={name} value={sortText({ column, descending: i === 1 })}>
            {name}
          </option>
        )),
      )}
    </Select>
  );
}
