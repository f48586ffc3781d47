import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { TrackCell } from '#features/analysis/contract/predictions.ts';
import type { Replay } from '#features/analysis/contract/replay.ts';
import { dateTime, grouped } from '#shared/format.ts';
import { useAddressText } from '#ui/address-filter.ts';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Empty } from '#ui/states.tsx';
import { CalibrationPlot } from './calibration-plot.tsx';
import { replayQuery } from './queries.ts';
import { verdictBrief } from './verdict-text.tsx';

export const FILE_LINK =
  'inline-flex h-8 items-center gap-1.5 rounded-ctl border border-line-strong px-3 text-sm font-medium text-ink hover:bg-raised';
const CARD = { id: 'replay', title: 'Replay on Past Prices', className: 'min-h-[17rem]' };

/** "2026-11-19" as "19 Nov 2026". */
const dateText = (day: string): string => dateTime(Date.parse(day)).split(',')[0] ?? day;

/** One sentence per horizon, starting with the verdict. */
export function Sentences({ cells }: { cells: readonly TrackCell[] }) {
  return (
    <ul className="num text-sm [&>li]:border-t [&>li]:border-line [&>li]:py-1.5 [&>li:first-child]:border-t-0">
      {cells.map((cell) => {
        const { horizon, word, rest } = verdictBrief(cell);
        return (
          <li key={horizon}>
            <b className="font-semibold">
              {horizon}: {word}.
            </b>{' '}
            <span className="text-ink-2">{rest}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Replay of the built-in analyst over past days: shown beside the live record, never part of it. */
export function ReplayCard() {
  const query = useQuery(replayQuery);
  const { data } = query;
  return (
    <QueryView
      query={query}
      card={CARD}
      failed="Failed to load the replay"
      isEmpty={({ replay }) => replay === null}
      empty={
        data?.mode === 'demo' ? (
          <Empty
            title="No replay in demo mode"
            note="Demo prices are simulated, so a replay would prove nothing. A live installation replays the built-in analyst on real price history."
          />
        ) : (
          <Empty
            title="The replay is being prepared"
            note="It starts once the daily price history of all five assets has loaded, usually within minutes of the first start."
          />
        )
      }
    >
      {({ replay }) => replay && <Loaded replay={replay} />}
    </QueryView>
  );
}

function Loaded({ replay }: { replay: Replay }) {
  const { first_day: first, last_day: last, sources, made_at: madeAt, model_version: version, entries, head } = replay;
  return (
    <Card id={CARD.id} title={CARD.title} note={<p className="label">Not part of the live record</p>}>
      <div className="grid gap-x-8 gap-y-4 px-4 pb-4 lg:grid-cols-2">
        <div className="min-w-0">
          <h3 className="pb-1 text-sm font-semibold">Built-in analyst</h3>
          <Sentences cells={replay.record.cells} />
        </div>
        <div className="min-w-0 text-sm text-ink-2">
          <p className="max-w-[72ch]">
            The analyst forecasts each past day from the data available by then. Calls are graded at daily closes by the
            live scoring code. The method was chosen on prices up to April 2025, so earlier days are not a blind test.
            Language models are never replayed because their training data may include the outcome.
          </p>
          <dl className="num mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs [&_dt]:text-ink-3">
            <dt>Candles</dt>
            <dd>
              {dateText(first)} to {dateText(last)}, {sources.join(', ')}
            </dd>
            <dt>Computed</dt>
            <dd>
              {dateTime(Date.parse(madeAt))}, model version {version}
            </dd>
            <dt>Chain</dt>
            <dd className="flex min-w-0 items-center gap-2">
              <span className="shrink-0">{grouped(entries)} entries, head</span>
              <span className="min-w-0 truncate font-mono" title={head}>
                {head}
              </span>
              <CopyButton text={head} what="Head hash of the replay" />
            </dd>
          </dl>
          <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <a href="/api/track-record/replay/candles" download className={FILE_LINK}>
              <Download className="size-3.5" aria-hidden="true" />
              Candles, CSV
            </a>
            <span className="text-xs">
              Reproduce it: <code>npm run replay:score -- --ledger replay.jsonl replay-candles.csv</code>
            </span>
          </p>
        </div>
      </div>
      <Reliability cells={replay.record.cells} at={madeAt} />
    </Card>
  );
}

/** Reliability of the forecasts at a selectable horizon. */
function Reliability({ cells, at }: { cells: readonly TrackCell[]; at: string }) {
  const [chosen, choose] = useAddressText('replay');
  const scored = cells.flatMap(({ horizon, calibration }) => (calibration ? [{ horizon, calibration }] : []));
  const shown = scored.find(({ horizon }) => horizon === chosen) ?? scored[0];
  if (!shown) return null;
  const { horizon, calibration } = shown;
  return (
    <div className="grid gap-4 border-t border-line px-4 pt-3 pb-5">
      <Segmented
        label="Horizon of the replay"
        value={horizon}
        options={scored.map((each) => each.horizon)}
        onChange={choose}
        className="justify-self-start"
      />
      <div className="grid grid-cols-1 gap-x-8 gap-y-6 sm:grid-cols-2 xl:grid-cols-3">
        <CalibrationPlot of={calibration.up} event="up" at={at} isReplay />
        <CalibrationPlot of={calibration.down} event="down" at={at} isReplay />
      </div>
    </div>
  );
}
