import { type Levels, levelsOf } from './service/levels.ts';
import type { Commentary, StoredExpected, StoredForecast, Vintage } from './types.ts';

/** Everything that is stored, laid out for reading at a moment. */
export type View = {
  levels: Levels;
  vintages: readonly Vintage[];
  expectations: readonly StoredExpected[];
  forecasts: readonly StoredForecast[];
  commentary: Commentary | null;
};

export const viewOf = (parts: Omit<View, 'levels'>): View => ({ ...parts, levels: levelsOf(parts.vintages) });

export const EMPTY: View = viewOf({ vintages: [], expectations: [], forecasts: [], commentary: null });

/** The last word before a moment, of one kind. */
export function findExpected(
  { expectations }: View,
  what: Pick<StoredExpected, 'type' | 'measure' | 'period' | 'kind'>,
  before: Date,
): StoredExpected | undefined {
  return expectations.findLast(
    (each) =>
      each.type === what.type &&
      each.measure === what.measure &&
      each.period === what.period &&
      each.kind === what.kind &&
      Date.parse(each.as_of) < before.getTime(),
  );
}
