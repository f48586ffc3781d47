import { startTransition, useCallback, useMemo, useOptimistic, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';

type Update = (params: URLSearchParams) => URLSearchParams;

/** A step adds a browser history entry that Back undoes; any other change replaces the current entry. */
export type ChangeParams = (update: Update, isStep?: boolean) => void;

const never = () => () => {};

/**
 * The query parameters of the address, and how to change them. A change shows immediately, before the page has
 * navigated. The server renders the dashboard without parameters: they take effect after hydration.
 */
export function useSearchParams(): readonly [URLSearchParams, ChangeParams] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const asked = useSyncExternalStore(
    never,
    () => search,
    () => (pathname === '/app' ? '' : search),
  );
  const params = useMemo(() => new URLSearchParams(asked), [asked]);
  const [shown, show] = useOptimistic(params, (now, update: Update) => update(new URLSearchParams(now)));
  const change = useCallback<ChangeParams>(
    (update, isStep) =>
      startTransition(() => {
        show(update);
        // The page may not have navigated to the newest address yet.
        void navigate(`?${update(new URLSearchParams(location.search)).toString()}`, { replace: !isStep });
      }),
    [navigate, show],
  );
  return [shown, change];
}

/** Writes texts into the query; an empty one removes its parameter. */
export function writeTexts(params: URLSearchParams, texts: Readonly<Record<string, string | null>>): URLSearchParams {
  for (const [name, text] of Object.entries(texts))
    if (text) params.set(name, text);
    else params.delete(name);
  return params;
}
