import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { getUsage, listKeys } from '#features/api/contract/api-keys.ts';
import { call } from '#ui/api/client.ts';
import { useSubmit } from '#ui/use-submit.ts';

const USAGE_MS = 60_000;

export const keysQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['api-keys', 'list', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(listKeys, {}, signal),
    staleTime: 0,
  });

/** Calls are made by programs, so usage is refetched while the page is open. */
export const usageQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['api-keys', 'usage', token],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getUsage, {}, signal),
    staleTime: 0,
    refetchInterval: USAGE_MS,
  });

/** The list is refetched in any case: it shows the outcome, as a failure is only logged. */
export function useKeyAct(failed: string, act: (signal: AbortSignal) => Promise<unknown>) {
  const queries = useQueryClient();
  return useSubmit(failed, async (signal) => {
    try {
      await act(signal);
    } catch (error) {
      // oxlint-disable-next-line no-console -- specified: logged, without a word to the person
      if (!signal.aborted) console.warn(`API keys: ${failed}`, error);
    }
    void queries.invalidateQueries({ queryKey: ['api-keys'] });
  });
}
