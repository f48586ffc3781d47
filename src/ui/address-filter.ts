import { startTransition, useCallback, useLayoutEffect, useMemo, useOptimistic, useRef } from 'react';

import { useSearchParams } from './search-params.ts';

export type ChangeFilter<F> = (change: Partial<F>) => void;

/**
 * A filter that lives in the address: Back brings the same list, and a view can be sent to somebody. What is chosen counts at
 * once, as a box that is checked must not fall back until the address follows; the next choice adds to it for the same reason.
 */
export function useAddressFilter<F>(
  parse: (params: URLSearchParams) => F,
  write: (params: URLSearchParams, filter: F) => URLSearchParams,
): readonly [F, ChangeFilter<F>] {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => parse(params), [params, parse]);
  const [chosen, choose] = useOptimistic(filter);
  const newest = useRef(chosen);
  useLayoutEffect(() => {
    newest.current = chosen;
  }, [chosen]);
  const change = useCallback<ChangeFilter<F>>(
    (next) =>
      startTransition(() => {
        const filter = { ...newest.current, ...next };
        newest.current = filter;
        choose(filter);
        setParams((now) => write(now, filter), { replace: true, preventScrollReset: true });
      }),
    [choose, setParams, write],
  );
  return [chosen, change];
}
