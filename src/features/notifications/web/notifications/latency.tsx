import { useQuery } from '@tanstack/react-query';

import { Button } from '#ui/button.tsx';

import { LatencyTable } from './latency-table.tsx';
import { latencyQuery } from './queries.ts';

/** Measured latency of alerts per channel, across all users. */
export function Latency() {
  const { data, isError, refetch } = useQuery(latencyQuery);
  if (!data)
    return isError ? (
      <div role="alert" className="flex flex-wrap items-center gap-3 text-sm">
        <p>Couldn’t load delivery times.</p>
        <Button className="max-sm:h-10" onClick={() => void refetch()}>
          Retry
        </Button>
      </div>
    ) : (
      <div className="skel h-40" />
    );
  return <LatencyTable latency={data} />;
}
