import type { Outcome } from '#features/analysis/contract/predictions.ts';

import type { StoredCall } from '../store/calls.ts';

export type Graded = StoredCall & { outcome: Outcome; realised: number; outcome_at: string };
export const isGraded = (call: StoredCall): call is Graded => call.outcome !== null && call.outcome !== 'void';

/** What the past is learned from: when a call was made, and when its outcome was known. */
export const learnable = ({ issued_at, outcome_at, probabilities, climatology, persistence, outcome }: Graded) => ({
  issuedAt: Date.parse(issued_at),
  settledAt: Date.parse(outcome_at),
  probabilities,
  climatology,
  persistence,
  outcome,
});
