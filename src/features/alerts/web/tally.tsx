import type { Alert } from '../contract.ts';
import { countsOf, LEVELS } from './filter.ts';
import { SeverityMark } from './severity-mark.tsx';

/** How many there are, and of what weight. */
export function Tally({ active }: { active: readonly Alert[] }) {
  const counts = countsOf(active);
  return (
    <output className="label num flex items-center gap-x-2">
      {counts.total} active
      {LEVELS.filter((level) => counts[level] > 0).map((level) => (
        <span key={level} className="inline-flex items-center gap-1">
          <SeverityMark severity={level} />
          {counts[level]}
          <span className="sr-only"> {level}</span>
        </span>
      ))}
    </output>
  );
}
