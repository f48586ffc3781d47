import { useCallback, useSyncExternalStore } from 'react';
import { useSearchParams } from '#ui/search-params.ts';

const never = () => () => {};

/** The server prepares one page for everyone: what the query asks for appears after hydration. */
export function useAddress(name: string, replace = false) {
  const [params, setParams] = useSearchParams();
  const asked = useSyncExternalStore(
    never,
    () => params.get(name),
    () => null,
  );
  const set = useCallback(
    (value: string | null) =>
      setParams(
        (old) => {
          if (value) old.set(name, value);
          else old.delete(name);
          return old;
        },
        { replace, preventScrollReset: true },
      ),
    [setParams, name, replace],
  );
  return [asked, set] as const;
}
