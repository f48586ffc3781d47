import type { CryptoPrice } from '#features/market/contract/market.ts';

export const COLUMNS = ['asset', 'price', 'change_24h', 'change_7d', 'range', 'volume_24h', 'market_cap'] as const;
export type Column = (typeof COLUMNS)[number];
export type Sort = { column: Column; descending: boolean } | null;

export const sortText = (sort: Sort) => sort && `${sort.column}-${sort.descending ? 'desc' : 'asc'}`;

export const parseSort = (text: string | null): Sort =>
  COLUMNS.flatMap((column) => [true, false].map((descending) => ({ column, descending }))).find(
    (sort) => sortText(sort) === text,
  ) ?? null;

/** Numbers sort descending first, names ascending. The third click returns to market cap order. */
export function nextSort(sort: Sort, column: Column): Sort {
  const first = column !== 'asset';
  if (sort?.column !== column) return { column, descending: first };
  return sort.descending === first ? { column, descending: !first } : null;
}

/** Position of the price between low and high, 0 to 1. */
export function positionInRange({ price, low_24h: low, high_24h: high }: CryptoPrice): number | null {
  return low === null || high === null || high <= low ? null : (price - low) / (high - low);
}

function figure(row: CryptoPrice, column: Exclude<Column, 'asset'>): number | null {
  return column === 'range' ? positionInRange(row) : row[column];
}

const byCap = (a: CryptoPrice, b: CryptoPrice) => (b.market_cap ?? -1) - (a.market_cap ?? -1);

/** Coins without the figure are last in both directions; ties keep market cap order. */
export function sorted(rows: readonly CryptoPrice[], sort: Sort): CryptoPrice[] {
  const ordered = rows.toSorted(byCap);
  if (!sort) return ordered;
  const { column, descending } = sort;
  const turn = descending ? -1 : 1;
  if (column === 'asset') return ordered.toSorted((a, b) => turn * a.symbol.localeCompare(b.symbol, 'en'));
  return ordered.toSorted((a, b) => {
    const [x, y] = [figure(a, column), figure(b, column)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return turn * (x - y);
  });
}

export function matches({ symbol, name, id }: CryptoPrice, words: string): boolean {
  const wanted = words.trim().toLowerCase();
  return [symbol, name, id].some((text) => text.toLowerCase().includes(wanted));
}
