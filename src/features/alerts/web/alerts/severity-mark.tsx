import type { Severity } from '#features/alerts/contract/alerts.ts';
import { cx } from '#ui/cx.ts';
import { SEVERITY_WORDS } from './labels.ts';

const MARKS: Record<Severity, readonly [tone: string, path: string, filled: boolean]> = {
  high: ['text-down', 'M8 1.5 15 14H1z', true],
  medium: ['text-warn', 'm8 1.5 6.5 6.5L8 14.5 1.5 8z', true],
  low: ['text-ink-3', 'M8 3a5 5 0 1 1 0 10A5 5 0 1 1 8 3z', false],
};

/** A triangle, a diamond or a circle: readable without colour. */
export function SeverityMark({ severity }: { severity: Severity }) {
  const [tone, path, filled] = MARKS[severity];
  return (
    <svg viewBox="0 0 16 16" className={cx('size-3 shrink-0', tone)} aria-hidden="true">
      <path d={path} fill={filled ? 'currentColor' : 'none'} stroke="currentColor" strokeWidth={filled ? 0 : 2} />
    </svg>
  );
}

export function SeverityWord({ severity }: { severity: Severity }) {
  return (
    <span className="inline-flex items-center gap-1 font-medium whitespace-nowrap text-ink-2">
      <SeverityMark severity={severity} />
      {SEVERITY_WORDS[severity]}
      <span className="sr-only"> severity</span>
    </span>
  );
}
