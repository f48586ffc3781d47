import { useCallback } from 'react';
import { useSearchParams, writeTexts } from '#ui/search-params.ts';

/** One query parameter of the address, null when absent. */
export function useAddress(name: string, replace = false) {
  const [params, change] = useSearchParams();
  const set = useCallback(
    (text: string | null) => change((now) => writeTexts(now, { [name]: text }), !replace),
    [change, name, replace],
  );
  return [params.get(name), set] as const;
}
