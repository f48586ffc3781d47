import { startTransition, useCallback, useMemo, useOptimistic } from 'react';

import { useSearchParams } from './search-params.ts';

export type ChangeFilter<F> = (change: Partial<F>) => void;

/**
 * A filter that lives in the address: Back brings the same list, and a view can be sent to somebody. What is chosen counts at
 * once, as a box that is checked must not fall back until the address follows.
 */
export function useAddressFilter<F>(
  parse: (params: URLSearchParams) => F,
  write: (params: URLSearchParams, filter: F) => URLSearchParams,
): readonly [F, ChangeFilter<F>] {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => parse(params), [params, parse]);
  const [chosen, choose] = useOptimistic(filter, (now, next: Partial<F>): F => ({ ...now, ...next }));
  const change = useCallback<ChangeFilter<F>>(
    (next) =>
      startTransition(() => {
        choose(next);
        setParams((now) => write(now, { ...parse(now), ...next }), { replace: true, preventScrollReset: true });
      }),
    [choose, setParams, parse, write],
  );
  return [chosen, change];
}
