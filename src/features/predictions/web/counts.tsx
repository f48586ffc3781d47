import type { ReactNode } from 'react';

import type { TrackCell } from '../contract.ts';
import { RecordFigure } from './record-figure.tsx';
import { count, share } from './words.ts';

/** How much stands behind it, and what is missing. */
export function Counts({ cell, at }: { cell: TrackCell; at: string }) {
  const made = cell.n + cell.pending + cell.voids;
  const asked = made + cell.missing;
  return (
    <section aria-labelledby="counts">
      <h3 id="counts" className="pb-1.5 text-sm font-semibold">
        What stands behind it
      </h3>
      <dl className="num text-sm">
        <Line name="Graded calls (n)">
          <RecordFigure metric="record.n" name="Graded calls" at={at} text={count(cell.n)} />
        </Line>
        <Line name="Issue dates">{count(cell.dates)}</Line>
        <Line name="Independent windows (n_eff)">
          <RecordFigure metric="record.n_eff" name="Independent windows" at={at} text={count(cell.n_eff)} />
        </Line>
        <Line name="Still open">{count(cell.pending)}</Line>
        <Line name="Void">
          <RecordFigure
            metric="record.void"
            name="Void rate"
            at={at}
            text={cell.void_rate === null ? null : `${count(cell.voids)} (${share(cell.void_rate)})`}
          />
        </Line>
        <Line name="Missing: asked, not answered">
          <RecordFigure
            metric="record.missing"
            name="Missing"
            at={at}
            text={asked === 0 ? null : `${count(cell.missing)} (${share(cell.missing / asked)})`}
          />
        </Line>
        <Line name="Coverage">
          <RecordFigure
            metric="record.coverage"
            name="Coverage"
            at={at}
            text={asked === 0 ? null : share(made / asked)}
            terms={`${count(made)} made of ${count(asked)} asked for`}
          />
        </Line>
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
