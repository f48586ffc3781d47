import { queryOptions, useQuery } from '@tanstack/react-query';
import { getPredictions } from '#features/analysis/contract/analysis.ts';
import { call } from '#ui/api/client.ts';
import { Empty } from '#ui/states.tsx';

const AGAIN_MS = 5_000;

export const predictionsQuery = queryOptions({
  queryKey: ['predictions'],
  queryFn: ({ signal }) => call(getPredictions, {}, signal),
  staleTime: 60_000,
  refetchInterval: ({ state }) => (typeof state.data?.preparing === 'number' ? AGAIN_MS : false),
});

/** "Preparing demo history: 40%" while that applies; fetched only when there is nothing else to show. */
export function usePreparing(enabled: boolean): string | null {
  const { data } = useQuery({ ...predictionsQuery, enabled });
  return typeof data?.preparing === 'number' ? `Preparing demo history: ${data.preparing}%` : null;
}

const NOTE = 'This takes about 15 seconds.';

type Props = { note: string /** An earlier moment is shown: nothing will come. */; past?: boolean };

/** There is no analysis, or none yet while the demo writes its history. */
export function NoAnalysis({ note, past = false }: Props) {
  const preparing = usePreparing(!past);
  const title = preparing ?? 'No analysis data available';
  // Changed centred text is a layout shift; a new element is not.
  return <Empty key={title} title={title} note={preparing ? NOTE : note} />;
}
