import type { TrackCell } from '#features/analysis/contract/predictions.ts';
import { grouped } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { RecordFigure } from './record-figure.tsx';
import { pValue, score, share, signed, skillText } from './verdict-text.tsx';

type Props = { cell: TrackCell; at: string };

/** The track's Brier score among those of naive forecasters. */
export function Baselines({ cell, at }: Props) {
  const rows: readonly (readonly [string, number | null])[] = [
    ['This track', cell.brier],
    ['Recalibrated', cell.recalibrated?.brier ?? null],
    ['Base rates', cell.brier_climatology],
    ['Persistence', cell.brier_persistence],
    ['Uniform', cell.brier_uniform],
    ['Always up', cell.brier_always_up],
  ];
  const most = Math.max(...rows.map(([, value]) => value ?? 0), 0.001);
  return (
    <section aria-labelledby="baselines">
      <h3 id="baselines" className="text-sm font-semibold">
        Against the baselines
      </h3>
      <p className="label pb-2">Brier score, lower is better</p>
      <dl className="num grid gap-2 text-sm">
        {rows.map(([name, value], i) => (
          <div key={name} className="grid grid-cols-[6rem_1fr_auto] items-center gap-3">
            <dt className={i === 0 ? 'font-semibold' : 'text-ink-2'}>{name}</dt>
            <dd className="contents">
              <span className="block h-2 overflow-hidden rounded-[2px] bg-raised" aria-hidden="true">
                <span
                  className={cx('block h-full', i < 2 ? 'bg-accent' : 'bg-line-strong')}
                  style={{ width: `${(((value ?? 0) / most) * 100).toFixed(1)}%` }}
                />
              </span>
              <RecordFigure
                metric={name === 'Recalibrated' ? 'record.recalibrated' : 'record.brier'}
                name={`Brier score, ${name.toLowerCase()}`}
                at={at}
                text={value === null ? null : score(value)}
                className={i === 0 ? 'font-semibold' : ''}
              />
            </dd>
          </div>
        ))}
      </dl>
      <dl className="num mt-3 flex flex-wrap gap-x-6 gap-y-2 border-t border-line pt-2.5 text-sm [&_dt]:label">
        <div>
          <dt>Skill</dt>
          <dd>
            <RecordFigure
              metric="record.skill"
              name="Skill"
              at={at}
              text={cell.skill === null ? null : skillText(cell.skill)}
              className="font-semibold"
            />
          </dd>
        </div>
        <div>
          <dt>Ranked probability</dt>
          <dd>
            <RecordFigure
              metric="record.rps"
              name="Ranked probability score"
              at={at}
              text={cell.rps === null ? null : score(cell.rps)}
            />
          </dd>
        </div>
        <div>
          <dt>Log score</dt>
          <dd>
            <RecordFigure
              metric="record.log_score"
              name="Log score"
              at={at}
              text={cell.log_score === null ? null : score(cell.log_score)}
            />
          </dd>
        </div>
        <Evidence cell={cell} at={at} />
      </dl>
    </section>
  );
}

/** The evidence for the verdict, and the test of direction. */
function Evidence({ cell, at }: Props) {
  const { difference, direction, p_ahead: ahead, p_behind: behind } = cell;
  return (
    <>
      {difference && (
        <div>
          <dt>Vs. base rates, 95% interval</dt>
          <dd>
            <RecordFigure
              metric="record.difference"
              name="Brier score minus base rates"
              at={at}
              text={`${signed(difference.mean, 4)}, ${signed(difference.low, 4)} to ${signed(difference.high, 4)}`}
            />
          </dd>
        </div>
      )}
      {ahead !== null && behind !== null && (
        <div>
          <dt>p ahead, p behind (Holm)</dt>
          <dd className="leading-6">
            {pValue(ahead)}, {pValue(behind)}
          </dd>
        </div>
      )}
      <div>
        <dt>Direction test</dt>
        <dd>
          <RecordFigure
            metric="record.direction"
            name="Direction test"
            at={at}
            text={direction ? `p ${pValue(direction.p)} (${share(direction.success_rate)} right)` : 'Not testable'}
            terms={
              direction
                ? `${grouped(direction.n)} dates; ${share(direction.expected)} right expected by chance`
                : 'All calls or all outcomes point the same way'
            }
          />
        </dd>
      </div>
    </>
  );
}
