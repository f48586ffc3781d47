import { useMemo, useState } from 'react';

import type { CryptoPrice } from '../contract.ts';
import { trackedRows } from './quote.ts';
import { type Column, matches, nextSort, type Sort, sorted } from './sorting.ts';
import { useWatchlist } from './watchlist.ts';

type Input = {
  rows: readonly CryptoPrice[];
  /** Names the collection the rows come from. Order follows it, not every tick: rows must not jump under the pointer. */
  collection: string;
  selected: string | null;
};

export function usePriceList({ rows, collection, selected }: Input) {
  const stars = useWatchlist();
  const [expanded, setExpanded] = useState(false);
  const [onlyStarred, setOnlyStarred] = useState(false);
  const [words, setWords] = useState('');
  const [sort, setSort] = useState<Sort>(null);

  const [collected, setCollected] = useState({ collection, rows });
  if (collected.collection !== collection || collected.rows.length !== rows.length) setCollected({ collection, rows });
  const order = useMemo(() => new Map(sorted(collected.rows, sort).map(({ id }, i) => [id, i])), [collected, sort]);

  const listed = expanded || onlyStarred;
  const shown = useMemo(() => {
    if (!listed) {
      const top = trackedRows(rows);
      const pinned = rows.find(({ id }) => id === selected);
      return pinned && !top.includes(pinned) ? [...top, pinned] : top;
    }
    return rows
      .filter((row) => (!onlyStarred || stars.has(row.id)) && matches(row, words))
      .toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  }, [rows, listed, onlyStarred, stars, words, order, selected]);

  return {
    shown,
    stars,
    listed,
    expanded,
    onlyStarred,
    words,
    sort,
    setWords,
    sortBy: (column: Column) => setSort((now) => nextSort(now, column)),
    toggleExpanded: () => {
      setExpanded(!expanded);
      setWords('');
      setSort(null);
      setOnlyStarred(false);
    },
    toggleStarred: () => setOnlyStarred(!onlyStarred),
  };
}
