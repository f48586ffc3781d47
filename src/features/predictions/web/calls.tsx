import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { SELECT } from '#web/ui/select.ts';
import { Empty } from '#web/ui/states.tsx';
import { type CallState, HORIZONS, SYMBOLS } from '../contract.ts';
import { CallTable } from './call-table.tsx';
import { type CallsFilter, callsQuery } from './queries.ts';
import { HORIZON_WORDS, providerName } from './words.ts';

const NONE: CallsFilter = { provider: null, asset: null, horizon: null, state: null };
const STATES: readonly (readonly [CallState, string])[] = [
  ['open', 'Open'],
  ['graded', 'Graded'],
  ['void', 'Void'],
];

/** Every call and its outcome, newest first. */
export function Calls({ providers }: { providers: readonly string[] }) {
  const [filter, setFilter] = useState(NONE);
  const query = useInfiniteQuery(callsQuery(filter));
  const choose = (change: Partial<CallsFilter>) => setFilter({ ...filter, ...change });
  return (
    <Card
      id="calls"
      title="Every call and its outcome"
      className="min-h-[34rem]"
      action={
        <div className="flex flex-wrap gap-1.5">
          <Choice
            label="Provider"
            value={filter.provider}
            options={providers.map((id) => [id, providerName(id)])}
            onChange={(provider) => choose({ provider })}
          />
          <Choice
            label="Asset"
            value={filter.asset}
            options={SYMBOLS.map((name) => [name, name])}
            onChange={(asset) => choose({ asset })}
          />
          <Choice
            label="Horizon"
            value={filter.horizon}
            options={HORIZONS.map((name) => [name, HORIZON_WORDS[name]])}
            onChange={(name) => choose({ horizon: name })}
          />
          <Choice label="State" value={filter.state} options={STATES} onChange={(state) => choose({ state })} />
        </div>
      }
    >
      <QueryView
        query={query}
        loading={<div className="skel mx-4 h-80" />}
        failed="Failed to load the calls"
        isEmpty={({ pages }) => pages[0]?.calls.length === 0}
        empty={<Empty title="No call fits" note="Choose another provider, asset, horizon or state." />}
      >
        {({ pages }) => (
          <>
            <CallTable calls={pages.flatMap(({ calls }) => calls)} />
            {query.hasNextPage && (
              <Button
                className="mx-auto my-3"
                disabled={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {query.isFetchingNextPage ? 'Loading …' : 'Load older calls'}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T | null;
  options: readonly (readonly [value: T, name: string])[];
  onChange: (value: T | null) => void;
};

function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  const find = (text: string) => options.find(([option]) => option === text)?.[0] ?? null;
  return (
    <select
      aria-label={label}
      className={SELECT}
      value={value ?? ''}
      onChange={(event) => onChange(find(event.target.value))}
    >
      <option value="">{label}: all</option>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}
