import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { SELECT } from '#web/ui/select.ts';
import { HORIZONS, type TrackCell } from '../contract.ts';
import { AssetTable } from './asset-table.tsx';
import { Baselines } from './baselines.tsx';
import { CalibrationPlot } from './calibration-plot.tsx';
import { Counts } from './counts.tsx';
import { HitRate } from './hit-rate.tsx';
import { HORIZON_WORDS, keyOf, providerName, saidOf, trackOf } from './words.ts';

type Props = { cell: TrackCell; cells: readonly TrackCell[]; at: string; onChoose: (key: string) => void };

/** One track at one horizon, looked into in the order in which it should be read. */
export function CellCard({ cell, cells, at, onChoose }: Props) {
  const { word, tone, sentence } = saidOf(cell);
  const tracks = cells.filter((each, i) => cells.findIndex((other) => trackOf(other) === trackOf(each)) === i);
  const own = cells.filter((each) => trackOf(each) === trackOf(cell));
  const horizons = HORIZONS.filter((horizon) => own.some((each) => each.horizon === horizon));
  const pick = (track: string, horizon: string) => {
    const found = cells.find((each) => trackOf(each) === track && each.horizon === horizon);
    const other = found ?? cells.find((each) => trackOf(each) === track);
    if (other) onChoose(keyOf(other));
  };
  return (
    <Card
      id="cell"
      title={`${providerName(cell.provider)}, ${HORIZON_WORDS[cell.horizon]}`}
      note={<Badge tone={tone}>{word}</Badge>}
      action={
        <>
          <select
            aria-label="Track"
            className={SELECT}
            value={trackOf(cell)}
            onChange={(event) => pick(event.target.value, cell.horizon)}
          >
            {tracks.map((each) => (
              <option key={trackOf(each)} value={trackOf(each)}>
                {providerName(each.provider)} · {each.model}
                {each.current ? '' : ' (former)'}
              </option>
            ))}
          </select>
          <Segmented
            label="Horizon"
            value={cell.horizon}
            options={horizons}
            onChange={(horizon) => pick(trackOf(cell), horizon)}
          />
        </>
      }
    >
      <p className="px-4 pb-3 text-sm text-ink-2">
        {cell.model}
        {cell.current ? '' : ', no longer in use'}. {sentence}
      </p>
      {cell.n === 0 ? (
        <p className="px-4 pb-6 text-sm">
          No call of this track has been graded at this horizon yet: {cell.pending} wait for their time.
        </p>
      ) : (
        <div className="grid grid-cols-1 gap-x-8 gap-y-6 px-4 pb-5 lg:grid-cols-2 xl:grid-cols-3">
          <Baselines cell={cell} at={at} />
          {cell.calibration && (
            <>
              <CalibrationPlot of={cell.calibration.up} event="up" at={at} />
              <CalibrationPlot of={cell.calibration.down} event="down" at={at} />
            </>
          )}
          <Counts cell={cell} at={at} />
          <HitRate cell={cell} at={at} />
          <AssetTable cell={cell} />
        </div>
      )}
    </Card>
  );
}
