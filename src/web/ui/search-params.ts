import { useCallback, useMemo } from 'react';

import { type Step, useLocation, useNavigate } from './router.tsx';

export type ChangeParams = (change: (params: URLSearchParams) => URLSearchParams, options?: Step) => void;

/** What the address asks for after the question mark, and how to ask for something else. */
export function useSearchParams(): readonly [URLSearchParams, ChangeParams] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback<ChangeParams>(
    (next, options) => navigate(`?${next(new URLSearchParams(search)).toString()}`, options),
    [navigate, search],
  );
  return [params, change];
}
