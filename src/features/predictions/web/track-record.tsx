import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import type { Backtest } from '../contract.ts';
import { Calls } from './calls.tsx';
import { CellCard } from './cell-card.tsx';
import { HowComputed } from './how-computed.tsx';
import { LedgerCard } from './ledger-card.tsx';
import { PoolCard } from './pool-card.tsx';
import { backtestQuery } from './queries.ts';
import { SkillGrid } from './skill-grid.tsx';
import { keyOf } from './words.ts';

const CARD = { id: 'skill', title: 'Skill against climatology', className: 'min-h-[24rem]' };

/** The whole record: skill first, then calibration, then numbers and dates, then hit rates, then every call. */
export function TrackRecord() {
  const query = useQuery(backtestQuery);
  return (
    <div className="grid grid-cols-1 gap-3">
      <QueryView
        query={query}
        card={CARD}
        failed="Failed to load the track record"
        isEmpty={({ cells }) => cells.length === 0}
        empty={<Empty title="No call has been made yet" note="The record begins with the first analysis." />}
      >
        {(data) => <Loaded data={data} />}
      </QueryView>
      <Calls providers={[...new Set(query.data?.cells.map(({ provider }) => provider))]} />
      <LedgerCard />
      <HowComputed />
    </div>
  );
}

function Loaded({ data }: { data: Backtest }) {
  const [chosen, choose] = useState<string | null>(null);
  const cell = data.cells.find((each) => keyOf(each) === chosen) ?? data.headline ?? data.cells[0];
  return (
    <>
      <SkillGrid data={data} chosen={cell ? keyOf(cell) : null} onChoose={choose} />
      {cell && <CellCard key={keyOf(cell)} cell={cell} cells={data.cells} at={data.timestamp} onChoose={choose} />}
      {data.pools.length > 0 && <PoolCard pools={data.pools} at={data.timestamp} />}
    </>
  );
}
