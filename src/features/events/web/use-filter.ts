import { useCallback, useMemo } from 'react';

import { useSearchParams } from '#web/ui/search-params.ts';

import { type EventFilter, parseFilter, writeFilter } from './filter.ts';

export type ChangeFilter = (change: Partial<EventFilter>) => void;

/** The filter lives in the address, so that a view can be sent to somebody. */
export function useFilter(): readonly [EventFilter, ChangeFilter] {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => parseFilter(params), [params]);
  const change = useCallback<ChangeFilter>(
    (next) =>
      setParams((now) => writeFilter(now, { ...parseFilter(now), ...next }), {
        replace: true,
        preventScrollReset: true,
      }),
    [setParams],
  );
  return [filter, change];
}
