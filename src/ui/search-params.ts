import { startTransition, useCallback, useMemo, useOptimistic, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';

type Update = (params: URLSearchParams) => URLSearchParams;

/** A step is an entry of the browser’s history that Back undoes; anything else replaces the present entry. */
export type ChangeParams = (update: Update, isStep?: boolean) => void;

const never = () => () => {};

/**
 * What the address asks for after the question mark, and how to ask for something else. A change shows at once, before the
 * page has followed. The server prepares the dashboard for everyone: what the query asks of it appears after hydration.
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
        // The page may not have followed the newest address yet.
        void navigate(`?${update(new URLSearchParams(location.search)).toString()}`, { replace: !isStep });
      }),
    [navigate, show],
  );
  return [shown, change];
}

/** Writes texts into an address; an empty one leaves no parameter. */
export function writeTexts(params: URLSearchParams, texts: Readonly<Record<string, string | null>>): URLSearchParams {
  for (const [name, text] of Object.entries(texts))
    if (text) params.set(name, text);
    else params.delete(name);
  return params;
}
