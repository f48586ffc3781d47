import type { ReactNode } from 'react';
import { HORIZONS, type Horizon, type TrackCell } from '#features/analysis/contract/predictions.ts';
import { grouped } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { CoinMark } from '#ui/coin-mark.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';
import { Baselines } from './baselines.tsx';
import { CalibrationPlot } from './calibration-plot.tsx';
import { RecordFigure } from './record-figure.tsx';
import { cellKey, HORIZON_WORDS, providerName, score, share, skillText, trackKey, wording } from './verdict-text.tsx';

/** The size of the sample, and what is missing. */
function Counts({ cell, at, isAsked }: { cell: TrackCell; at: string; isAsked: boolean }) {
  const made = cell.n + cell.pending + cell.voids;
  const due = made + cell.missing;
  return (
    <section aria-labelledby="counts">
      <h3 id="counts" className="pb-1.5 text-sm font-semibold">
        Sample
      </h3>
      <dl className="num text-sm">
        <Line name="Graded calls (n)">
          <RecordFigure metric="record.n" name="Graded calls" at={at} text={grouped(cell.n)} />
        </Line>
        <Line name="Issue dates">{grouped(cell.dates)}</Line>
        <Line name="Independent windows (n_eff)">
          <RecordFigure metric="record.n_eff" name="Independent windows" at={at} text={grouped(cell.n_eff)} />
        </Line>
        <Line name="Pending">{grouped(cell.pending)}</Line>
        <Line name="Void">
          <RecordFigure
            metric="record.void"
            name="Void rate"
            at={at}
            text={cell.void_rate === null ? null : `${grouped(cell.voids)} (${share(cell.void_rate)})`}
          />
        </Line>
        {isAsked && (
          <>
            <Line name="Missed (no answer)">
              <RecordFigure
                metric="record.missing"
                name="Missing"
                at={at}
                text={due === 0 ? null : `${grouped(cell.missing)} (${share(cell.missing / due)})`}
              />
            </Line>
            <Line name="Coverage">
              <RecordFigure
                metric="record.coverage"
                name="Coverage"
                at={at}
                text={due === 0 ? null : share(made / due)}
                terms={`${grouped(made)} of ${grouped(due)} requested calls made`}
              />
            </Line>
          </>
        )}
      </dl>
    </section>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 border-t border-line first:border-t-0">
      <dt className="text-ink-2">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

/** The hit rate is last, and always with its confidence interval. */
function HitRate({ cell, at }: { cell: TrackCell; at: string }) {
  const { hit_rate: rate, hit_interval: between } = cell;
  return (
    <section aria-labelledby="hits">
      <h3 id="hits" className="text-sm font-semibold">
        Hit rate
      </h3>
      <p className="label">
        95% interval on {grouped(cell.n_eff)} independent {cell.n_eff === 1 ? 'window' : 'windows'}
      </p>
      <div className="num mt-1 flex flex-wrap items-baseline gap-x-2">
        <RecordFigure
          metric="record.hit_rate"
          name="Hit rate"
          at={at}
          text={rate === null ? null : share(rate)}
          className="text-xl font-semibold"
        />
        {between && (
          <span className="text-sm text-ink-2">
            between {share(between.low)} and {share(between.high)}
          </span>
        )}
      </div>
      {rate !== null && between && (
        <div className="relative mt-3 h-8" aria-hidden="true">
          <span className="absolute inset-x-0 top-2 h-1 rounded-full bg-raised" />
          <span
            className="absolute top-2 h-1 rounded-full bg-accent"
            style={{ left: `${(100 * between.low).toFixed(1)}%`, right: `${(100 * (1 - between.high)).toFixed(1)}%` }}
          />
          <span
            className="absolute top-0.5 h-4 w-[3px] -translate-x-1/2 rounded-full bg-ink"
            style={{ left: `${(100 * rate).toFixed(1)}%` }}
          />
          <span className="absolute top-0 left-1/3 h-5 w-px bg-ink-3" />
          <span className="label absolute top-4 left-1/3 pt-1 pl-1">random guessing</span>
        </div>
      )}
    </section>
  );
}

const percentText = (logReturn: number): string => `${(100 * logReturn).toFixed(2)}%`;

/** Coverage of the ranges, and their score compared with ranges of the past year. */
function RangeTable({
  ranges,
  horizon,
  at,
}: {
  ranges: NonNullable<TrackCell['ranges']>;
  horizon: Horizon;
  at: string;
}) {
  const rows = [
    ['80%', ranges.coverage_80, ranges.width_80, ranges.score_80, ranges.score_80_trailing],
    ['95%', ranges.coverage_95, ranges.width_95, ranges.score_95, ranges.score_95_trailing],
  ] as const;
  return (
    <section aria-labelledby="ranges">
      <h3 id="ranges" className="text-sm font-semibold">
        Price ranges
      </h3>
      <p className="label pb-1.5">
        {grouped(ranges.n)} graded calls{horizon === '180d' ? '; not yet proven: 180-day windows overlap' : ''}
      </p>
      <table className="num w-full text-sm">
        <thead>
          <tr>
            {['Range', 'Held', 'Width (log)', 'Interval score (log)', 'Past-year quantiles'].map((head, i) => (
              <th key={head} scope="col" className={i === 0 ? 'label pb-1 text-left font-medium' : HEAD}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_td]:text-right [&_th]:border-t [&_th]:border-line">
          {rows.map(([name, coverage, width, own, trailing]) => (
            <tr key={name}>
              <th scope="row" className="text-left font-semibold">
                {name}
              </th>
              <td>
                <RecordFigure metric="record.ranges" name={`${name} ranges held`} at={at} text={share(coverage)} />
              </td>
              <td className="text-ink-2">{percentText(width)}</td>
              <td>
                <RecordFigure
                  metric="record.interval_score"
                  name={`Interval score of the ${name} ranges`}
                  at={at}
                  text={own === null ? null : percentText(own)}
                  reason="Needs 60 past windows of the coin."
                />
              </td>
              <td className="text-ink-2">{trailing === null ? '–' : percentText(trailing)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const HEAD = 'label pb-1 text-right font-medium';

/** A breakdown without verdicts. */
function AssetTable({ cell }: { cell: TrackCell }) {
  return (
    <section aria-labelledby="assets">
      <h3 id="assets" className="text-sm font-semibold">
        By asset
      </h3>
      <p className="label pb-1.5">For information only: single assets are not tested</p>
      <table className="num w-full text-sm">
        <thead>
          <tr>
            {['Asset', 'Skill', 'Brier', 'Hits', 'n'].map((head, i) => (
              <th key={head} scope="col" className={i === 0 ? 'label pb-1 text-left font-medium' : HEAD}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_td]:text-right [&_th]:border-t [&_th]:border-line">
          {cell.assets.map((asset) => (
            <tr key={asset.symbol}>
              <th scope="row" className="font-semibold">
                <span className="flex items-center gap-2">
                  <CoinMark symbol={asset.symbol} size={18} />
                  {asset.symbol}
                </span>
              </th>
              <td>{asset.skill === null ? '–' : skillText(asset.skill)}</td>
              <td>{score(asset.brier)}</td>
              <td>{share(asset.hit_rate)}</td>
              <td className="text-ink-2">{grouped(asset.n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Props = {
  cell: TrackCell;
  cells: readonly TrackCell[];
  at: string;
  /** The public name of a forecaster, who has one track and no schedule. */
  name?: string;
  onChoose: (key: string) => void;
};

/** Details of one track at one horizon, in reading order. */
export function CellCard({ cell, cells, at, name, onChoose }: Props) {
  const { word, tone, sentence } = wording(cell);
  const tracks = cells.filter((each, i) => cells.findIndex((other) => trackKey(other) === trackKey(each)) === i);
  const own = cells.filter((each) => trackKey(each) === trackKey(cell));
  const horizons = HORIZONS.filter((horizon) => own.some((each) => each.horizon === horizon));
  const pick = (track: string, horizon: string) => {
    const found = cells.find((each) => trackKey(each) === track && each.horizon === horizon);
    const other = found ?? cells.find((each) => trackKey(each) === track);
    if (other) onChoose(cellKey(other));
  };
  return (
    <Card
      id="cell"
      title={`${name ?? providerName(cell)}, ${HORIZON_WORDS[cell.horizon]}`}
      note={<Badge tone={tone}>{word}</Badge>}
      action={
        <>
          {!name && (
            <Select aria-label="Track" value={trackKey(cell)} onText={(track) => pick(track, cell.horizon)}>
              {tracks.map((each) => (
                <option key={trackKey(each)} value={trackKey(each)}>
                  {providerName(each)} · {each.model}
                  {each.current ? '' : ' (former)'}
                </option>
              ))}
            </Select>
          )}
          <Segmented
            label="Horizon"
            value={cell.horizon}
            options={horizons}
            onChange={(horizon) => pick(trackKey(cell), horizon)}
          />
        </>
      }
    >
      <p className="px-4 pb-3 text-sm text-ink-2">
        {!name && `${cell.model}${cell.current ? '' : ', no longer in use'}. `}
        {sentence}
      </p>
      {cell.n === 0 ? (
        <p className="px-4 pb-6 text-sm">
          No calls of this track graded at this horizon yet, {grouped(cell.pending)} pending.
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
          {cell.ranges && <RangeTable ranges={cell.ranges} horizon={cell.horizon} at={at} />}
          <Counts cell={cell} at={at} isAsked={!name} />
          <HitRate cell={cell} at={at} />
          <AssetTable cell={cell} />
        </div>
      )}
    </Card>
  );
}
