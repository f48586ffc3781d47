import type { TrackCell } from '../contract.ts';
import { RecordFigure } from './record-figure.tsx';
import { count, share } from './words.ts';

/** The hit rate comes last, and never without the range it may truly lie in. */
export function HitRate({ cell, at }: { cell: TrackCell; at: string }) {
  const { hit_rate: rate, hit_interval: between } = cell;
  return (
    <section aria-labelledby="hits">
      <h3 id="hits" className="text-sm font-semibold">
        Hit rate
      </h3>
      <p className="label">
        95 % interval on {count(cell.n_eff)} independent {cell.n_eff === 1 ? 'window' : 'windows'}
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
          <span className="label absolute top-4 left-1/3 pt-1 pl-1">blind guessing</span>
        </div>
      )}
    </section>
  );
}
