import type { ReactNode } from 'react';

import type { FigureMeta } from '#shared/figures.ts';
import { Figure } from '#ui/figure.tsx';

const KEPT_MS = 48 * 3_600_000;

type Props = {
  /** The key in the glossary. */
  metric: string;
  name: string;
  /** When the record was scored. */
  at: string;
  /** How long after `at` the number counts as current. */
  keptMs?: number | undefined;
  /** Null where there is none. */
  text: ReactNode;
  /** What it was computed from. */
  terms?: string;
  reason?: string;
  className?: string;
};

/** A figure of the record with its meaning and inputs. */
export function RecordFigure({ metric, name, at, keptMs = KEPT_MS, text, terms, reason, className }: Props) {
  const meta: FigureMeta =
    text === null
      ? { metric, reason: reason ?? 'No calls graded yet.' }
      : {
          metric,
          source: 'meridian',
          method: 'computed',
          observedAt: at,
          fetchedAt: at,
          staleAfter: new Date(Date.parse(at) + keptMs).toISOString(),
          ...(terms ? { terms } : {}),
        };
  return (
    <Figure meta={meta} name={name} className={className}>
      {text}
    </Figure>
  );
}
