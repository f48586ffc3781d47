import { cx } from '#web/ui/cx.ts';

import type { TrackCell } from '../contract.ts';
import { RecordFigure } from './record-figure.tsx';
import { score, skillText } from './words.ts';

type Props = { cell: TrackCell; at: string };

/** The track's Brier score among those of forecasters that know nothing of today. */
export function Baselines({ cell, at }: Props) {
  const rows: (readonly [string, number | null])[] = [
    ['This track', cell.brier],
    ['Climatology', cell.brier_climatology],
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
      <p className="label pb-2">Brier score, shorter is better</p>
      <dl className="num grid gap-2 text-sm">
        {rows.map(([name, value], i) => (
          <div key={name} className="grid grid-cols-[6rem_1fr_auto] items-center gap-3">
            <dt className={i === 0 ? 'font-semibold' : 'text-ink-2'}>{name}</dt>
            <dd className="contents">
              <span className="block h-2 overflow-hidden rounded-[2px] bg-raised" aria-hidden="true">
                <span
                  className={cx('block h-full', i === 0 ? 'bg-accent' : 'bg-line-strong')}
                  style={{ width: `${(((value ?? 0) / most) * 100).toFixed(1)}%` }}
                />
              </span>
              <RecordFigure
                metric="record.brier"
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
        {cell.p_ahead !== null && cell.p_behind !== null && (
          <div>
            <dt>p ahead, p behind (Holm)</dt>
            <dd>
              {cell.p_ahead.toFixed(3)}, {cell.p_behind.toFixed(3)}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
