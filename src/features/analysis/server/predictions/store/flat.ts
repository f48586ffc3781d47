import type { Selectable } from 'kysely';

import type { Probabilities } from '#features/analysis/contract/predictions.ts';
import type { Tables } from '#kernel/db.ts';

import '../schema.ts';
import type { StoredCall } from './calls.ts';

/** A row of `predictions` as the database gives it. */
export type Flat = Omit<Selectable<Tables['predictions']>, 'state'>;

const named = ([up = 0, flat = 0, down = 0]: number[]): Probabilities => ({ up, flat, down });

export function callOf({ up, flat, down, climatology, persistence, trailing_ranges, ...row }: Flat): StoredCall {
  return {
    ...(row as unknown as Omit<StoredCall, 'probabilities' | 'climatology' | 'persistence' | 'trailingRanges'>),
    probabilities: { up, flat, down },
    climatology: named(climatology),
    persistence: named(persistence),
    trailingRanges: trailing_ranges,
  };
}
