import { cx } from '#web/ui/cx.ts';

import type { Event } from '../contract.ts';
import { surpriseOf } from './surprise.ts';

const NAMES = [
  ['actual', 'Actual'],
  ['forecast', 'Forecast'],
  ['previous', 'Previous'],
] as const;

/** Prices that rise faster than expected are red, slower green; of other figures neither is good or bad. */
const tone = (category: Event['category'], sign: number): string => {
  if (category !== 'inflation' || sign === 0) return 'text-ink';
  return sign > 0 ? 'text-down' : 'text-up';
};

/** Of a data release: what came, what was expected, what was before. */
export function ReleaseFigures({ event: { figures, category } }: { event: Event }) {
  if (!figures || !NAMES.some(([name]) => figures[name] !== null)) return null;
  const surprise = surpriseOf(figures);
  return (
    <dl className="num mt-1.5 flex flex-wrap gap-x-5 gap-y-0.5 text-sm">
      {NAMES.map(([name, words]) => (
        <div key={name} className="flex items-baseline gap-1.5">
          <dt className="label">{words}</dt>
          <dd className="font-medium">{figures[name] ?? '–'}</dd>
        </div>
      ))}
      {surprise && (
        <div className="flex items-baseline gap-1.5">
          <dt className="label">Surprise</dt>
          <dd className={cx('font-semibold', tone(category, surprise.sign))}>{surprise.text}</dd>
        </div>
      )}
    </dl>
  );
}
