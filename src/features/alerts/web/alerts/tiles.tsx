import type { Severity } from '#features/alerts/contract/alerts.ts';
import { type Counts, LEVELS } from './filter.ts';
import { SeverityMark } from './severity-mark.tsx';
import { SEVERITY_WORDS } from './words.ts';

/** How many are not acknowledged, and how much they matter. */
export function Tiles({ counts }: { counts: Counts | undefined }) {
  return (
    <dl aria-label="Unacknowledged alerts" className="mb-3 grid grid-cols-2 gap-3 md:grid-cols-4">
      <Tile name="Total" note="Unacknowledged" count={counts?.total} />
      {LEVELS.map((level) => (
        <Tile key={level} name={SEVERITY_WORDS[level]} level={level} note="severity" count={counts?.[level]} />
      ))}
    </dl>
  );
}

type Props = { name: string; note: string; level?: Severity; count: number | undefined };

function Tile({ name, note, level, count }: Props) {
  return (
    <div className="card px-4 py-3">
      <dt className="flex items-center gap-1.5 text-sm font-medium text-ink-2">
        {level && <SeverityMark severity={level} />}
        {name}
        <span className="label font-normal">{note}</span>
      </dt>
      <dd className="num text-2xl font-semibold tracking-[-0.025em]">{count ?? '–'}</dd>
    </div>
  );
}
