import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Forecaster as Data, LeagueCell } from '#features/analysis/contract/league.ts';
import { HORIZONS } from '#features/analysis/contract/predictions.ts';
import { grouped } from '#shared/format.ts';
import { useAddressText } from '#ui/address-filter.ts';
import { Card } from '#ui/card.tsx';
import { dayOf } from '#ui/day.ts';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Empty } from '#ui/states.tsx';
import { Calls } from './calls.tsx';
import { CellCard } from './cell-card.tsx';
import { Contribution } from './league.tsx';
import { forecasterQuery, isMissing } from './queries.ts';
import { Sentences } from './replay-card.tsx';
import { cellKey, HORIZON_WORDS } from './verdict-text.tsx';

const CARD = { id: 'brief', title: 'In Brief', className: 'min-h-[17rem]' };

type Props = { name: string /** Shown below the calls of a forecaster who exists. */; badge: ReactNode };

/** One forecaster of the league: verdicts, details of each horizon, and every forecast. */
export function Forecaster({ name, badge }: Props) {
  const query = useQuery(forecasterQuery(name));
  if (isMissing(query.error))
    return (
      <Card {...CARD} title="Not Found" className="mt-4">
        <Empty title="No forecaster has this name" note="The name may have been removed with its account." />
        <p className="px-4 pb-5 text-center text-sm">
          <Link to="/app/track-record/league" className={TEXT_LINK}>
            Back to the Open League
          </Link>
        </p>
      </Card>
    );
  return (
    <>
      <p className="num mt-1 mb-4 min-h-5 text-sm text-ink-2">{query.data && joinedText(query.data.forecaster)}</p>
      <div className="grid grid-cols-1 gap-3">
        <QueryView query={query} card={CARD} failed="Failed to load this forecaster">
          {(data) => (
            <>
              <Loaded data={data} />
              <Calls only={data.forecaster.track} />
              {badge}
            </>
          )}
        </QueryView>
      </div>
    </>
  );
}

const joinedText = ({ joined_at: joined, forecasts, open }: Data['forecaster']): string =>
  `Joined ${dayOf(joined)} · ${grouped(forecasts)} ${forecasts === 1 ? 'forecast' : 'forecasts'}, ${grouped(open)} open`;

function Loaded({ data: { forecaster, cells, timestamp } }: { data: Data }) {
  const [chosen, choose] = useAddressText('cell');
  const graded = cells.filter(({ n }) => n > 0);
  const cell = cells.find((each) => cellKey(each) === chosen) ?? graded[0];
  return (
    <>
      <Card {...CARD} className="">
        {graded.length === 0 && <Empty title="No forecasts graded yet" note={startText(cells)} />}
        {cells.length > 0 && (
          <div className="grid gap-x-8 gap-y-4 px-4 pb-4 lg:grid-cols-2">
            <Sentences cells={cells} />
            {graded.length > 0 && <Contributions cells={graded} at={timestamp} />}
          </div>
        )}
      </Card>
      {cell && (
        <CellCard
          key={cellKey(cell)}
          cell={cell}
          cells={cells}
          at={timestamp}
          name={forecaster.name}
          onChoose={choose}
        />
      )}
    </>
  );
}

/** Grading starts with the shortest horizon that has an open forecast. */
function startText(cells: readonly LeagueCell[]): string {
  const first = HORIZONS.find((horizon) => cells.some((cell) => cell.horizon === horizon && cell.pending > 0));
  return `Grading starts ${HORIZON_WORDS[first ?? '24h']} after the first forecast.`;
}

const HEAD = 'label pb-1 text-right font-medium';

/** The forecaster's contribution to the league's pool, per horizon. */
function Contributions({ cells, at }: { cells: readonly LeagueCell[]; at: string }) {
  return (
    <section aria-labelledby="contribution" className="min-w-0">
      <h3 id="contribution" className="pb-1 text-sm font-semibold">
        Contribution to the pool
      </h3>
      <table className="num w-full text-sm">
        <thead>
          <tr>
            {['Horizon', 'Adds to the pool'].map((head, i) => (
              <th key={head} scope="col" className={i === 0 ? 'label pb-1 text-left font-medium' : HEAD}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_td]:text-right [&_th]:border-t [&_th]:border-line">
          {cells.map(({ horizon, contribution }) => (
            <tr key={horizon}>
              <th scope="row" className="text-left font-semibold whitespace-nowrap">
                {HORIZON_WORDS[horizon]}
              </th>
              <td>
                <Contribution of={contribution} name={HORIZON_WORDS[horizon]} at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
