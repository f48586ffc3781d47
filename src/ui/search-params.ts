import { useCallback, useMemo } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router';

export type ChangeParams = (change: (params: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void;

/** What the address asks for after the question mark, and how to ask for something else. */
export function useSearchParams(): readonly [URLSearchParams, ChangeParams] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback<ChangeParams>(
    (next, options) => void navigate(`?${next(new URLSearchParams(search)).toString()}`, options),
    [navigate, search],
  );
  return [params, change];
}
