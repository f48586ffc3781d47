import { HISTORY_TYPES, type HistoryRecord, type HistoryType } from '#features/exports/contract/history.ts';
import type { ChangeFilter as Change } from '#ui/address-filter.ts';
import { writeTexts } from '#ui/search-params.ts';

export const COLUMNS = ['time', 'symbol', 'value', 'change', 'percent', 'source'] as const;
export type ColumnName = (typeof COLUMNS)[number];
export type Sort = { column: ColumnName; descending: boolean } | null;

export const RANGES = ['7d', '30d', '90d', '1y', 'all', 'custom'] as const;
export type RangeName = (typeof RANGES)[number];
export const RANGE_DAYS: Partial<Record<RangeName, number>> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 };

/** State stored in the URL. Days as 2026-01-31, empty if not set. */
export type View = { type: HistoryType; symbol: string; sort: Sort; range: RangeName; from: string; to: string };
export type ChangeView = Change<View>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MAX_SYMBOL_LENGTH = 40;
const dayIn = (text: string | null) => (text && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '');

export const sortText = (sort: Sort): string => (sort ? `${sort.column}-${sort.descending ? 'desc' : 'asc'}` : '');

export function parseSort(text: string | null): Sort {
  const [name, order] = (text ?? '').split('-');
  const column = COLUMNS.find((each) => each === name);
  if (!column || (order !== 'asc' && order !== 'desc')) return null;
  return { column, descending: order === 'desc' };
}

export function parseView(params: URLSearchParams): View {
  const [from, to] = [dayIn(params.get('from')), dayIn(params.get('to'))];
  return {
    type: HISTORY_TYPES.find((type) => type === params.get('type')) ?? 'CRYPTO_PRICE',
    symbol: (params.get('symbol') ?? '').slice(0, MAX_SYMBOL_LENGTH),
    sort: parseSort(params.get('sort')),
    range: RANGES.find((range) => range === params.get('range')) ?? '30d',
    from,
    to,
  };
}

export function writeView(params: URLSearchParams, { type, symbol, sort, range, from, to }: View): URLSearchParams {
  const isCustom = range === 'custom';
  return writeTexts(params, {
    type: type === 'CRYPTO_PRICE' ? '' : type,
    symbol,
    sort: sortText(sort),
    range: range === '30d' ? '' : range,
    from: isCustom ? from : '',
    to: isCustom ? to : '',
  });
}

const DAY_MS = 86_400_000;

/** Start and end of a view; a relative range starts at the beginning of its first day. */
export function rangeMoments({ range, from, to }: View, nowMs: number): { from?: string; to?: string } {
  if (range === 'custom')
    return {
      ...(from ? { from: `${from}T00:00:00.000Z` } : {}),
      ...(to ? { to: `${to}T23:59:59.999Z` } : {}),
    };
  const days = RANGE_DAYS[range];
  if (days === undefined) return {};
  return { from: `${new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10)}T00:00:00.000Z` };
}

/** Ascending, then descending, then the original order. */
export function nextSort(sort: Sort, column: ColumnName): Sort {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? null : { column, descending: true };
}

type Key = string | number | null;
const KEYS: Record<ColumnName, (record: HistoryRecord) => Key> = {
  time: ({ timestamp }) => timestamp,
  symbol: ({ symbol }) => symbol,
  value: ({ value }) => value,
  change: ({ change }) => change,
  percent: ({ change_percent: share }) => share,
  source: ({ source }) => source,
};

/** Missing values are last in either direction. */
export function sorted(records: readonly HistoryRecord[], sort: Sort): readonly HistoryRecord[] {
  if (!sort) return records;
  const key = KEYS[sort.column];
  const sign = sort.descending ? -1 : 1;
  return records.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (x === y) return 0;
    return x < y ? -sign : sign;
  });
}
