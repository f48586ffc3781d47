import { useQuery } from '@tanstack/react-query';
import { bestBaseline } from '#features/analysis/contract/brief.ts';
import type { League, LeagueCell, LeagueRow } from '#features/analysis/contract/league.ts';
import { HORIZONS } from '#features/analysis/contract/predictions.ts';
import { grouped } from '#shared/format.ts';
import { useAddressChoice } from '#ui/address-filter.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/link.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Empty } from '#ui/states.tsx';
import { Rules, TakePart } from './league-take-part.tsx';
import { leagueQuery } from './queries.ts';
import { RecordFigure } from './record-figure.tsx';
import { score, share, signed, skillText, VERDICTS } from './verdict-text.tsx';

/** Independent dates from which a forecaster has a rank. */
const RANKED_FROM = 60;
const NONE_GRADED = 'No forecast has been graded at this horizon yet.';

/** The verdict of a cell, abbreviated for a table. */
function VerdictBadge({ verdict }: Pick<LeagueCell, 'verdict'>) {
  const { word, tone } = VERDICTS[verdict];
  return <Badge tone={tone}>{verdict === 'too few independent windows' ? 'Too few windows' : word}</Badge>;
}

type ContributionProps = { of: LeagueCell['contribution']; name: string; at: string };

/** A forecaster's contribution to the league's pool, and the number of forecasts behind it. */
export function Contribution({ of, name, at }: ContributionProps) {
  return (
    <>
      <RecordFigure
        metric="record.contribution"
        name={`Contribution, ${name}`}
        at={at}
        text={of ? signed(of.gain, 4) : null}
        reason="Requires graded forecasts on days when others also forecast."
      />
      {of && <span className="text-2xs text-ink-3"> n = {grouped(of.n)}</span>}
    </>
  );
}

/** Everyone who forecasts at one horizon, how to take part, and the rules. */
export function OpenLeague() {
  return (
    <div className="grid grid-cols-1 gap-3">
      <Standings />
      <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-2">
        <TakePart />
        <Rules />
      </div>
    </div>
  );
}

function Standings() {
  const [horizon, choose] = useAddressChoice('horizon', HORIZONS, '24h');
  const query = useQuery(leagueQuery(horizon));
  const { data } = query;
  return (
    <Card
      id="standings"
      title="Standings"
      className="min-h-56"
      note={
        data &&
        data.total > data.forecasters.length && (
          <p className="num label">
            {grouped(data.forecasters.length)} of {grouped(data.total)} shown
          </p>
        )
      }
      action={<Segmented label="Horizon" value={horizon} options={HORIZONS} onChange={choose} />}
    >
      <QueryView
        query={query}
        loading={
          <>
            <output className="sr-only">Loading Standings</output>
            <div className="skel mx-4 mb-4 flex-1" />
          </>
        }
        failed="Failed to load the standings"
        isEmpty={({ total }) => total === 0}
        empty={<Empty title="No one has forecast yet" note="Create an API key and send a forecast to be the first." />}
      >
        {(league) => <Table league={league} />}
      </QueryView>
    </Card>
  );
}

const HEADS: readonly (readonly [name: string, onPhones: boolean])[] = [
  ['Rank', true],
  ['Forecaster', true],
  ['Verdict', true],
  ['Skill', true],
  ['Brier vs best baseline', false],
  ['80% held', false],
  ['Adds to the pool', false],
  ['Days graded', false],
];
const WIDE = 'max-sm:hidden';

function Table({ league: { forecasters, timestamp } }: { league: League }) {
  const ranked = forecasters.filter(isRanked);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div className="relative overflow-x-auto pb-2" role="region" aria-label="Standings table" tabIndex={0}>
      <table className="num w-full text-left text-sm">
        <thead>
          <tr>
            {HEADS.map(([name, onPhones]) => (
              <th
                key={name}
                scope="col"
                className={`label px-2 py-1.5 font-medium whitespace-nowrap first:pl-4 last:pr-4 ${onPhones ? '' : WIDE}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:h-10 [&_td]:border-t [&_td]:border-line [&_td]:px-2 [&_td]:whitespace-nowrap [&_td:first-child]:pl-4 [&_td:last-child]:pr-4 [&_th]:border-t [&_th]:border-line">
          {forecasters.map((row) => (
            <Row key={row.track} row={row} rank={isRanked(row) ? ranked.indexOf(row) + 1 : null} at={timestamp} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isRanked = ({ cell }: LeagueRow): boolean => cell !== null && cell.n_eff >= RANKED_FROM;
const rankReason = (cell: LeagueRow['cell']): string =>
  cell ? `A rank requires ${RANKED_FROM} independent days; this forecaster has ${grouped(cell.n_eff)}.` : NONE_GRADED;

function Row({ row: { name, cell }, rank, at }: { row: LeagueRow; rank: number | null; at: string }) {
  const days = cell ? grouped(cell.dates) : null;
  return (
    <tr>
      <td>
        {rank ?? (
          <RecordFigure metric="record.n_eff" name={`Rank, ${name}`} at={at} text={null} reason={rankReason(cell)} />
        )}
      </td>
      <th scope="row" className="px-2 py-1.5 font-medium">
        <Link to={`/app/track-record/league/${name}`} className="[overflow-wrap:anywhere] hover:underline">
          {name}
        </Link>
        {days && <span className="label block sm:hidden">Days graded: {days}</span>}
      </th>
      <td>{cell ? <VerdictBadge verdict={cell.verdict} /> : <span className="text-ink-3">Not graded yet</span>}</td>
      <td>
        <RecordFigure
          metric="record.skill"
          name={`Skill, ${name}`}
          at={at}
          text={cell?.skill == null ? null : skillText(cell.skill)}
          reason={NONE_GRADED}
          className="font-semibold"
        />
      </td>
      <td className={WIDE}>
        <Brier cell={cell} name={name} at={at} />
      </td>
      <td className={WIDE}>
        <RecordFigure
          metric="record.ranges"
          name={`80% ranges held, ${name}`}
          at={at}
          text={cell?.ranges ? share(cell.ranges.coverage_80) : null}
          reason={cell ? 'No graded forecasts with price ranges.' : NONE_GRADED}
        />
      </td>
      <td className={WIDE}>
        <Contribution of={cell?.contribution ?? null} name={name} at={at} />
      </td>
      <td className={`${WIDE} text-ink-2`}>{days ?? '0'}</td>
    </tr>
  );
}

function Brier({ cell, name, at }: Pick<LeagueRow, 'cell' | 'name'> & { at: string }) {
  const best = cell && bestBaseline(cell);
  return (
    <>
      <RecordFigure
        metric="record.brier"
        name={`Brier score, ${name}`}
        at={at}
        text={cell?.brier == null ? null : score(cell.brier)}
        reason={NONE_GRADED}
      />
      {best && (
        <span className="text-2xs text-ink-3">
          {' '}
          vs {score(best.brier)} ({best.name})
        </span>
      )}
    </>
  );
}
